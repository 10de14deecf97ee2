package cli

import (
	"github.com/hashicorp/hcl/v2"

	"distributor/hcl/config"
	"distributor/hcl/decode"
)

// decoded is a configuration and the files it was read from, for diagnostics.
type decoded struct {
	config *config.Config // nil where diags have errors
	files  map[string]*hcl.File
	diags  hcl.Diagnostics
}

// decode reads the configuration of the working directory. The error is one
// of usage; what is wrong with the configuration is in its diagnostics.
func (a *app) decode() (decoded, error) {
	vars, err := a.globals.assignments()
	if err != nil {
		return decoded{}, err
	}
	var d decoded
	d.config, d.files, d.diags = decode.Load(decode.Options{
		Dir:      ".",
		Vars:     vars,
		VarFiles: a.globals.varFiles,
		Environ:  a.env.Environ,
		Version:  a.env.Version,
	})
	return d, nil
}

// load is decode with the diagnostics shown; errors among them are the error.
func (a *app) load() (decoded, error) {
	d, err := a.decode()
	if err != nil {
		return d, err
	}
	a.view.Diagnostics(d.diags, d.files)
	if d.diags.HasErrors() {
		return d, told{ErrAsTold}
	}
	return d, nil
}
