package view

import (
	"sync"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// applyJSON is an apply as JSON lines, one event each, of which the first has
// the type "plan" and the last the type "result".
type applyJSON struct {
	v  *View
	mu sync.Mutex
}

type planEventJSON struct {
	Type          string         `json:"type"` // "plan"
	FormatVersion string         `json:"format_version"`
	ID            storage.Digest `json:"id"`
	Roots         []string       `json:"roots"`
	Skipped       []skippedJSON  `json:"skipped"`
}

type eventJSON struct {
	Type       applier.EventKind `json:"type"`
	Root       string            `json:"root"`
	Path       string            `json:"path,omitzero"`
	Action     plan.Action       `json:"action,omitzero"`
	Bytes      int64             `json:"bytes,omitzero"`
	Total      int               `json:"total,omitzero"`
	TotalBytes int64             `json:"total_bytes,omitzero"`
	Recovery   *recoveryJSON     `json:"recovery,omitzero"`
	Result     *rootResultJSON   `json:"result,omitzero"`
}

type recoveryJSON struct {
	Plan     string          `json:"plan"`
	Host     string          `json:"host"`
	Since    storage.Time    `json:"since,omitzero"`
	Finished bool            `json:"finished"` // else undone
	Done     int             `json:"done"`
	Pending  int             `json:"pending"`
	Strange  []stalePathJSON `json:"strange"`
	Why      []string        `json:"why,omitzero"` // it could not be finished
}

type rootResultJSON struct {
	Root     string          `json:"root"`
	Outcome  applier.Outcome `json:"outcome"`
	Changed  bool            `json:"changed"`
	Counts   countsJSON      `json:"counts"`
	Errors   []string        `json:"errors"`
	Stale    *staleJSON      `json:"stale,omitzero"`
	Left     []stalePathJSON `json:"left,omitzero"`
	Recovery *recoveryJSON   `json:"recovery,omitzero"`
}

type staleJSON struct {
	Planned baselineJSON      `json:"planned"`
	Now     baselineJSON      `json:"now"`
	Invalid string            `json:"invalid,omitzero"`
	MovedTo string            `json:"moved_to,omitzero"`
	Records []staleRecordJSON `json:"records"`
	Paths   []stalePathJSON   `json:"paths"`
}

type staleRecordJSON struct {
	Path        string       `json:"path"`
	Publication string       `json:"publication"`
	UpdatedAt   storage.Time `json:"updated_at"`
}

type stalePathJSON struct {
	Path  string    `json:"path"`
	Want  stateJSON `json:"want"`
	Found stateJSON `json:"found"`
}

type resultEventJSON struct {
	Type    string           `json:"type"` // "result"
	ID      storage.Digest   `json:"id"`
	Done    bool             `json:"done"` // every root is
	Partial bool             `json:"partial"`
	Roots   []rootResultJSON `json:"roots"`
	Primary []primaryJSON    `json:"primary"`
}

type primaryJSON struct {
	ownerJSON
	URL string `json:"url"`
}

func (j *applyJSON) Begin(p *plan.Plan, _ bool) {
	e := planEventJSON{Type: "plan", FormatVersion: FormatVersion, ID: p.ID, Skipped: newSkippedJSON(p)}
	for i := range p.Roots {
		e.Roots = append(e.Roots, p.Roots[i].Address.String())
	}
	j.v.stdout().jsonLine(e)
}

func (j *applyJSON) Event(e applier.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	line := eventJSON{
		Type:       e.Kind,
		Root:       e.Address.String(),
		Path:       e.Path.String(),
		Action:     e.Action,
		Bytes:      e.Bytes,
		Total:      e.Total,
		TotalBytes: e.TotalBytes,
		Recovery:   newRecoveryJSON(e.Recovery),
	}
	if e.Result != nil {
		r := newRootResultJSON(e.Result)
		line.Result = &r
	}
	j.v.stdout().jsonLine(line)
}

func (j *applyJSON) Result(p *plan.Plan, r *applier.Result) {
	e := resultEventJSON{Type: "result", ID: p.ID, Done: true, Partial: Partial(r)}
	for i := range r.Roots {
		e.Roots = append(e.Roots, newRootResultJSON(&r.Roots[i]))
		e.Done = e.Done && Done(r.Roots[i].Outcome)
	}
	for _, pub := range reachable(p, r) {
		e.Primary = append(e.Primary, primaryJSON{ownerJSON(pub.Owner), pub.Primary})
	}
	j.v.stdout().jsonLine(e)
	j.v.problems(r, p.Request.Mode)
}

func newRecoveryJSON(r *applier.Recovery) *recoveryJSON {
	if r == nil {
		return nil
	}
	by := r.Journal.Holder
	return &recoveryJSON{
		Plan:     by.Plan,
		Host:     by.Host,
		Since:    by.Since,
		Finished: r.Finished,
		Done:     r.Done,
		Pending:  r.Pending,
		Strange:  newStalePathsJSON(r.Strange),
		Why:      textsOf(r.Why, error.Error),
	}
}

func newRootResultJSON(r *applier.RootResult) rootResultJSON {
	return rootResultJSON{
		Root:     r.Address.String(),
		Outcome:  r.Outcome,
		Changed:  r.Changed,
		Counts:   countsJSON(r.Counts),
		Errors:   textsOf(r.Err, error.Error),
		Stale:    newStaleJSON(r.Stale),
		Left:     newStalePathsJSON(r.Left),
		Recovery: newRecoveryJSON(r.Recovery),
	}
}

func newStaleJSON(s *applier.Stale) *staleJSON {
	if s == nil {
		return nil
	}
	j := &staleJSON{Planned: baselineJSON(s.Planned), Now: baselineJSON(s.Now), Paths: newStalePathsJSON(s.Paths)}
	if s.Invalid != nil {
		j.Invalid = s.Invalid.Error()
	}
	if s.Moved != nil {
		j.MovedTo = s.Moved.Now.String()
	}
	for _, r := range s.Records {
		j.Records = append(j.Records, staleRecordJSON{r.Path.String(), r.Owner, r.UpdatedAt})
	}
	return j
}

func newStalePathsJSON(paths []applier.StalePath) []stalePathJSON {
	var j []stalePathJSON
	for _, s := range paths {
		j = append(j, stalePathJSON{s.Path.String(), newStateJSON(s.Want), newStateJSON(s.Found)})
	}
	return j
}
