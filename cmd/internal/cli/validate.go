package cli

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
	"distributor/cmd/internal/wire"
	"distributor/hcl/config"
)

func (a *app) validateCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration and its templates",
		Args:  args(0, 0),
		RunE:  func(*cobra.Command, []string) error { return a.validate(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) validate(asJSON bool) error {
	d, err := a.decode()
	if err != nil {
		return err
	}
	if d.config != nil {
		d.diags = append(d.diags, checkTransforms(d.config)...)
	}
	a.view.NewValidation(asJSON).Validation(view.Validation{Diagnostics: d.diags, Files: d.files})
	if d.diags.HasErrors() {
		return told{ErrAsTold}
	}
	return nil
}

// checkTransforms makes every transform of the configuration once.
func checkTransforms(c *config.Config) hcl.Diagnostics {
	transforms := &wire.Transforms{Dir: c.Dir}
	var diags hcl.Diagnostics
	for _, p := range c.Pipelines {
		for _, r := range p.Rules {
			for i := range r.Transforms {
				t := &r.Transforms[i]
				if _, _, err := transforms.Transform(t); err != nil {
					diags = append(diags, transformDiagnostic(t, err))
				}
			}
		}
	}
	return diags
}

func transformDiagnostic(t *config.Transform, err error) *hcl.Diagnostic {
	at := t.Range
	if template, ok := t.Ranges["template"]; ok {
		at = template
	}
	detail := withPeriod(err.Error()) // it begins with a name
	if e, ok := errors.AsType[*wire.TemplateError](err); ok {
		detail = sentence(e.Error()) + " " + sentence(e.Advice())
	}
	return &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  "Unusable transform",
		Detail:   detail,
		Subject:  &at,
	}
}

// sentence makes a sentence of a text that doesn't begin with a name.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return withPeriod(string(unicode.ToUpper(first)) + text[size:])
}

func withPeriod(text string) string {
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
