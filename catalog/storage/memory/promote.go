package memory

import (
	"context"
	"fmt"

	"distributor/catalog/storage"
)

// Promote implements storage.Tx.
func (x *tx) Promote(ctx context.Context, step int, seen storage.Version) error {
	s := &x.journal.Steps[step]
	if err := x.begin(ctx, "Promote", s.Path); err != nil {
		return err
	}
	defer x.mu.Unlock()
	staged, err := x.ready(step, s.After.Kind == storage.KindFile)
	if err != nil {
		return err
	}
	if staged == nil {
		return fmt.Errorf("%s: is not staged", s.Path)
	}
	if err := x.above(s.Path); err != nil && (!nowhere(err) || s.Before.Kind == storage.KindAbsent) {
		return err
	}
	old, err := x.takeExpected(s, seen)
	if err != nil {
		return err
	}
	x.made = append(x.made, x.file(staged.nodes[0])...)
	x.stage.slots[step] = &slot{nodes: old, promoted: true}
	return nil
}

// Remove implements storage.Tx.
func (x *tx) Remove(ctx context.Context, step int, seen storage.Version) error {
	s := &x.journal.Steps[step]
	if err := x.begin(ctx, "Remove", s.Path); err != nil {
		return err
	}
	defer x.mu.Unlock()
	if _, err := x.ready(step, s.After.Kind == storage.KindAbsent); err != nil {
		return err
	}
	if err := x.above(s.Path); err != nil && !nowhere(err) {
		return err
	}
	old, err := x.takeExpected(s, seen)
	if err != nil {
		return err
	}
	x.stage.slots[step] = &slot{nodes: old, promoted: true}
	return nil
}

// ready checks that a step can be carried out and returns its slot, nil where
// it has none.
func (x *tx) ready(step int, fits bool) (*slot, error) {
	s := &x.journal.Steps[step]
	switch {
	case !x.sealed:
		return nil, fmt.Errorf("%s: the journal is not sealed", s.Path)
	case !fits:
		return nil, fmt.Errorf("%s: the step leaves %s", s.Path, s.After.Kind.Phrase())
	case x.stage == nil:
		return nil, &storage.StagingError{Path: s.Path}
	}
	sl := x.stage.slots[step]
	if sl != nil && sl.promoted {
		return nil, fmt.Errorf("%s: was carried out before", s.Path)
	}
	return sl, nil
}

// takeExpected takes out what is at the path of a step, if it is what the
// step expects.
func (x *tx) takeExpected(s *storage.Step, seen storage.Version) ([]*node, error) {
	n := x.at(s.Path.String())
	if n != nil && n.kind == storage.KindFile && n.tag == seen.Tag && s.Before.Kind == storage.KindFile {
		return x.takeOut(n.name), nil
	}
	if found := x.look(s.Path.String()); found != s.Before {
		return nil, &storage.UnexpectedError{Path: s.Path, Want: s.Before, Found: found}
	}
	return x.takeOut(s.Path.String()), nil
}

// look says what is at a name.
func (d *disk) look(name string) storage.State {
	n := d.at(name)
	if n == nil {
		return storage.State{}
	}
	s := n.state()
	if n.kind == storage.KindFolder {
		for _, b := range d.below(name) {
			if b.kind != storage.KindFolder {
				s.Size = 1
			}
		}
	}
	return s
}

// Staged implements storage.Tx.
func (x *tx) Staged(ctx context.Context, step int) (storage.State, error) {
	if err := ctx.Err(); err != nil {
		return storage.State{}, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stage == nil || x.stage.slots[step] == nil || len(x.stage.slots[step].nodes) == 0 {
		return storage.State{}, nil
	}
	return x.stage.slots[step].nodes[0].state(), nil
}

// Revert implements storage.Tx.
func (x *tx) Revert(ctx context.Context, step int) error {
	s := &x.journal.Steps[step]
	if err := x.begin(ctx, "Revert", s.Path); err != nil {
		return err
	}
	defer x.mu.Unlock()
	if err := x.notCommitted(); err != nil {
		return err
	}
	if x.stage == nil || x.stage.slots[step] == nil || !x.stage.slots[step].promoted {
		return nil
	}
	if s.After.Kind == storage.KindAbsent {
		x.removeMadeAt(s.Path)
	}
	if found := x.look(s.Path.String()); found != s.After {
		return &storage.UnexpectedError{Path: s.Path, Want: s.After, Found: found}
	}
	if err := x.above(s.Path); err != nil {
		return err
	}
	taken, old := x.takeOut(s.Path.String()), x.stage.slots[step].nodes
	for _, n := range old {
		x.file(n)
	}
	x.stage.slots[step] = &slot{nodes: taken}
	if len(taken) > 0 {
		x.removeEmptyAbove(s.Path, x.isOurs)
	}
	return nil
}

// removeMadeAt removes a folder without files that was made for this apply: a
// promotion below it may have been interrupted when it had made no more.
func (x *tx) removeMadeAt(p storage.Path) {
	if folder := (storage.State{Kind: storage.KindFolder}); x.look(p.String()) == folder && x.isOurs(p.String()) {
		x.takeOut(p.String())
	}
}
