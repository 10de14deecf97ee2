package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"distributor/catalog/storage"
	"distributor/planner/bundle"
)

func (a *app) bundleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bundle COMMAND",
		Short: "Write or check the manifest of a bundle",
	}
	a.group(cmd, "command")
	cmd.AddCommand(a.bundleCreateCommand(), a.bundleVerifyCommand())
	return cmd
}

type bundleRequest struct{ dir, id, created string }

func (a *app) bundleCreateCommand() *cobra.Command {
	var r bundleRequest
	cmd := &cobra.Command{
		Use:   "create DIR --id ID",
		Short: "Write DIR/manifest.json over all files in DIR",
		Long: `Write DIR/manifest.json over all files in DIR. If nothing changed since the
manifest that is there, it stays as it is, unless --created says otherwise.`,
		Args: args(1, 1),
		RunE: func(c *cobra.Command, words []string) error {
			r.dir = words[0]
			return a.bundleCreate(c.Context(), r)
		},
	}
	cmd.Flags().StringVar(&r.id, "id", "", "the bundle's `ID` (required)")
	cmd.Flags().StringVar(&r.created, "created", "", "`TIME` of creation, like 2026-06-19T12:00:00Z (default now)")
	return cmd
}

func (a *app) bundleCreate(ctx context.Context, r bundleRequest) error {
	if r.id == "" {
		return usageError("bundle create: the bundle's id is missing", "give it with --id ID")
	}
	var created *storage.Time
	if r.created != "" {
		t, err := storage.ParseTime(r.created)
		if err != nil {
			return usageError(fmt.Sprintf("--created %s: %v", r.created, err), "")
		}
		created = &t
	}
	m, written, err := bundle.Create(ctx, r.dir, r.id, created, a.now())
	if err != nil {
		return err
	}
	a.view.BundleCreated(filepath.Join(r.dir, bundle.ManifestName), m, written)
	return nil
}

func (a *app) bundleVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify DIR",
		Short: "Check a bundle: its manifest, and every byte of its files",
		Args:  args(1, 1),
		RunE: func(c *cobra.Command, words []string) error {
			b, err := bundle.Read(c.Context(), words[0], nil)
			if err != nil {
				return err
			}
			a.view.BundleVerified(b)
			return nil
		},
	}
}
