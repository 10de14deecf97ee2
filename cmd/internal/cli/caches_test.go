package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// TestNameBuild: builds of one commit have one name, and others one for each
// content of the program's file, whatever its size and time.
func TestNameBuild(t *testing.T) {
	info := func(revision, modified, sum string) *debug.BuildInfo {
		return &debug.BuildInfo{
			GoVersion: "go1.26", Deps: []*debug.Module{{Path: "example.com/m", Version: "v1.0.0", Sum: sum}},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}},
		}
	}
	dir := t.TempDir()
	file := func(content string) func() (string, error) {
		path := filepath.Join(dir, content)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return func() (string, error) { return path, nil }
	}
	one, two := file("one"), file("two")
	for _, c := range []struct {
		name  string
		info  *debug.BuildInfo
		exact bool // the file makes no difference
	}{
		{"a commit", info("c0ffee", "false", "h1:"), true},
		{"a commit with changes", info("c0ffee", "true", "h1:"), false},
		{"no commit", info("", "", "h1:"), false},
		{"a module of a folder", info("c0ffee", "false", ""), false},
		{"nothing known", nil, false},
	} {
		first, err1 := nameBuild(c.info, c.info != nil, one)
		second, err2 := nameBuild(c.info, c.info != nil, two)
		if err := errors.Join(err1, err2); err != nil || (first == second) != c.exact {
			t.Errorf("%s: %q and %q, error %v", c.name, first, second, err)
		}
	}
	for name, executable := range map[string]func() (string, error){
		"no file is named": func() (string, error) { return "", os.ErrNotExist },
		"no such file":     func() (string, error) { return filepath.Join(dir, "none"), nil },
	} {
		if build, err := nameBuild(nil, false, executable); err == nil {
			t.Errorf("%s: %q", name, build)
		}
	}
	a, _ := nameBuild(info("c0ffee", "false", "h1:"), true, one)
	b, _ := nameBuild(info("c0ffee", "false", "h1:other"), true, one)
	if a == b {
		t.Error("another module makes no difference")
	}
}
