package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/cmd/internal/view"
	"distributor/cmd/internal/wire"
	"distributor/hcl/config"
	"distributor/planner"
)

type catalogRequest struct {
	destination string // "" where the configuration has one root
	asJSON      bool
}

func (a *app) catalogCommand() *cobra.Command {
	var r catalogRequest
	cmd := &cobra.Command{
		Use:   "catalog COMMAND",
		Short: "Read the catalog of a root: which outputs are managed there",
	}
	a.group(cmd, "command")
	f := cmd.PersistentFlags()
	f.StringVar(&r.destination, "destination", "", "the root of the destination `D`, where there are several roots")
	f.BoolVar(&r.asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(
		&cobra.Command{
			Use:   "list",
			Short: "List the outputs of a root by owner",
			Args:  args(0, 0),
			RunE:  func(c *cobra.Command, _ []string) error { return a.catalogList(c.Context(), r) },
		},
		&cobra.Command{
			Use:   "show PATH",
			Short: "Show all that is recorded of one output",
			Args:  args(1, 1),
			RunE:  func(c *cobra.Command, words []string) error { return a.catalogShow(c.Context(), r, words[0]) },
		},
	)
	return cmd
}

func (a *app) catalogList(ctx context.Context, r catalogRequest) error {
	root, err := a.readCatalog(ctx, r)
	if err != nil {
		return err
	}
	root.Records = root.Loaded.Catalog.Records
	a.view.NewCatalog(r.asJSON).List(root)
	return nil
}

func (a *app) catalogShow(ctx context.Context, r catalogRequest, path string) error {
	root, err := a.readCatalog(ctx, r)
	if err != nil {
		return err
	}
	for _, rec := range root.Loaded.Catalog.Records {
		if rec.Path.String() == path {
			root.Records = append(root.Records, rec)
			a.view.NewCatalog(r.asJSON).Record(root)
			return nil
		}
	}
	return &view.Problem{
		What: fmt.Sprintf("%s: is not in the catalog of %s", path, root.Address),
		Hint: "distributor catalog list shows what is",
	}
}

// readCatalog reads the catalog of the root that r means.
func (a *app) readCatalog(ctx context.Context, r catalogRequest) (root view.RootCatalog, err error) {
	d, err := a.load()
	if err != nil {
		return root, err
	}
	opened := &wire.Roots{}
	defer func() { err = errors.Join(err, opened.Close()) }()
	s, err := chooseRoot(ctx, opened, d.config, r.destination)
	if err != nil {
		return root, err
	}
	loaded, err := loadCatalog(ctx, s)
	return view.RootCatalog{Address: s.Address(), Loaded: loaded}, err
}

// chooseRoot opens the root of a destination, or the only one there is.
func chooseRoot(ctx context.Context, opened *wire.Roots, c *config.Config, id string) (storage.Reader, error) {
	if id != "" {
		d := c.Destination(id)
		if d == nil {
			return nil, &planner.SelectionError{Option: "--destination", Value: id, Known: destinationIDs(c)}
		}
		s, err := opened.Destination(ctx, d)
		if err != nil {
			return nil, destinationError(d, err)
		}
		return s, nil
	}
	roots, err := distinctRoots(ctx, opened, c.Destinations)
	if err != nil {
		return nil, err
	}
	if len(roots) != 1 {
		return nil, usageError(fmt.Sprintf("catalog: the configuration has %d roots, and one is shown", len(roots)),
			"choose one with --destination: "+strings.Join(destinationIDs(c), ", "))
	}
	return roots[0].storage, nil
}

// loadCatalog loads the catalog of a root that nobody is applying to, and
// that no apply was interrupted at.
func loadCatalog(ctx context.Context, r storage.Reader) (*catalog.Loaded, error) {
	if err := idle(ctx, r); err != nil {
		return nil, err
	}
	loaded, err := catalog.Load(ctx, r)
	if err != nil {
		return nil, err
	}
	return loaded, idle(ctx, r)
}

func idle(ctx context.Context, r storage.Reader) error {
	h, err := r.AtWork(ctx)
	if err != nil {
		return err
	}
	if h != nil {
		return &planner.BusyError{Address: r.Address(), Holder: h}
	}
	return nil
}
