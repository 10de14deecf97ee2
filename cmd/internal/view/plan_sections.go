package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

var actionSigns = map[plan.Action]string{
	plan.Create:  "+",
	plan.Update:  "~",
	plan.Restore: "~",
	plan.Delete:  "-",
	plan.Record:  "=",
	plan.Drop:    "-",
	plan.Keep:    "?",
	plan.Blocked: "!",
}

var actionStyles = map[plan.Action]style{
	plan.Create:  green,
	plan.Update:  yellow,
	plan.Restore: yellow,
	plan.Delete:  red,
	plan.Drop:    red,
	plan.Record:  dim,
	plan.Keep:    yellow,
	plan.Blocked: red,
}

// sign is the mark of a change in front of its line.
func (p *printer) sign(a plan.Action, moved bool) raw {
	if moved {
		return p.paint(cyan, signOf(a, moved))
	}
	return p.paint(actionStyles[a], signOf(a, moved))
}

func signOf(a plan.Action, moved bool) string {
	if moved {
		return ">"
	}
	return actionSigns[a]
}

// sectionsText writes the sections of a plan's roots.
type sectionsText struct {
	*printer
	layout  *planLayout
	options PlanOptions
	budget  int            // lines of diffs that may still be shown
	largest *review.Fold   // of those that stand for several outputs; nil where none does
	folds   []*review.Fold // of these, those of the section so far
}

// root writes the sections of one root.
func (t *sectionsText) root(r *review.Review, root *review.Root) {
	pl := &r.Plan.Roots[root.Index]
	if len(r.Roots) > 1 {
		t.printf("\n%s\n  %s\n", t.paint(bold, pl.Address.String()), raw(rootSummary(pl)))
	}
	if len(pl.Blocks) > 0 {
		t.printf("\n%s\n", t.paint(bold, review.Blocked.Title()))
		for _, b := range pl.Blocks {
			t.block(b)
		}
	}
	for _, s := range root.Sections {
		if s.Kind == review.Records {
			t.records(s)
			continue
		}
		if s.Kind != review.Blocked || len(pl.Blocks) == 0 {
			t.title(s, len(s.Entries))
		}
		t.section(s)
	}
	t.kept(r.Plan, root.Index)
	t.unconfigured(pl)
}

// title is the heading of a section of which n changes are shown. One change
// needs no counting.
func (p *printer) title(s *review.Section, n int) {
	all := len(s.Entries)
	switch {
	case n < all:
		p.printf("\n%s: %s of %s\n", p.paint(bold, s.Kind.Title()), raw(number(n)), raw(counting(s.Kind, all)))
	case all == 1:
		p.printf("\n%s\n", p.paint(bold, s.Kind.Title()))
	default:
		p.printf("\n%s: %s\n", p.paint(bold, s.Kind.Title()), raw(counting(s.Kind, all)))
	}
}

// counting counts the changes of a section.
func counting(k review.SectionKind, n int) string {
	if k == review.Dropped {
		return plural(n, "record")
	}
	return plural(n, "output")
}

func (t *sectionsText) section(s *review.Section) {
	l := t.layout.sections[s]
	t.folds = nil
	t.sharedHunks(s, l)
	for _, f := range l.alone {
		t.row(f, raw(", "+aloneNote(s.Shared)))
	}
	diffs := 0
	for _, f := range l.rows {
		if t.outlierOf(f) != nil {
			diffs++
		}
	}
	for _, f := range l.rows {
		d := t.outlierOf(f)
		if d == nil {
			t.row(f, "")
			continue
		}
		t.row(f, sharedNote(f.Single(), l.shared))
		t.budget -= t.outlier(d, t.limit(diffs))
		diffs--
	}
	if s.Kind == review.Blocked && len(t.folds) > 0 {
		t.printf("    %s\n", t.paint(dim, "... those of a pattern by name: "+showCommand(t.options, largestOf(t.folds).Glob)))
	}
}

// outlierOf returns the diff that is shown of a line; nil for none.
func (t *sectionsText) outlierOf(f *review.Fold) *outlierDiff { return t.layout.outliers[f.Single()] }

// row writes the line of a fold.
func (t *sectionsText) row(f *review.Fold, note raw) {
	e := f.Single()
	if e != nil {
		t.change(e, t.layout.changes[e], note)
		return
	}
	e = f.Entries[0]
	others := raw("")
	if slices.ContainsFunc(t.folds, func(earlier *review.Fold) bool { return overlap(earlier, f) }) {
		others = "others in "
	}
	t.folds = append(t.folds, f)
	if t.largest == nil || len(f.Entries) > len(t.largest.Entries) {
		t.largest = f
	}
	t.flow(2, 6, sprintf("%s %s%s %s%s%s%s", t.sign(e.Action, e.Moved), others, globs(f), t.paint(bold, counting(e.Section, len(f.Entries))),
		bracketed(becauseCommon(f.Entries), e), raw(foldStat(f)), note))
}

// overlap says whether the pattern of one of two folds matches what the other
// stands for. Then its count is not of all that it matches, which must be said.
func overlap(a, b *review.Fold) bool {
	if a.From != "" || b.From != "" {
		return false
	}
	return globMatches(a.Glob, b.Entries[0].Path, storage.Path{}) || globMatches(b.Glob, a.Entries[0].Path, storage.Path{})
}

// largestOf returns the fold that stands for the most outputs.
func largestOf(folds []*review.Fold) *review.Fold {
	return slices.MaxFunc(folds, func(a, b *review.Fold) int { return cmp.Compare(len(a.Entries), len(b.Entries)) })
}

// globs is what a fold stands for.
func globs(f *review.Fold) raw {
	if f.From == "" {
		return raw(escapeName(f.Glob))
	}
	return raw("moved " + escapeName(f.From) + " -> " + escapeName(f.To))
}

// foldStat is the sum of what a fold's changes add and remove, in lines and, unless
// those say enough, in bytes.
func foldStat(f *review.Fold) string {
	var stat strings.Builder
	lines := f.Added + f.Removed
	if lines > 0 {
		fmt.Fprintf(&stat, " +%s -%s", number(f.Added), number(f.Removed))
	}
	if f.Bytes > 0 && (lines == 0 || f.Entries[0].Action != plan.Update) {
		fmt.Fprintf(&stat, ", %s", size(f.Bytes))
	}
	return stat.String()
}

// change writes the line of one change.
func (p *printer) change(e *review.Entry, c *plan.Change, note raw) {
	p.flow(2, 6, sprintf("%s %s%s%s%s", p.sign(e.Action, e.Moved), entryName(e), bracketed(because(c), e), raw(diffStat(c.Diff)), note))
	for _, m := range marks(c) {
		p.flow(6, 6, p.paint(yellow, m))
	}
}

// entryName is the path of a change, of a move both.
func entryName(e *review.Entry) raw {
	if e.Moved {
		return raw("moved " + escapeName(e.From.String()) + " -> " + escapeName(e.Path.String()))
	}
	return raw(escapeName(e.Path.String()))
}

// bracketed is why a change is made, in brackets. That a move is new where it goes
// needn't be said.
func bracketed(why raw, e *review.Entry) raw {
	if e.Moved && e.Reason == plan.ReasonNew {
		why = raw(strings.TrimPrefix(strings.TrimPrefix(string(why), string(plan.ReasonNew)), "; "))
	}
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

// diffStat is the line counts or the summary of a diff, "" for none.
func diffStat(d *plan.Diff) string {
	switch {
	case d == nil:
		return ""
	case d.Kind == plan.DiffText:
		return fmt.Sprintf(" +%s -%s", number(d.Added), number(d.Removed))
	default:
		return " " + Escape(d.Summary)
	}
}

// block writes what blocks a root as a whole.
func (p *printer) block(b plan.Block) {
	where := "the root"
	if b.Owner.Pipeline != "" {
		where = b.Owner.String()
	}
	p.printf("  %s %s (%s)\n", p.paint(red, "!"), where, b.Reason)
	detail := b.Detail
	if detail == "" {
		detail = reasonWords[b.Reason]
	}
	p.sentences(6, detail)
	if advice := blockAdvice[b.Reason]; advice != "" {
		p.printf("      %s %s\n", p.paint(cyan, "hint:"), advice)
	}
}

// blockAdvice says what to do about a root that is blocked as a whole, where
// the detail doesn't.
var blockAdvice = map[plan.Reason]string{
	plan.ReasonInvalid: invalidHint,
	plan.ReasonNewer:   newerHint,
}

// records counts the outputs whose bytes stay, by reason.
func (p *printer) records(s *review.Section) {
	p.printf("\n%s: %s with the same bytes as before (%s)\n",
		p.paint(bold, s.Kind.Title()), raw(plural(len(s.Entries), "output")), raw(strings.Join(countReasons(s), ", ")))
}

// folded says how to open what folders stand for.
func (t *sectionsText) folded() {
	if t.largest == nil {
		return
	}
	t.printf("\n%s\n  %s\n", raw(patternWords), showCommand(t.options, t.largest.Glob))
}

const patternWords = "A pattern stands for all outputs that match it. To see them one by one:"

// showCommand is how to see what a glob matches.
func showCommand(o PlanOptions, glob string) string {
	if o.File == "" {
		return "save the plan with --out FILE, then: distributor show FILE --path " + shellWord(glob)
	}
	return "distributor show " + shellWord(o.File) + " --path " + shellWord(glob)
}

// reviewCommand is how to see all of a plan in a browser.
func reviewCommand(o PlanOptions) string {
	if o.File == "" {
		return "save the plan with --out FILE, then: " + htmlCommand(o)
	}
	return htmlCommand(o)
}

// kept counts the outputs that stay though nothing plans them, but those of
// publications that are skipped or not configured, which are told by themselves.
// A plan of maintenance is about nothing else.
func (p *printer) kept(pl *plan.Plan, root int) {
	request := &pl.Request
	n := pl.Roots[root].Counts.Kept
	for _, u := range pl.Roots[root].Unconfigured {
		n -= u.Records
	}
	for i := range pl.Publications {
		if pub := &pl.Publications[i]; pub.Root == root && pub.Skipped != nil {
			n -= pub.Owned
		}
	}
	switch {
	case n <= 0 || request.Mode == plan.ModePrune || request.Mode == plan.ModeReconcile:
	case len(request.Pipelines)+len(request.Destinations) > 0:
		p.printf("\n%s: %s not selected, or no longer planned (additive)\n", p.paint(bold, "Kept"), raw(plural(n, "output")))
	default:
		p.printf("\n%s: %s no longer planned (additive); prune can delete such\n", p.paint(bold, "Kept"), raw(plural(n, "output")))
	}
}

// unconfigured counts the records of publications that nobody configures.
func (p *printer) unconfigured(r *plan.Root) {
	if len(r.Unconfigured) == 0 {
		return
	}
	p.printf("\n%s, of publications that the configuration doesn't have:\n", p.paint(bold, "Kept"))
	for _, u := range r.Unconfigured {
		p.printf("    %s: %s\n", u.Owner, raw(plural(u.Records, "record")))
	}
}
