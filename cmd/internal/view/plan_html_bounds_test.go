package view

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/planfile"
)

// TestDistinctHunksAreStoredOnce: changes with the same hunk name the same one.
func TestDistinctHunksAreStoredOnce(t *testing.T) {
	m := sitePlan()
	for i := range 1000 {
		m.create(fmt.Sprintf("%03d.html", i), page("One", fmt.Sprint(i%7), 2026))
	}
	r := readReview(t, m, PlanOptions{})
	stored := 0
	for _, h := range r.index.Hunks {
		stored += strings.Count(string(r.blocks[h.Block]), "<!doctype html>")
	}
	if stored != 7 {
		t.Errorf("%d hunks are stored, want 7", stored)
	}
}

// bulkyPlan says that each of its contents takes some megabytes.
type bulkyPlan struct {
	*madePlan
	megabytes int64
}

func (b bulkyPlan) Packed(d storage.Digest) (planfile.Packed, error) {
	p, err := b.madePlan.Packed(d)
	p.Size = b.megabytes << 20
	return p, err
}

// TestPreviewsAreBounded: pages are embedded in the order in which they are read,
// equal ones once, as long as there is room, and the page knows of the others.
func TestPreviewsAreBounded(t *testing.T) {
	m := sitePlan()
	for _, path := range []string{"a.html", "b.html", "c.html", "d.html", "notes.txt"} {
		c := m.update(path, "old", path)
		m.generate(c, "x.md", path)
	}
	m.update("copied.html", "old", "new")
	same := m.update("e.html", "old", "a.html")
	m.generate(same, "x.md", "a.html")
	m.create("new.html", "whole in its diff")
	r := readReview(t, bulkyPlan{m, 8}, PlanOptions{})
	got := map[string]string{}
	for i, path := range r.index.Path {
		switch block := r.index.Preview[i]; block {
		case previewNone:
			got[path] = "none"
		case previewLeftOut:
			got[path] = "left out"
		default:
			got[path] = string(r.blocks[block])
		}
	}
	want := map[string]string{
		"a.html": "a.html", "b.html": "b.html", "c.html": "c.html", "d.html": "left out", "e.html": "a.html",
		"notes.txt": "none", "copied.html": "none", "new.html": "none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

var errGone = errors.New("the file is gone")

// brokenPlan can't be read after some changes, or its contents not at all.
type brokenPlan struct {
	*madePlan
	after int
}

func (b brokenPlan) Changes() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for i, c := range b.changes {
			if i == b.after {
				yield(nil, errGone)
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (b brokenPlan) Packed(storage.Digest) (planfile.Packed, error) {
	return planfile.Packed{}, errGone
}

func TestReviewOfAPlanThatCannotBeRead(t *testing.T) {
	m := footerPlan()
	m.plan = m.counted()
	for _, after := range []int{0, 5, len(m.changes)} {
		if err := WriteReview(io.Discard, brokenPlan{m, after}, PlanOptions{}); !errors.Is(err, errGone) {
			t.Errorf("after %d changes: %v", after, err)
		}
	}
}

// full takes so many bytes and no more.
type full struct{ room int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestReviewThatCannotBeWritten(t *testing.T) {
	m := tenThousandChanges()
	m.plan = m.counted()
	for _, room := range []int{0, 1, 100_000, 400_000, 800_000} {
		if err := WriteReview(&full{room}, m, PlanOptions{}); !errors.Is(err, errFull) {
			t.Errorf("%d bytes: %v", room, err)
		}
	}
}

// TestDataBlocks: blocks keep their order and bytes, however many wait for each
// other.
func TestDataBlocks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var out strings.Builder
		b := &dataBlocks{w: &out}
		var want [][]byte
		for i, data := range rapid.SliceOf(rapid.SliceOf(rapid.Byte())).Draw(rt, "blocks") {
			want = append(want, data)
			var number int
			if rapid.Bool().Draw(rt, "packed already") {
				number = b.addPacked(bytes.NewReader(data), false)
			} else {
				number = b.add(slices.Clone(data))
			}
			if number != i {
				rt.Fatalf("block %d is numbered %d", i, number)
			}
		}
		if err := b.close(); err != nil {
			rt.Fatal(err)
		}
		all := blockElement.FindAllStringSubmatch(out.String(), -1)
		if len(all) != len(want) {
			rt.Fatalf("%d blocks of %d", len(all), len(want))
		}
		for i, m := range all {
			if got := unpackBlock(t, m[3], m[2] == ""); m[1] != fmt.Sprint(i) || !bytes.Equal(got, want[i]) {
				rt.Fatalf("block %s: %q, want %q", m[1], got, want[i])
			}
		}
	})
}
