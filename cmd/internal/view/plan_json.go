package view

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// planJSON is a plan as one JSON document: the members of planDocument, then
// "changes", which are streamed.
type planJSON struct{ v *View }

func (j planJSON) Plan(s SavedPlan, o PlanOptions) error {
	out := j.v.stdout()
	enc := out.encoder(true)
	if err := j.write(enc, s, pathFilter(o.Paths)); err != nil {
		return err
	}
	return out.flush()
}

func (j planJSON) write(enc *jsontext.Encoder, s SavedPlan, filter pathFilter) error {
	if err := writeMembers(enc, newPlanDocument(s.Plan())); err != nil {
		return err
	}
	if err := writeTokens(enc, jsontext.String("changes"), jsontext.BeginArray); err != nil {
		return err
	}
	for c, err := range s.Changes() {
		if err != nil {
			return err
		}
		if !filter.shows(c) {
			continue
		}
		if err := json.MarshalEncode(enc, newChangeJSON(c)); err != nil {
			return err
		}
	}
	return writeTokens(enc, jsontext.EndArray, jsontext.EndObject)
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
