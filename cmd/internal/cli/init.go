package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
	"distributor/planner/bundle"
)

//go:embed starter
var starter embed.FS

const (
	starterRoot   = "starter"
	starterBundle = "bundle" // folder of the example bundle
	starterID     = "example"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a configuration and an example bundle to start from",
		Long: `Write a commented configuration and an example bundle to DIR (default: the
working directory), which plan and apply as they are. Files that exist are
never overwritten.`,
		Args: args(0, 1),
		RunE: func(c *cobra.Command, words []string) error {
			dir := "."
			if len(words) > 0 {
				dir = words[0]
			}
			return a.init(c.Context(), dir)
		},
	}
}

func (a *app) init(ctx context.Context, dir string) error {
	names, err := starterFiles()
	if err != nil {
		return err
	}
	manifest := filepath.Join(starterBundle, bundle.ManifestName)
	if err := nothingThere(dir, append(names, manifest)); err != nil {
		return err
	}
	for _, name := range names {
		if err := writeStarter(dir, name); err != nil {
			return err
		}
	}
	if _, _, err := bundle.Create(ctx, filepath.Join(dir, starterBundle), starterID, nil, a.now()); err != nil {
		return err
	}
	var written []string
	for _, name := range append(names, manifest) {
		written = append(written, filepath.Join(dir, name))
	}
	a.view.Initialised(dir, written)
	return nil
}

// starterFiles returns the names of the files that init writes, in order.
func starterFiles() ([]string, error) {
	var names []string
	err := fs.WalkDir(starter, starterRoot, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, filepath.FromSlash(strings.TrimPrefix(path, starterRoot+"/")))
		}
		return err
	})
	return names, err
}

// nothingThere is an error that names every file that exists already.
func nothingThere(dir string, names []string) error {
	var there []string
	for _, name := range names {
		_, err := os.Lstat(filepath.Join(dir, name))
		switch {
		case err == nil:
			there = append(there, filepath.Join(dir, name))
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	if len(there) == 0 {
		return nil
	}
	return &view.Problem{
		What:   fmt.Sprintf("init: %s would be overwritten", strings.Join(there, ", ")),
		Detail: []string{"Nothing was written."},
		Hint:   "name a new folder: distributor init DIR",
	}
}

func writeStarter(dir, name string) error {
	text, err := starter.ReadFile(starterRoot + "/" + filepath.ToSlash(name))
	if err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
