package planner

import (
	"errors"
	"fmt"
	"strings"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/plan"
	"distributor/planner/transform"
)

// chain is what the transform blocks of a rule make together.
type chain struct {
	links     []link
	recipes   map[uint]*recipe // by the links in them, a bit for each
	encodings map[encoding]*recipe
}

// encoding is another coding of what a recipe makes.
type encoding struct {
	main   *recipe // nil for a copy
	suffix string
}

// link is one transform of a chain, and all that decides what it makes of its
// input: its settings, and the templates that it was made from.
type link struct {
	transform.Step
	identity string
}

// recipe is what makes an output: the links of a chain that take it.
type recipe struct {
	name     string                // as records have it: names joined by "+"
	identity string                // of all its links
	lister   transform.Lister      // stands in place of a source file; nil with one
	steps    []transform.Transform // each takes what the one before it made
	encoder  transform.Encoder     // makes another coding of an output, in place of all else; nil for the output itself
	suffix   string                // what the encoder adds to the output's name
	// showsBundle says whether what it makes may depend on the digest or the
	// time of the bundle.
	showsBundle bool
}

// newRecipe joins links.
func newRecipe(links []link) *recipe {
	r := &recipe{}
	var names, identities []string
	for _, l := range links {
		names, identities = append(names, l.Name()), append(identities, l.identity)
		switch s := l.Step.(type) {
		case transform.Lister:
			r.lister = s
		case transform.Transform:
			r.steps = append(r.steps, s)
		}
		steady, ok := l.Step.(transform.Steady)
		r.showsBundle = r.showsBundle || !ok || steady.ShowsBundle()
	}
	r.name, r.identity = strings.Join(names, "+"), strings.Join(identities, "\x00")
	return r
}

// recipe returns what makes an output at a path; nil where the source file is
// copied, because the chain has no transform that takes such files.
func (c *chain) recipe(to storage.Path) *recipe {
	taken := uint(0)
	for i, l := range c.links {
		if takes(l.Step, to) {
			taken |= 1 << i
		}
	}
	if c.recipes[taken] == nil && taken != 0 {
		var links []link
		for i, l := range c.links {
			if taken&(1<<i) != 0 {
				links = append(links, l)
			}
		}
		c.recipes[taken] = newRecipe(links)
	}
	return c.recipes[taken]
}

// takes says whether a transform has to do with the bytes of an output.
func takes(s transform.Step, to storage.Path) bool {
	if _, encodes := s.(transform.Encoder); encodes {
		return false
	}
	choosy, ok := s.(transform.Choosy)
	return !ok || choosy.Takes(to)
}

// encodingsOf returns what makes the outputs beside the one at a path, whose
// recipe is main: one for each suffix.
func (c *chain) encodingsOf(to storage.Path, main *recipe) []*recipe {
	if len(c.links) == 0 {
		return nil
	}
	last := c.links[len(c.links)-1]
	encoder, ok := last.Step.(transform.Encoder)
	if !ok {
		return nil
	}
	var all []*recipe
	for _, suffix := range encoder.Suffixes(to) {
		key := encoding{main, suffix}
		if c.encodings[key] == nil {
			name := last.Name()
			if main != nil {
				name = main.name + "+" + name
			}
			c.encodings[key] = &recipe{name: name, identity: last.identity, encoder: encoder, suffix: suffix}
		}
		all = append(all, c.encodings[key])
	}
	return all
}

// lister returns the transform that lists outputs; nil where the chain takes
// source files.
func (c *chain) lister() transform.Lister {
	if len(c.links) == 0 {
		return nil
	}
	l, _ := c.links[0].Step.(transform.Lister)
	return l
}

// defaultPath returns where the output of a source file goes that the
// configuration gives no path.
func (c *chain) defaultPath(source string) string {
	for _, l := range c.links {
		if r, ok := l.Step.(transform.Renamer); ok {
			source = r.Rename(source)
		}
	}
	return source
}

// chains makes every transform that the publications use, once for each block,
// and lists the files that decide what they make.
func chains(r *Request, pubs []*publication) (map[*config.Rule]*chain, []plan.Input, error) {
	made := map[*config.Rule]*chain{}
	var inputs []plan.Input
	var errs []error
	for _, p := range pubs {
		for _, rule := range p.pipeline.Rules {
			if made[rule] != nil || rule.Destination != p.owner.Destination {
				continue
			}
			c, in, err := newChain(r, rule)
			made[rule] = c
			inputs, errs = append(inputs, in...), append(errs, err)
		}
	}
	return made, inputs, errors.Join(errs...)
}

func newChain(r *Request, rule *config.Rule) (*chain, []plan.Input, error) {
	c := &chain{recipes: map[uint]*recipe{}, encodings: map[encoding]*recipe{}}
	var inputs []plan.Input
	var errs []error
	for i := range rule.Transforms {
		t := &rule.Transforms[i]
		step, in, err := r.Transform(t)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", t.Range.Filename, t.Range.Start.Line, err))
			continue
		}
		identity := t.Settings()
		for _, input := range in {
			identity += fmt.Sprintf(" %q %s", input.Name, input.Digest)
		}
		c.links = append(c.links, link{step, identity})
		inputs = append(inputs, in...)
	}
	return c, inputs, errors.Join(errs...)
}

// listable says whether an output that a chain of this name made may be in lists:
// all but lists themselves, and what encodes other outputs.
func listable(chain string) bool {
	for name := range strings.SplitSeq(chain, "+") {
		if k := config.TransformKindOf(name); k != nil && (k.Place == config.PlaceList || k.Place == config.PlaceEncode) {
			return false
		}
	}
	return true
}
