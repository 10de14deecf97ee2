package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"distributor/cmd/internal/view"
	"distributor/cmd/internal/wire"
	"distributor/hcl/config"
	"distributor/planner"
	"distributor/planner/plan"
	"distributor/planner/planfile"
	"distributor/planner/transform"
)

// planRequest is what to plan and where to keep the plan.
type planRequest struct {
	decide       decideFunc
	out          string // "" for a temporary file
	embed, deep  bool
	unchanged    bool // whether the plan is to have what stays, too
	pipelines    []string
	destinations []string
	adopt        []string
	overwrite    []string
}

// decideFunc makes a plan: planner.Publish, or a plan of maintenance.
type decideFunc func(context.Context, planner.Request, planner.Sink) (*plan.Plan, hcl.Diagnostics, error)

// savedPlan is a plan file that was just written, opened again: what is shown
// and applied is what was saved.
type savedPlan struct {
	*planfile.File
	temporary string // folder still to be removed; "" for none
}

// Close closes the file and removes what is left of it where it was temporary.
func (s *savedPlan) Close() error {
	err := s.File.Close()
	if s.temporary != "" {
		err = errors.Join(err, os.RemoveAll(s.temporary))
	}
	return err
}

// makePlan plans, saves and reads back.
func (a *app) makePlan(ctx context.Context, d decoded, r planRequest) (_ *savedPlan, err error) {
	path, temporary := r.out, ""
	if path == "" {
		if temporary, err = os.MkdirTemp("", "distributor-plan-"); err != nil {
			return nil, err
		}
		path = filepath.Join(temporary, "unsaved.plan")
	}
	file, err := a.writePlan(ctx, d, r, path)
	if err != nil {
		if temporary != "" {
			err = errors.Join(err, os.RemoveAll(temporary))
		}
		return nil, err
	}
	// Most systems let an open file lose its name, so that nothing of it is
	// left however the program ends; others can't remove it before it is closed.
	if temporary != "" && os.RemoveAll(temporary) == nil {
		temporary = ""
	}
	return &savedPlan{file, temporary}, nil
}

// writePlan makes the plan file at path and opens it.
func (a *app) writePlan(ctx context.Context, d decoded, r planRequest, path string) (*planfile.File, error) {
	w, err := planfile.Create(path)
	if err != nil {
		return nil, err
	}
	defer w.Discard()
	p, err := a.decide(ctx, d, r, w)
	if err != nil {
		return nil, err
	}
	if err := refuseTaken(path, r.out == "", p); err != nil {
		return nil, err
	}
	if err := w.Close(p); err != nil {
		return nil, err
	}
	return planfile.Open(ctx, path)
}

// refuseTaken refuses to keep a plan, for a time or for good, in a root that it
// is about, where planning writes nothing, least of all over its catalog, or in
// a bundle, which would have it as one of its files.
func refuseTaken(path string, temporary bool, p *plan.Plan) error {
	place, err := takenBy(path, p)
	switch {
	case err != nil || place == "":
		return err
	case temporary:
		return usageError(fmt.Sprintf("%s: the folder for temporary files lies in %s, and planning writes nothing there", filepath.Dir(filepath.Dir(path)), place), "choose another one with the environment variable TMPDIR")
	default:
		return usageError(fmt.Sprintf("--out %s: lies in %s, and planning writes nothing there", path, place), "save the plan somewhere else")
	}
}

// takenBy names the root or the bundle of a plan that a file lies in, or would
// lie in; "" for none.
func takenBy(path string, p *plan.Plan) (string, error) {
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return "", err
	}
	for i := range p.Roots {
		if contains(p.Roots[i].Address.Location, folder) {
			return "the root " + p.Roots[i].Address.String(), nil
		}
	}
	for i := range p.Sources {
		// On the machine where a plan is read there need be no bundle.
		if at, err := filepath.EvalSymlinks(p.Sources[i].Location); err == nil && contains(at, folder) {
			return "the bundle " + p.Sources[i].Location, nil
		}
	}
	return "", nil
}

// contains says whether a folder is another one, or lies in it.
func contains(outer, folder string) bool {
	rel, err := filepath.Rel(outer, folder)
	return err == nil && filepath.IsLocal(rel)
}

// decide has the plan made into w.
func (a *app) decide(ctx context.Context, d decoded, r planRequest, w *planfile.Writer) (p *plan.Plan, err error) {
	spool, err := planfile.NewSpool()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, spool.Close()) }()
	err = a.look(d, r, func(request planner.Request) error {
		request.Spool = spool
		var unusable hcl.Diagnostics
		request.Transform = diagnosed(request.Transform, &unusable)
		var diags hcl.Diagnostics
		var err error
		p, diags, err = r.decide(ctx, request, w)
		a.view.Diagnostics(append(diags, unusable...), d.files)
		if diags.HasErrors() {
			err = errors.Join(err, told{ErrAsTold})
		}
		return err
	})
	return p, err
}

// transformFunc makes the transform of a block, and says which files decide what
// it makes.
type transformFunc = func(*config.Transform) (transform.Step, []plan.Input, error)

// diagnosed is a transformFunc that adds what is wrong to diags, as validate
// tells it, and marks its errors as told.
func diagnosed(f transformFunc, diags *hcl.Diagnostics) transformFunc {
	return func(t *config.Transform) (transform.Step, []plan.Input, error) {
		made, inputs, err := f(t)
		if err != nil {
			*diags = append(*diags, transformDiagnostic(t, err))
			err = told{err}
		}
		return made, inputs, err
	}
}

// look calls do with all that the planner needs to look at the roots, shows
// its progress, and keeps what it found for the next run.
func (a *app) look(d decoded, r planRequest, do func(planner.Request) error) (err error) {
	roots := &wire.Roots{}
	defer func() { err = errors.Join(err, roots.Close()) }()
	transforms := &wire.Transforms{Dir: d.config.Dir}
	digests, renderings := a.digestCache(), a.renderCache()
	progress := a.view.NewProgress()
	defer progress.Stop()
	err = do(planner.Request{
		Config:       d.config,
		Version:      a.env.Version,
		Now:          a.now,
		Pipelines:    r.pipelines,
		Destinations: r.destinations,
		Adopt:        r.adopt,
		Overwrite:    r.overwrite,
		Embed:        r.embed,
		Deep:         r.deep,
		Unchanged:    r.unchanged,
		Open:         roots.Reader,
		Transform:    transforms.Transform,
		Vouch:        digests,
		Renderings:   renderings,
		Progress: func(s planner.Progress) {
			progress.Set(view.Sample{Stage: s.Stage, Done: s.Done, Total: s.Total, Unit: s.Unit})
		},
	})
	if err == nil {
		digests.Save()
		renderings.Save()
	}
	return err
}

// blocked says whether any root of a plan can't be applied.
func blocked(p *plan.Plan) bool {
	for i := range p.Roots {
		if p.Roots[i].Blocked() {
			return true
		}
	}
	return false
}

// applicable says whether apply would change any root.
func applicable(p *plan.Plan) bool {
	for i := range p.Roots {
		if r := &p.Roots[i]; r.Changed() && !r.Blocked() {
			return true
		}
	}
	return false
}

// differs says whether there are changes, or drift, at any root.
func differs(p *plan.Plan) bool {
	for i := range p.Roots {
		if r := &p.Roots[i]; r.Changed() || r.Drift != (plan.DriftCounts{}) {
			return true
		}
	}
	return false
}
