package view

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/planner/plan"
)

// planJSON is a plan as one JSON document: the members of planDocument, then
// "unchanged" where it is asked for and "changes", which are streamed, and what
// comes of them, "urls".
type planJSON struct{ v *View }

func (j planJSON) Plan(s SavedPlan, o PlanOptions) error {
	out := j.v.stdout()
	enc := out.encoder(true)
	if err := j.write(enc, s, o); err != nil {
		return err
	}
	return out.flush()
}

func (j planJSON) write(enc *jsontext.Encoder, s SavedPlan, o PlanOptions) error {
	if err := writeMembers(enc, newPlanDocument(s.Plan())); err != nil {
		return err
	}
	filter := pathFilter(o.Paths)
	if o.Unchanged != nil {
		pick := func(u plan.Unchanged) bool { return filter.shows(&plan.Change{Path: u.Record.Path}) }
		if err := writeArray(enc, "unchanged", o.Unchanged, pick, newUnchangedJSON); err != nil {
			return err
		}
	}
	noticed := notice(s, filter)
	if err := writeArray(enc, "changes", noticed.Changes(), filter.shows, newChangeJSON); err != nil {
		return err
	}
	if err := enc.WriteToken(jsontext.String("urls")); err != nil {
		return err
	}
	if err := json.MarshalEncode(enc, newURLsJSON(noticed.urls())); err != nil {
		return err
	}
	return enc.WriteToken(jsontext.EndObject)
}

// writeArray writes a member that is a list of those of all that pick picks,
// one by one.
func writeArray[T, J any](enc *jsontext.Encoder, name string, all iter.Seq2[T, error], pick func(T) bool, convert func(T) J) error {
	if err := writeTokens(enc, jsontext.String(name), jsontext.BeginArray); err != nil {
		return err
	}
	for v, err := range all {
		if err != nil {
			return err
		}
		if !pick(v) {
			continue
		}
		if err := json.MarshalEncode(enc, convert(v)); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndArray)
}

func newUnchangedJSON(u plan.Unchanged) unchangedJSON {
	return unchangedJSON{u.Root, u.Kept, *newRecordJSON(u.Record)}
}

func writeTokens(enc *jsontext.Encoder, tokens ...jsontext.Token) error {
	for _, t := range tokens {
		if err := enc.WriteToken(t); err != nil {
			return err
		}
	}
	return nil
}

// writeMembers begins an object and writes v's members, but doesn't end it.
func writeMembers(enc *jsontext.Encoder, v any) error {
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	dec := jsontext.NewDecoder(bytes.NewReader(b))
	begin, err := dec.ReadToken()
	if err != nil {
		return err
	}
	if err := enc.WriteToken(begin); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		value, err := dec.ReadValue() // names are values too
		if err != nil {
			return err
		}
		if err := enc.WriteValue(value); err != nil {
			return err
		}
	}
	return nil
}
