package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/cmd/internal/view"
	"distributor/cmd/internal/wire"
	"distributor/planner"
	"distributor/planner/planfile"
)

type applyRequest struct {
	command     string // that was given: "apply", or one that plans and applies
	planWith    string // how a plan of this kind is saved, for people
	file        string // "" to plan first
	autoApprove bool
	lockTimeout time.Duration
	asJSON      bool
	sources     []string        // PIPELINE=PATH
	expect      *storage.Digest // the id of the only plan that may be applied; nil for any
}

func (a *app) applyCommand() *cobra.Command {
	r := applyRequest{command: "apply", planWith: "distributor plan --out FILE"}
	cmd := &cobra.Command{
		Use:   "apply [FILE]",
		Short: "Carry out a saved plan; without FILE: plan, ask, apply",
		Long: `Carry out a saved plan, exactly as it was reviewed; it needs neither the
configuration nor the templates. Copied files come from the plan, or from the
bundle that it names. A plan whose destination has moved on since is refused
(exit 3). Without FILE: plan, print, ask, apply.

With --expect-id, only the plan that has this id is applied: equal ids are equal
decisions. Another one is refused (exit 1), and a saved one before any
destination is looked at.`,
		Args: args(0, 1),
		RunE: func(c *cobra.Command, words []string) error {
			if len(words) > 0 {
				r.file = words[0]
			}
			return a.apply(c.Context(), r)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&r.autoApprove, "auto-approve", false, "without FILE: don't ask")
	lockTimeoutFlag(f, &r)
	expectFlag(f, &r)
	f.BoolVar(&r.asJSON, "json", false, "print events as JSON lines")
	f.StringArrayVar(&r.sources, "source", nil, "the bundle of PIPELINE is at PATH now: `PIPELINE=PATH` (repeatable)")
	return cmd
}

func lockTimeoutFlag(f *pflag.FlagSet, r *applyRequest) {
	f.Var((*waitValue)(&r.lockTimeout), "lock-timeout", "wait up to `TIME` (like 30s) for another apply to finish")
}

// waitValue is a length of time as an option, which can't be negative.
type waitValue time.Duration

// Set implements pflag.Value.
func (v *waitValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = errors.New("is negative")
	}
	*v = waitValue(d)
	return err
}

// String returns "" for no wait, so that no default is told.
func (v *waitValue) String() string {
	if *v == 0 {
		return ""
	}
	return time.Duration(*v).String()
}

// Type implements pflag.Value.
func (*waitValue) Type() string { return "duration" }

func (a *app) apply(ctx context.Context, r applyRequest) error {
	switch {
	case r.file != "":
		return a.applyFile(ctx, r)
	case len(r.sources) > 0:
		return usageError("apply: --source goes with a saved plan", "distributor apply FILE --source PIPELINE=PATH")
	default:
		return a.planAndApply(ctx, planRequest{decide: planner.Publish}, r)
	}
}

// applyFile carries out a saved plan.
func (a *app) applyFile(ctx context.Context, r applyRequest) (err error) {
	if len(a.globals.vars) > 0 || len(a.globals.varFiles) > 0 {
		return usageError("apply: variables have no effect on a saved plan", "give them to plan")
	}
	folders, err := sourceFolders(r.sources)
	if err != nil {
		return err
	}
	f, err := planfile.Open(ctx, r.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := r.checkExpected(f.Plan()); err != nil {
		return err
	}
	content, err := wire.NewContent(f.Plan(), f, folders)
	if err != nil {
		return err
	}
	return a.carryOut(ctx, f, r, content, false)
}

// planAndApply recovers what was interrupted, plans, shows the plan, asks, and
// carries it out.
func (a *app) planAndApply(ctx context.Context, what planRequest, r applyRequest) (err error) {
	if err := a.mayAsk(r); err != nil {
		return err
	}
	d, err := a.load()
	if err != nil {
		return err
	}
	if err := a.recoverFirst(ctx, d.config, r.lockTimeout); err != nil {
		return err
	}
	p, err := a.makePlan(ctx, d, what)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if err := r.checkExpected(p.Plan()); err != nil {
		return err
	}
	if !r.asJSON {
		if err := a.view.NewPlan(view.PlanText).Plan(p, view.PlanOptions{}); err != nil {
			return err
		}
	}
	if !applicable(p.Plan()) && !r.asJSON {
		if blocked(p.Plan()) {
			return blockedError(p)
		}
		return nil
	}
	if !r.autoApprove {
		if err := a.confirm(ctx); err != nil {
			return err
		}
	}
	content, err := wire.NewContent(p.Plan(), p, nil)
	if err != nil {
		return err
	}
	return a.carryOut(ctx, p.File, r, content, true)
}

// mayAsk sees to it that whoever must be asked can be.
func (a *app) mayAsk(r applyRequest) error {
	switch {
	case r.autoApprove:
		return nil
	case r.asJSON:
		return usageError(r.command+": --json leaves nobody to ask", "apply a saved plan, or give --auto-approve")
	case !term.IsTerminal(int(a.env.Stdin.Fd())):
		return usageError(r.command+": there is nobody to ask: standard input is not a terminal",
			fmt.Sprintf("apply a saved plan (%s, then distributor apply FILE), or give --auto-approve", r.planWith))
	}
	return nil
}

// carryOut applies an open plan, which was shown just now or not, and shows
// how it goes.
func (a *app) carryOut(ctx context.Context, f *planfile.File, r applyRequest, content *wire.Content, shown bool) error {
	p := f.Plan()
	v := a.view.NewApply(r.asJSON)
	v.Begin(p, shown)
	result, err := applier.Apply(ctx, applier.Request{
		Plan:     p,
		Changes:  f.Changes,
		Content:  content,
		Open:     wire.OpenPlanned,
		Version:  a.env.Version,
		Now:      a.now,
		Holder:   holder(),
		LockWait: r.lockTimeout,
		Observer: v.Event,
	})
	if err != nil {
		return err
	}
	v.Result(p, result)
	return resultError(result)
}

// holder says who this process is, to those who find a root locked.
func holder() storage.Holder {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return storage.Holder{Host: host, PID: os.Getpid()}
}

// sourceFolders parses the --source options.
func sourceFolders(sources []string) (map[string]string, error) {
	folders := map[string]string{}
	for _, s := range sources {
		pipeline, dir, ok := strings.Cut(s, "=")
		if !ok || pipeline == "" || dir == "" {
			return nil, usageError(fmt.Sprintf("--source %s: is not PIPELINE=PATH", s), "")
		}
		folders[pipeline] = dir
	}
	return folders, nil
}

// resultError returns how an apply ended, all of its causes; nil where every
// root is done. The view told them.
func resultError(result *applier.Result) error {
	var causes []error
	for i := range result.Roots {
		causes = append(causes, rootError(&result.Roots[i]))
	}
	if view.Partial(result) {
		causes = append(causes, ErrPartial)
	}
	if err := errors.Join(causes...); err != nil {
		return told{err}
	}
	return nil
}

// rootError returns why a root isn't done. One that was not started isn't
// because of another.
func rootError(r *applier.RootResult) error {
	switch r.Outcome {
	case applier.Interrupted:
		return context.Canceled
	case applier.StaleRoot:
		return ErrStale
	case applier.BlockedRoot:
		return ErrBlocked
	case applier.LockedRoot, applier.Failed, applier.Unfinished:
		return cmp.Or(r.Err, ErrAsTold)
	default:
		return nil
	}
}
