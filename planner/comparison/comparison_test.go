package comparison

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

func TestOfEqualPlans(t *testing.T) {
	if c := Of(sample().plan, sample().plan); differs(c) || !c.Same() {
		t.Errorf("a plan differs from itself: %+v", c)
	}
}

func differs(c *Comparison) bool {
	return len(c.Request)+len(c.Inputs)+len(c.Sources)+len(c.Publications)+len(c.Roots) > 0
}

// told are the fields of plans that no id depends on.
var told = []string{
	"Plan.ID", "Plan.Version", "Plan.CreatedAt", "Plan.Warnings", "Plan.BrokenLinks",
	"Plan.Request.Embed", "Plan.Request.Deep", "Plan.Request.Unchanged", "Plan.Sources[0].Location",
}

// TestEveryField changes each field of a plan, one at a time: what is part of
// the decision must be noticed, and nothing else.
func TestEveryField(t *testing.T) {
	for _, f := range fields(reflect.ValueOf(*sample().plan), "Plan") {
		t.Run(f.name, func(t *testing.T) {
			other := sample().plan
			f.change(reflect.ValueOf(other).Elem())
			want := !slices.ContainsFunc(told, func(name string) bool { return strings.HasPrefix(f.name, name) })
			if got := differs(Of(other, sample().plan)); got != want {
				t.Errorf("the difference is noticed: %v, want %v", got, want)
			}
			if got := differs(Of(sample().plan, other)); got != want {
				t.Errorf("the other way round the difference is noticed: %v, want %v", got, want)
			}
		})
	}
}

// TestEveryFieldOfChanges is the same for changes, every field of which is part
// of the decision.
func TestEveryFieldOfChanges(t *testing.T) {
	for _, f := range fields(reflect.ValueOf(*sample().changes[0]), "Change") {
		if strings.HasPrefix(f.name, "Change.After.") && (strings.HasSuffix(f.name, "At") || strings.HasSuffix(f.name, ".Path")) {
			continue // an apply's times, and the change's path
		}
		t.Run(f.name, func(t *testing.T) {
			other := sample()
			f.change(reflect.ValueOf(other.changes[0]).Elem())
			if all := collect(t, other, sample()); len(all) == 1 && all[0].Verdict() == Equal {
				t.Error("the difference isn't noticed")
			}
		})
	}
}

// field is a field of a struct, at any depth.
type field struct {
	name   string
	change func(in reflect.Value) // gives it another value
}

// fields lists the fields below v: of structs each, of lists and pointers also
// those of what they hold.
func fields(v reflect.Value, name string) []field {
	if otherValue(v) != nil {
		return []field{{name, func(in reflect.Value) { in.Set(reflect.ValueOf(otherValue(in)).Convert(in.Type())) }}}
	}
	var all []field
	below := func(name string, v reflect.Value, step func(reflect.Value) reflect.Value) {
		for _, f := range fields(v, name) {
			all = append(all, field{f.name, func(in reflect.Value) { f.change(step(in)) }})
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			below(name+"."+v.Type().Field(i).Name, v.Field(i), func(in reflect.Value) reflect.Value { return in.Field(i) })
		}
	case reflect.Slice:
		if v.Len() > 0 {
			below(name+"[0]", v.Index(0), func(in reflect.Value) reflect.Value { return in.Index(0) })
		}
		all = append(all, field{name + "[end]", func(in reflect.Value) { in.Set(reflect.Append(in, reflect.Zero(in.Type().Elem()))) }})
	case reflect.Pointer:
		if !v.IsNil() {
			below(name, v.Elem(), reflect.Value.Elem)
			all = append(all, field{name + "=nil", func(in reflect.Value) { in.SetZero() }})
		}
	}
	return all
}

// otherValue returns another value than the one that v has; nil where v is made
// of parts.
func otherValue(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case storage.Digest:
		return storage.SumBytes([]byte(x.String()))
	case storage.Time:
		return x.Next()
	case storage.Path:
		return storage.MustPath("other")
	}
	switch v.Kind() {
	case reflect.String:
		return v.String() + "x"
	case reflect.Int, reflect.Int64:
		return v.Int() + 1
	case reflect.Uint8:
		return v.Uint() + 1
	case reflect.Bool:
		return !v.Bool()
	}
	return nil
}

func TestPairs(t *testing.T) {
	a, b := sample().plan, sample().plan
	a.Inputs = []plan.Input{{Kind: "template", Name: "new"}, {Kind: "configuration", Name: "a", Digest: digest("1")}, {Kind: "template", Name: "same"}}
	b.Inputs = []plan.Input{{Kind: "template", Name: "same"}, {Kind: "configuration", Name: "a", Digest: digest("2")}, {Kind: "template", Name: "gone"}}
	want := []Pair[plan.Input]{
		{&a.Inputs[1], &b.Inputs[1], []string{"sha256"}},
		{nil, &b.Inputs[2], nil},
		{&a.Inputs[0], nil, nil},
	}
	got := Of(a, b).Inputs
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b storage.Digest) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
}
