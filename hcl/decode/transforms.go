package decode

import (
	"slices"

	"distributor/hcl/config"
)

// transformNames are the names of all transforms, in the order of the
// documentation.
var transformNames = func() []string {
	var names []string
	for _, k := range config.TransformKinds {
		names = append(names, k.Name)
	}
	return names
}()

// transformSchema is what a block of one kind may hold.
func transformSchema(k *config.TransformKind) schema {
	var s schema
	for _, a := range k.Arguments {
		s.attributes = append(s.attributes, a.Name)
	}
	return s
}

// decodeTransforms decodes a publish block's chain. Blocks that can't stand
// where they do are diagnosed and left out.
func (l *loader) decodeTransforms(blocks []block, r *config.Rule) {
	for _, b := range blocks {
		if !l.checkKind(b, "transform", transformNames) {
			continue
		}
		k := config.TransformKindOf(b.label())
		if l.checkPlace(b, k, r.Transforms) {
			r.Transforms = append(r.Transforms, l.decodeTransform(b, k))
			l.checkURLs(b, k, r)
		}
	}
}

// checkPlace says whether a transform may follow those before it.
func (l *loader) checkPlace(b block, k *config.TransformKind, before []config.Transform) bool {
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	for _, t := range before {
		if t.Name == k.Name {
			l.fail(b.named, b.header, "Duplicate transform", "The transform %q is in this chain already, at %s. Remove one of them.", k.Name, t.Range)
			return false
		}
	}
	switch after := config.TransformKindOf(last.Name).Place; {
	case k.Place == config.PlaceMake:
		l.fail(b.named, b.header, "Misplaced transform", "The transform %q makes its outputs of source files, so it is the first of its chain; here it comes after %q. Move it to the front, or into a publish block of its own.", k.Name, last.Name)
	case k.Place == config.PlaceList:
		l.fail(b.named, b.header, "Misplaced transform", "The transform %q makes an output that lists others, of no source file, so it is the first of its chain; here it comes after %q. Give it a publish block of its own.", k.Name, last.Name)
	case k.Place < after:
		l.fail(b.named, b.header, "Misplaced transform", "The transform %q packs what the chain before it has made, so %q comes before it. Exchange the two.", last.Name, k.Name)
	default:
		return true
	}
	return false
}

// checkURLs sees that a transform that writes absolute addresses has them.
func (l *loader) checkURLs(b block, k *config.TransformKind, r *config.Rule) {
	if !k.NeedsURLs || l.destinations[r.Destination] == nil || l.destinations[r.Destination].result.Links != nil {
		return
	}
	l.fail(b.named, b.header, "Missing address", `The transform %q writes absolute addresses, and the destination %q has no links block that says where it is served. Write there: links { base_url = "https://example.com/reports" }, the argument on a line of its own.`, k.Name, r.Destination)
}

func (l *loader) decodeTransform(b block, k *config.TransformKind) config.Transform {
	t := config.Transform{Name: k.Name, Range: b.header}
	c := l.read(b.body, transformSchema(k))
	for _, kind := range k.Arguments {
		if a, ok := c.optional(kind.Name); ok {
			put(&t.Ranges, kind.Name, a.expr.Range())
			l.decodeArgument(&t, kind, a)
		}
	}
	l.checkExclusive(t, k, c)
	return t
}

// put sets an entry of a map that is made when needed.
func put[V any](m *map[string]V, name string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = v
}

func (l *loader) decodeArgument(t *config.Transform, kind config.ArgumentKind, a attribute) {
	switch kind.Type {
	case config.ArgumentFlag:
		if on, ok := l.flag(a); ok {
			put(&t.Flags, kind.Name, on)
		}
	case config.ArgumentText:
		if text, ok := l.text(a); ok && l.checkNotEmpty(text, a) {
			put(&t.Texts, kind.Name, text.text)
		}
	case config.ArgumentFile:
		if path, ok := l.file(a); ok {
			put(&t.Texts, kind.Name, path)
		}
	case config.ArgumentChoice:
		if text, ok := l.text(a); ok && l.checkChoice(text, kind, a) {
			put(&t.Texts, kind.Name, text.text)
		}
	case config.ArgumentChoices:
		if chosen := l.choices(a, kind); len(chosen) > 0 {
			put(&t.Lists, kind.Name, chosen)
		}
	case config.ArgumentCount:
		if n, ok := l.countFromOne(a); ok {
			put(&t.Counts, kind.Name, n)
		}
	}
}

func (l *loader) checkNotEmpty(text located, a attribute) bool {
	if text.text == "" {
		l.fail(text.at, a.whole, "Empty text", "The argument %q is empty. Write some text, or leave it out.", a.name)
		return false
	}
	return true
}

func (l *loader) checkChoice(text located, kind config.ArgumentKind, a attribute) bool {
	if slices.Contains(kind.Choices, text.text) {
		return true
	}
	l.fail(text.at, a.whole, "Unknown value", "The argument %q can't be %q.%s Write %s.", kind.Name, text.text,
		suggestion(text.text, kind.Choices, quoted), listing(quoteAll(kind.Choices), "or"))
	return false
}

// choices evaluates a list of some of the kind's choices.
func (l *loader) choices(a attribute, kind config.ArgumentKind) []string {
	at := a.expr.Range()
	list, ok := l.texts(a)
	if ok && len(list) == 0 {
		l.fail(at, a.whole, "Empty list", "The list %q is empty, so the transform would do nothing. Write one or more of %s, or leave the argument out.", kind.Name, listing(quoteAll(kind.Choices), "and"))
	}
	var chosen []string
	for _, text := range list {
		if !l.checkChoice(text, kind, a) {
			continue
		}
		if slices.Contains(chosen, text.text) {
			l.fail(text.at, a.whole, "Duplicate value", "The list %q has %q already. Remove one of them.", kind.Name, text.text)
			continue
		}
		chosen = append(chosen, text.text)
	}
	return chosen
}

// checkExclusive diagnoses flags of which only one may be on.
func (l *loader) checkExclusive(t config.Transform, k *config.TransformKind, c contents) {
	first := ""
	for _, name := range k.Exclusive {
		switch {
		case !t.Flags[name]:
		case first == "":
			first = name
		default:
			l.fail(t.Ranges[name], c.attributes[name].whole, "Conflicting arguments", "Of %s only one can be true: with %q there is nothing left for %q to do. Remove one of them.", listing(quoteAll(k.Exclusive), "and"), first, name)
		}
	}
}
