package planfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// unchangedLine is one line of unchanged.jsonl as it is read.
type unchangedLine struct {
	Root   natural `json:"root"`
	Kept   bool    `json:"kept,omitzero"`
	Record *record `json:"record"`
}

// appendUnchanged appends the line of u, with its line feed. A record that the
// catalog could not hold is an error.
func appendUnchanged(b []byte, u *plan.Unchanged) ([]byte, error) {
	b = append(b, `{"root":`...)
	b = strconv.AppendInt(b, int64(u.Root), 10)
	if u.Kept {
		b = append(b, `,"kept":true`...)
	}
	b = append(b, `,"record":`...)
	b, err := catalog.AppendRecord(b, u.Record)
	return append(b, "}\n"...), err
}

// decodeUnchanged is the inverse of appendUnchanged.
func decodeUnchanged(text []byte) (u plan.Unchanged, err error) {
	if err := refuseNull(text); err != nil {
		return u, err
	}
	var l unchangedLine
	if err := json.Unmarshal(text, &l); err != nil {
		return u, jsonError(err)
	}
	switch {
	case !l.Root.given:
		return u, errors.New("root is missing")
	case l.Record == nil:
		return u, errors.New("record is missing")
	}
	p, err := storage.ParsePath(l.Record.Path)
	if err != nil {
		return u, fmt.Errorf("path %q %w", l.Record.Path, err)
	}
	u = plan.Unchanged{Root: int(l.Root.value), Kept: l.Kept}
	if u.Record, err = toRecord(l.Record, p); err != nil {
		return u, fmt.Errorf("%q: record: %w", p, err)
	}
	return u, nil
}

// Unchanged adds everything that stays without a change, in order of root and
// path. It is called for plans that have Request.Unchanged, once.
func (w *Writer) Unchanged(all iter.Seq[plan.Unchanged]) error {
	if w.err != nil {
		return w.err
	}
	if w.unchanged != nil || len(w.sizes) > 0 {
		return w.fail(fmt.Errorf("%s: %w", w.path, errOrder))
	}
	var err error
	if w.unchanged, err = newLineWriter(w.zip, unchangedName); err != nil {
		return w.fail(err)
	}
	var text []byte
	for u := range all {
		if err := w.stays.next(&u); err != nil {
			return w.fail(fmt.Errorf("%s: %w", w.path, err))
		}
		if text, err = appendUnchanged(text[:0], &u); err != nil {
			return w.fail(fmt.Errorf("%s: %q: %w", w.path, u.Record.Path, err))
		}
		if err := w.unchanged.line(text); err != nil {
			return w.fail(err)
		}
	}
	return nil
}

// unchangedChecker holds what stays to the rules: its order, and what the plan
// counts of it. Writer and reader use the same one.
type unchangedChecker struct {
	root  int // of the last one
	path  storage.Path
	stays map[int]stays
}

// stays counts the outputs of one root that stay without a change.
type stays struct{ unchanged, kept int }

// next checks the next one by itself and against the one before it.
func (k *unchangedChecker) next(u *plan.Unchanged) error {
	r := u.Record
	switch {
	case r == nil || r.Path.IsZero():
		return errors.New("an output that stays has no record, or no path")
	case r.Path.Reserved():
		return fmt.Errorf("path %q is reserved: distributor keeps its own files under such names", r.Path)
	case r.CreatedAt.IsZero() || r.UpdatedAt.IsZero():
		return fmt.Errorf("%q: record has no times", r.Path)
	case cmp.Or(cmp.Compare(k.root, u.Root), k.path.Compare(r.Path)) >= 0 && !k.path.IsZero(), u.Root < 0:
		return fmt.Errorf("%q comes after %q: what stays goes by root and path, each path once", r.Path, k.path)
	}
	if k.stays == nil {
		k.stays = map[int]stays{}
	}
	k.root, k.path = u.Root, r.Path
	n := k.stays[u.Root]
	if u.Kept {
		n.kept++
	} else {
		n.unchanged++
	}
	k.stays[u.Root] = n
	return nil
}

// plan checks that the plan counts what was checked, and what changes keep
// beside it.
func (k *unchangedChecker) plan(p *plan.Plan, changes *checker) error {
	var errs []error
	for i := range p.Roots {
		told, made := p.Roots[i].Counts, k.stays[i]
		if t := changes.roots[i]; t != nil {
			made.kept += t.counts.Kept
		}
		if made != (stays{told.Unchanged, told.Kept}) {
			errs = append(errs, fmt.Errorf("root %s: %d unchanged and %d kept in its counts, %d and %d are there",
				p.Roots[i].Address, told.Unchanged, told.Kept, made.unchanged, made.kept))
		}
	}
	if len(k.stays) > 0 && k.root >= len(p.Roots) {
		errs = append(errs, fmt.Errorf("outputs stay at root %d, and there are %d, from 0", k.root, len(p.Roots)))
	}
	return errors.Join(errs...)
}

// allUnchanged yields what stays as far as check lets it pass. An error ends it.
func (f *File) allUnchanged(ctx context.Context, check *unchangedChecker) iter.Seq2[plan.Unchanged, error] {
	if f.unchanged == nil {
		return func(func(plan.Unchanged, error) bool) {}
	}
	return eachLine(ctx, f, f.unchanged, f.document.Unchanged, func(text []byte) (plan.Unchanged, error) {
		u, err := decodeUnchanged(text)
		if err == nil {
			err = check.next(&u)
		}
		return u, err
	})
}

// readAllUnchanged checks everything that stays, that plan.json counts it, and
// that none of it has a change too.
func (f *File) readAllUnchanged(ctx context.Context) error {
	if f.unchanged == nil {
		return nil
	}
	changes := checker{newer: f.newer}
	nextChange, stop := iter.Pull2(f.changes(ctx, &changes))
	defer stop()
	change, err, more := nextChange()
	var check unchangedChecker
	for u, errStays := range f.allUnchanged(ctx, &check) {
		for more && err == nil && errStays == nil && before(change, &u) {
			change, err, more = nextChange()
		}
		if err := errors.Join(errStays, err); err != nil {
			return err
		}
		if more && change.Root == u.Root && change.Path == u.Record.Path {
			return unsound(f.path, fmt.Errorf("%s: %q stays as it is, and has a change", unchangedName, change.Path))
		}
	}
	for more && err == nil {
		_, err, more = nextChange()
	}
	if err != nil {
		return err
	}
	if err := check.plan(f.plan, &changes); err != nil {
		return unsound(f.path, fmt.Errorf("%s: %w", unchangedName, err))
	}
	return nil
}

// before says whether a change comes before an output that stays.
func before(c *plan.Change, u *plan.Unchanged) bool {
	return cmp.Or(cmp.Compare(c.Root, u.Root), c.Path.Compare(u.Record.Path)) < 0
}
