package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"distributor/hcl/decode"
	"distributor/planner/outfile"
	"distributor/planner/textdiff"
)

type fmtRequest struct{ check, diff bool }

func (a *app) fmtCommand() *cobra.Command {
	var r fmtRequest
	cmd := &cobra.Command{
		Use:   "fmt",
		Short: "Write the configuration files in the usual layout",
		Args:  args(0, 0),
		RunE:  func(*cobra.Command, []string) error { return a.fmt(r) },
	}
	cmd.Flags().BoolVar(&r.check, "check", false, "change nothing; exit 1 if a file isn't in the usual layout")
	cmd.Flags().BoolVar(&r.diff, "diff", false, "show what changes")
	return cmd
}

// fmt formats every configuration file of the working directory; files in
// JSON syntax have no layout of their own.
func (a *app) fmt(r fmtRequest) error {
	names, err := decode.Files(".")
	if err != nil {
		return fmt.Errorf("the configuration's folder can't be read: %w", err)
	}
	if len(names) == 0 {
		_, err := a.load() // says so
		return err
	}
	changed := false
	var errs []error
	for _, name := range names {
		if strings.HasSuffix(name, ".json") {
			continue
		}
		differs, err := a.formatFile(name, r)
		changed = changed || differs
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if changed && r.check {
		return told{ErrAsTold}
	}
	return nil
}

// formatFile formats one file and says whether it differs from its layout.
func (a *app) formatFile(name string, r fmtRequest) (bool, error) {
	old, err := decode.ReadFile(name)
	if err != nil {
		return false, fmt.Errorf("%s: can't be formatted: %w", name, err)
	}
	formatted, diags := decode.Format(name, old)
	if diags.HasErrors() {
		a.view.Diagnostics(diags, map[string]*hcl.File{name: {Bytes: old}})
		return false, told{ErrAsTold}
	}
	if bytes.Equal(old, formatted) {
		return false, nil
	}
	if !r.check {
		if err := replaceFile(name, formatted); err != nil {
			return true, err
		}
	}
	if r.diff {
		a.view.Formatted(name, textdiff.Compute(old, formatted))
	} else {
		a.view.Formatted(name, nil)
	}
	return true, nil
}

// replaceFile replaces a file whole, keeping its mode; where name is a link,
// the file that it leads to.
func replaceFile(name string, b []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := outfile.Create(name)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(b); err != nil {
		return err
	}
	if err := f.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	return f.Place()
}
