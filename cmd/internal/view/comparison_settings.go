package view

import (
	"slices"
	"strconv"
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/comparison"
	"distributor/planner/plan"
)

// settings writes what differs of all but the paths.
func (p *printer) settings(c *comparison.Comparison) {
	if len(c.Request) > 0 {
		p.printf("\n%s\n", p.paint(bold, "Asked for"))
		p.details(detailsOf(c, comparison.Pair[plan.Request]{Plan: &c.Plan.Request, Against: &c.Against.Request, Differs: c.Request}, requestValues))
	}
	settingsOf(p, "Made from", c, c.Inputs, inputName, inputValues)
	settingsOf(p, "Bundles", c, c.Sources, sourceName, sourceValues)
	settingsOf(p, "Publications", c, c.Publications, publicationName, publicationValues)
	settingsOf(p, "Roots", c, withoutResults(c.Roots), rootName, rootValues)
}

// withoutResults leaves out that roots will have other records: the paths say
// so.
func withoutResults(roots []comparison.Pair[plan.Root]) []comparison.Pair[plan.Root] {
	var told []comparison.Pair[plan.Root]
	for _, r := range roots {
		r.Differs = slices.DeleteFunc(slices.Clone(r.Differs), func(name string) bool { return name == "result" })
		if r.Plan == nil || r.Against == nil || len(r.Differs) > 0 {
			told = append(told, r)
		}
	}
	return told
}

// values say what is to be shown of things of one type in a plan, by the names
// that comparisons have for it.
type values[T any] map[string]func(*plan.Plan, *T) string

// settingsOf writes a section of pairs, each with what differs in it.
func settingsOf[T any](p *printer, title string, c *comparison.Comparison, pairs []comparison.Pair[T], name func(*T) string, v values[T]) {
	if len(pairs) == 0 {
		return
	}
	p.printf("\n%s\n", p.paint(bold, title))
	for _, pair := range pairs {
		switch {
		case pair.Against == nil:
			p.printf("  %s %s\n", p.paint(green, "+"), name(pair.Plan))
		case pair.Plan == nil:
			p.printf("  %s %s\n", p.paint(red, "-"), name(pair.Against))
		default:
			p.printf("  %s %s\n", p.paint(yellow, "~"), name(pair.Plan))
			p.details(detailsOf(c, pair, v))
		}
	}
}

func detailsOf[T any](c *comparison.Comparison, pair comparison.Pair[T], v values[T]) []detail {
	var all []detail
	for _, name := range pair.Differs {
		all = append(all, detail{name, v[name](c.Against, pair.Against), v[name](c.Plan, pair.Plan)})
	}
	return all
}

var requestValues = values[plan.Request]{
	"mode":         func(_ *plan.Plan, r *plan.Request) string { return string(r.Mode) },
	"pipelines":    func(_ *plan.Plan, r *plan.Request) string { return listOr("all", r.Pipelines) },
	"destinations": func(_ *plan.Plan, r *plan.Request) string { return listOr("all", r.Destinations) },
	"adopt":        func(_ *plan.Plan, r *plan.Request) string { return listOr(none, r.Adopt) },
	"overwrite":    func(_ *plan.Plan, r *plan.Request) string { return listOr(none, r.Overwrite) },
	"all_owners":   func(_ *plan.Plan, r *plan.Request) string { return yesNo(r.AllOwners) },
	"max_age":      func(_ *plan.Plan, r *plan.Request) string { return textOr(none, r.MaxAge) },
	"keep_last":    func(_ *plan.Plan, r *plan.Request) string { return numberOr(none, r.KeepLast) },
}

func inputName(i *plan.Input) string { return i.Kind + " " + i.Name }

var inputValues = values[plan.Input]{
	"sha256": func(_ *plan.Plan, i *plan.Input) string { return shortDigest(i.Digest) },
}

func sourceName(s *plan.Source) string { return "pipeline " + s.Pipeline }

var sourceValues = values[plan.Source]{
	"bundle": func(_ *plan.Plan, s *plan.Source) string { return source(s.Bundle) },
	"files":  func(_ *plan.Plan, s *plan.Source) string { return number(s.Files) },
}

func publicationName(p *plan.Publication) string { return p.Owner.String() }

var publicationValues = values[plan.Publication]{
	"root":        func(in *plan.Plan, p *plan.Publication) string { return in.Roots[p.Root].Address.String() },
	"workflow":    func(_ *plan.Plan, p *plan.Publication) string { return p.Workflow },
	"max_delete":  func(_ *plan.Plan, p *plan.Publication) string { return textOr(none, p.MaxDelete) },
	"allow_empty": func(_ *plan.Plan, p *plan.Publication) string { return yesNo(p.AllowEmpty) },
	"allow_older": func(_ *plan.Plan, p *plan.Publication) string { return yesNo(p.AllowOlder) },
	"base_url":    func(_ *plan.Plan, p *plan.Publication) string { return textOr(none, p.BaseURL) },
	"primary_url": func(_ *plan.Plan, p *plan.Publication) string { return textOr(none, p.Primary) },
	"planned":     func(_ *plan.Plan, p *plan.Publication) string { return plural(p.Planned, "output") },
	"owned":       func(_ *plan.Plan, p *plan.Publication) string { return plural(p.Owned, "record") },
	"skipped":     func(_ *plan.Plan, p *plan.Publication) string { return skipWords(p.Skipped) },
}

func skipWords(s *plan.Skip) string {
	if s == nil {
		return "no"
	}
	return "the bundle of " + s.Bundle.Created.String() + " is older than that of " + s.Published.Created.String()
}

func rootName(r *plan.Root) string { return r.Address.String() }

var rootValues = values[plan.Root]{
	"configured":                func(_ *plan.Plan, r *plan.Root) string { return r.Configured },
	"destinations":              func(_ *plan.Plan, r *plan.Root) string { return listOr(none, r.Destinations) },
	"baseline":                  func(_ *plan.Plan, r *plan.Root) string { return baselineDigest(r) },
	"superseded_schema_version": func(_ *plan.Plan, r *plan.Root) string { return numberOr(none, r.Superseded) },
	"blocks":                    func(_ *plan.Plan, r *plan.Root) string { return listOr(none, textsOfBlocks(r.Blocks)) },
	"unconfigured":              func(_ *plan.Plan, r *plan.Root) string { return listOr(none, textsOfOwners(r.Unconfigured)) },
	"counts":                    func(_ *plan.Plan, r *plan.Root) string { return countWords(r.Counts) },
	"drift":                     func(_ *plan.Plan, r *plan.Root) string { return textOr(none, driftWords(r.Drift)) },
}

// baselineDigest names the catalog that a root's plan was made against.
func baselineDigest(r *plan.Root) string {
	if r.Baseline.Digest.IsZero() {
		return baseline(r)
	}
	return baseline(r) + ", " + shortDigest(r.Baseline.Digest)
}

func textsOfBlocks(blocks []plan.Block) []string {
	var all []string
	for _, b := range blocks {
		words := string(b.Reason)
		if b.Owner.Pipeline != "" {
			words += " (" + b.Owner.String() + ")"
		}
		all = append(all, words)
	}
	return all
}

func textsOfOwners(owners []plan.OwnerCount) []string {
	var all []string
	for _, o := range owners {
		all = append(all, o.Owner.String()+": "+plural(o.Records, "record"))
	}
	return all
}

func countWords(c plan.Counts) string {
	parts := append(counted(c, future), keptWords(c)...)
	if c.Unchanged > 0 {
		parts = append(parts, plural(c.Unchanged, "output")+" as planned")
	}
	if c.BytesWritten > 0 {
		parts = append(parts, size(c.BytesWritten)+" to write")
	}
	return listOr("nothing to change", parts)
}

// none stands for what isn't there.
const none = "none"

func textOr(empty, text string) string {
	if text == "" {
		return empty
	}
	return text
}

func digestOr(empty string, d storage.Digest) string {
	if d.IsZero() {
		return empty
	}
	return shortDigest(d)
}

func numberOr(zero string, n int) string {
	if n == 0 {
		return zero
	}
	return strconv.Itoa(n)
}

func listOr(empty string, words []string) string { return textOr(empty, strings.Join(words, ", ")) }

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
