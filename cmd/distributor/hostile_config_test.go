package main

import (
	"strings"
	"testing"
)

// refusedConfig checks that a command refuses the configuration, with want and
// the place, and that nothing is made of it.
func refusedConfig(t *testing.T, want string, command ...string) {
	t.Helper()
	unchanged(t, "public", func() {
		a := asked(t, 1, []string{want}, command...)
		noControls(t, a)
		if a.out != "" || !strings.HasPrefix(a.err, "error: ") || !strings.Contains(a.err, "\n  distributor.hcl:") {
			t.Errorf("it is not said where it is wrong:\n%s%s", a.out, a.err)
		}
	})
}

// TestHostilePathExpressions has an expression for every way to a path that
// breaks the rules.
func TestHostilePathExpressions(t *testing.T) {
	publishedSite(t, `workflow "replacement" {}`)
	for _, c := range []struct{ expr, want string }{
		{`""`, "is empty"},
		{`file.dir`, "is empty"},
		{`"/etc/passwd"`, "starts with a slash"},
		{`"/${file.name}"`, "begins with a slash"},
		{`"//${file.name}"`, "begins with a slash"},
		{`"${file.dir}//${file.name}"`, "starts with a slash"},
		{`"${file.stem}/"`, "ends with a slash"},
		{`"${file.stem}//x"`, "has an empty segment"},
		{`"."`, `has a "." segment`},
		{`"./${file.name}"`, `has a "." segment`},
		{`"../${file.name}"`, `has a ".." segment`},
		{`"../../../../etc/${file.name}"`, `has a ".." segment`},
		{`"${file.stem}/../../${file.name}"`, `has a ".." segment`},
		{`"${file.stem}/.."`, `has a ".." segment`},
		{`join("/", ["..", file.name])`, `has a ".." segment`},
		{`replace(file.path, "a.txt", "..")`, `has a ".." segment`},
		{`"..\\${file.name}"`, "has a backslash"},
		{`"a\n${file.name}"`, "has the control character U+000A"},
		{`"a\t${file.name}"`, "has the control character U+0009"},
		{`"\u001b[2J${file.name}"`, "has the control character U+001B"},
		{`"\u009b${file.name}"`, "has the control character U+009B"},
		{`"\u007f${file.name}"`, "has the control character U+007F"},
		{`"\u202e${file.name}"`, "has the bidirectional-override character U+202E"},
		{`"\u2067${file.name}"`, "has the bidirectional-override character U+2067"},
		{`"\u0000${file.name}"`, ""},
		{`join("", [for i in range(256) : "a"])`, "has a segment of 256 bytes, more than 255"},
		{`"${join("/", [for i in range(600) : "a"])}/${file.name}"`, "bytes long, more than 1024"},
		{`".distributor.json"`, "reserved"},
		{`".distributor/${file.name}"`, "reserved"},
		{`"x/.DiStRiBuToR-${file.name}"`, "reserved"},
		{`file.stem == "a" ? ".distributor.json" : file.path`, "reserved"},
		{`"same"`, "same"},
		{`file.stem == "a" ? null : file.path`, "null"},
		{`7`, "text"},
		{`true`, "text"},
		{`file.size`, "text"},
		{`[file.path]`, "text"},
		{`file`, "text"},
		{`file.nothing`, "nothing"},
		{`nothing`, "nothing"},
		{`env("HOME")`, "env"},
		{`file("/etc/passwd")`, "file"},
		{`"${file.name}`, ""},
	} {
		t.Run(c.expr, func(t *testing.T) {
			write(t, "distributor.hcl", siteConfig(`workflow "replacement" {}`, "path = "+c.expr))
			refusedConfig(t, c.want, "plan")
		})
	}
	t.Run("apply", func(t *testing.T) { refusedConfig(t, "", "apply", "--auto-approve") })
	t.Run("a sound one", func(t *testing.T) {
		write(t, "distributor.hcl", siteConfig(`workflow "replacement" {}`, `path = "${file.dir}/sub/..${file.name}"`))
		asked(t, 0, []string{"2 to create, 2 to delete"}, "plan")
	})
}

// TestHostileConfigurations has configurations that are absurd, or mistaken in
// a way that must not pass.
func TestHostileConfigurations(t *testing.T) {
	publishedSite(t, `workflow "replacement" {}`)
	good := siteConfig(`workflow "replacement" {}`, "")
	deep := func(open, middle, shut string) string {
		return good + "locals {\n  a = " + strings.Repeat(open, 100000) + middle + strings.Repeat(shut, 100000) + "\n}\n"
	}
	swap := func(old, with string) string {
		t.Helper()
		if !strings.Contains(good, old) {
			t.Fatalf("the configuration has no %q", old)
		}
		return strings.Replace(good, old, with, 1)
	}
	for _, c := range []struct{ name, config, want string }{
		{"brackets nested 100,000 deep", deep("[", "", "]"), "deep"},
		{"blocks nested 100,000 deep", strings.Repeat("a {\n", 100000) + strings.Repeat("}\n", 100000), "deep"},
		{"1e1000000000", good + "locals {\n  a = 1e1000000000\n}\n", "1e1000000000"},
		{"max_delete of 1e1000000000", swap(`workflow "replacement" {}`, `workflow "replacement" { max_delete = 1e1000000000 }`), "1e1000000000"},
		{"20 MB", good + "#" + strings.Repeat("x", 20<<20), "large"},
		{"duplicate pipeline", good + good, "weather"},
		{"duplicate backend", swap(`backend "local" { path = "public" }`, "backend \"local\" { path = \"public\" }\n  backend \"local\" { path = \"other\" }"), "backend"},
		{"duplicate workflow", swap(`workflow "replacement" {}`, "workflow \"replacement\" {}\n  workflow \"additive\" {}"), "workflow"},
		{"duplicate argument", swap(`include = ["**"]`, "include = [\"**\"]\n    include = [\"*\"]"), "include"},
		{"misspelt argument", swap("include", "inclde"), `Did you mean "include"?`},
		{"misspelt block", swap("workflow", "workflw"), `Did you mean "workflow"?`},
		{"misspelt workflow", swap(`"replacement"`, `"replacment"`), `Did you mean "replacement"?`},
		{"argument in upper case", swap("include", "INCLUDE"), "INCLUDE"},
		{"argument with a long s", swap("to      =", "tranſform = 1\n    to      ="), "tranſform"},
		{"empty label of a pipeline", swap(`pipeline "weather"`, `pipeline ""`), "empty"},
		{"empty label of a destination", swap(`destination "www"`, `destination ""`), "empty"},
		{"no label", swap(`pipeline "weather"`, `pipeline`), "label"},
		{"two labels", swap(`pipeline "weather"`, `pipeline "weather" "today"`), "label"},
		{"label that leaves", swap(`pipeline "weather"`, `pipeline "../weather"`), "../weather"},
		{"label with an escape", swap(`pipeline "weather"`, `pipeline "\u001b[31mweather"`), `\x1b`},
		{"label too long", swap(`pipeline "weather"`, `pipeline "`+strings.Repeat("a", 129)+`"`), "128"},
		{"raw escape in a comment of a wrong line", swap(`to      = destination.www`, "to = 1 # \x1b[2J\u202e"), `\x1b[2J\u202e`},
		{"raw escape in an identifier", good + "lo\x1bcals {}\n", "distributor.hcl"},
		{"invalid UTF-8", good + "locals {\n  a = \"\xff\"\n}\n", "UTF-8"},
		{"NUL", good + "\x00", "distributor.hcl"},
		{"state", swap(`workflow "replacement" {}`, `state "catalog" {}`), "workflow"},
		{"reconciliation", swap(`workflow "replacement" {}`, `reconciliation = "replace"`), "workflow"},
		{"takeover", swap(`workflow "replacement" {}`, `takeover = "force"`), "workflow"},
		{"transfer", swap(`workflow "replacement" {}`, `transfer {}`), "workflow"},
		{"number as a path", swap(`path = "public"`, `path = 1.10`), "quote"},
		{"no such destination", swap("destination.www", "destination.ww"), "ww"},
		{"max_delete negative", swap(`workflow "replacement" {}`, `workflow "replacement" { max_delete = -1 }`), "max_delete"},
		{"max_delete fractional", swap(`workflow "replacement" {}`, `workflow "replacement" { max_delete = 1.5 }`), "max_delete"},
		{"max_delete of 101%", swap(`workflow "replacement" {}`, `workflow "replacement" { max_delete = "101%" }`), "max_delete"},
		{"base_url of a script", swap(`workflow "replacement" {}`, `links { base_url = "javascript:alert(1)" }`), "base_url"},
		{"base_url with a password", swap(`workflow "replacement" {}`, `links { base_url = "https://me:secret@example.com" }`), "base_url"},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, "distributor.hcl", c.config)
			refusedConfig(t, c.want, "plan")
			refusedConfig(t, c.want, "validate")
			noControls(t, asked(t, 1, nil, "validate", "--json"))
		})
	}
	t.Run("a sound one", func(t *testing.T) {
		write(t, "distributor.hcl", good)
		asked(t, 0, []string{"1 to update"}, "plan")
	})
}
