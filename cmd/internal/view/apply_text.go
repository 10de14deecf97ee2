package view

import (
	"strings"
	"sync"

	"distributor/applier"
	"distributor/planner/plan"
)

// applyText is an apply for people: a progress bar, then what became of every
// root; what went wrong goes to stderr.
type applyText struct {
	v        *View
	mu       sync.Mutex
	progress *Progress
	staging  Sample
	writing  Sample
}

func (t *applyText) Begin(p *plan.Plan, shown bool) {
	out := t.v.stdout()
	if !shown {
		out.printf("Applying plan %s\n", p.ID)
		out.skipped(p)
	}
	out.flush()
	t.progress = t.v.NewProgress()
}

func (t *applyText) Event(e applier.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e.Kind {
	case applier.EventRoot:
		t.staging = Sample{Stage: "staging", Total: int64(e.Total), TotalBytes: e.TotalBytes, Unit: "files"}
	case applier.EventPromoting:
		t.writing = Sample{Stage: "writing", Total: int64(e.Total), Unit: "files"}
	case applier.EventStaged:
		t.staging.Done++
		t.staging.Bytes += e.Bytes
		t.progress.Set(t.staging)
	case applier.EventPromoted:
		t.writing.Done++
		t.progress.Set(t.writing)
	case applier.EventUndone:
		t.writing.Stage = "undoing"
		t.writing.Done = max(0, t.writing.Done-1)
		t.progress.Set(t.writing)
	case applier.EventRecovered:
		t.v.RecoveredFirst(e.Address, e.Recovery)
		t.progress = t.v.NewProgress()
	}
}

func (t *applyText) Result(p *plan.Plan, r *applier.Result) {
	t.progress.Stop()
	out := t.v.stdout()
	out.printf("\n%s %s\n", out.paint(bold, "Plan"), p.ID)
	for i := range r.Roots {
		out.rootResult(&r.Roots[i])
	}
	for _, pub := range reachable(p, r) {
		out.printf("%s is at %s\n", pub.Owner, pub.Primary)
	}
	t.v.problems(r, p.Request.Mode)
}

// rootResult writes one root's outcome and counts.
func (p *printer) rootResult(r *applier.RootResult) {
	s := red
	if Done(r.Outcome) {
		s = green
	}
	p.printf("%s %s: %s\n", p.paint(bold, "Root"), r.Address, p.paint(s, string(r.Outcome)))
	if r.Outcome == applier.Applied {
		parts := counted(r.Counts, past)
		if r.Counts.BytesWritten > 0 {
			parts = append(parts, size(r.Counts.BytesWritten)+" written")
		}
		p.sentences(5, strings.Join(parts, ", "))
	}
}

// reachable returns the publications with a primary output whose root is
// done.
func reachable(p *plan.Plan, r *applier.Result) []*plan.Publication {
	var pubs []*plan.Publication
	for i := range p.Publications {
		pub := &p.Publications[i]
		if pub.Primary != "" && pub.Root < len(r.Roots) && Done(r.Roots[pub.Root].Outcome) {
			pubs = append(pubs, pub)
		}
	}
	return pubs
}
