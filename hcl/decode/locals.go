package decode

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// local is one local value.
type local struct {
	attribute
	needs   []string // the locals that it refers to, each once
	value   cty.Value
	waiting int // how many of needs have no value yet
}

func (l *loader) declareLocals(b block) {
	for _, a := range l.readNames(b.body) {
		if !hclsyntax.ValidIdentifier(a.name) {
			l.fail(a.named, a.whole, "Invalid name", "%q is not a name that can be referred to. A name consists of letters, digits, _ and -, and doesn't begin with a digit.", a.name)
			continue
		}
		if first := l.locals[a.name]; first != nil {
			l.fail(a.named, a.whole, "Duplicate local value", "The local value %q is declared already at %s. Rename or remove one of them.", a.name, first.named)
			continue
		}
		l.locals[a.name] = &local{attribute: a, value: cty.DynamicVal}
	}
}

// evaluateLocals gives the locals their values, each after those that it
// needs, in whatever order they are written. What is left over in the end
// needs itself.
func (l *loader) evaluateLocals() {
	neededBy := map[string][]*local{}
	var ready []*local
	for _, v := range sortedByKey(l.locals) {
		l.findNeeds(v)
		for _, name := range v.needs {
			neededBy[name] = append(neededBy[name], v)
		}
		if v.waiting == 0 {
			ready = append(ready, v)
		}
	}
	for len(ready) > 0 {
		v := ready[0]
		ready = ready[1:]
		v.value, _ = l.evaluate(v.expr)
		for _, next := range neededBy[v.name] {
			if next.waiting--; next.waiting == 0 {
				ready = append(ready, next)
			}
		}
	}
	l.reportCycles()
}

func (l *loader) findNeeds(v *local) {
	found := map[string]bool{}
	for _, t := range v.expr.Variables() {
		name, ok := stepName(t, 1)
		if ok && t.RootName() == localRoot && l.locals[name] != nil && !found[name] {
			found[name] = true
			v.needs = append(v.needs, name)
		}
	}
	v.waiting = len(v.needs)
}

// reportCycles diagnoses each circle of locals once. Locals that merely need
// one in a circle have nothing wrong of their own.
func (l *loader) reportCycles() {
	seen := map[*local]bool{}
	for _, v := range sortedByKey(l.locals) {
		var way []*local
		for v.waiting > 0 && !seen[v] {
			seen[v] = true
			way = append(way, v)
			v = l.waitedFor(v)
		}
		if i := slices.Index(way, v); i >= 0 {
			l.reportCycle(way[i:])
		}
	}
}

// waitedFor returns a local without a value that v needs.
func (l *loader) waitedFor(v *local) *local {
	for _, name := range v.needs {
		if l.locals[name].waiting > 0 {
			return l.locals[name]
		}
	}
	panic("a local waits for nothing")
}

func (l *loader) reportCycle(circle []*local) {
	first := circle[0]
	if len(circle) == 1 {
		l.fail(first.expr.Range(), first.whole, "Circular local values", "local.%s refers to itself, so it has no value.", first.name)
		return
	}
	names := make([]string, 0, len(circle)+1)
	for _, v := range circle {
		names = append(names, "local."+v.name)
	}
	names = append(names, "local."+first.name)
	if len(names) > 10 {
		names = append(append(names[:5:5], "..."), names[len(names)-4:]...)
	}
	l.fail(first.named, first.whole, "Circular local values", "These refer to each other in a circle, so none has a value: %s. Give one of them a value of its own.", strings.Join(names, " -> "))
}
