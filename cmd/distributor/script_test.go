package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"distributor/catalog/storage"
)

var update = flag.Bool("update", false, "write what the scripts' commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"distributor": checkedMain})
}

// TestScripts runs fixtures/scripts: each shows something of the program from
// a user's view.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "fixtures", "scripts"),
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GORACE", quickEnd)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			return nil
		},
		Condition: condition,
		Cmds:      scriptCommands,
	})
}

// quickEnd, as GORACE, keeps the race detector from waiting a second at the end
// of each of the many programs that are run.
const quickEnd = "atexit_sleep_ms=0"

// scriptCommands are the commands that scripts have beside testscript's own.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":       cmdExits,
	"interrupted": cmdInterrupted,
	"normal":      cmdNormal,
	"tree":        cmdTree,
	"consistent":  cmdConsistent,
	"id":          cmdID,
	"replace":     cmdReplace,
	"hold":        cmdHold,
	"crash":       cmdCrash,
	"sparse":      cmdSparse,
	"unread":      cmdUnread,
	"untouched":   cmdUntouched,
}

// scriptConditions are the conditions that scripts have beside testscript's
// own.
var scriptConditions = map[string]func() bool{
	"root": func() bool { return os.Geteuid() == 0 },
}

func condition(name string) (bool, error) {
	holds, ok := scriptConditions[name]
	if !ok {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return holds(), nil
}

// cmdInterrupted is "interrupted CODE COMMAND ARGS...": it runs the command,
// interrupts it when it has printed something, and asserts its exit code.
// What it printed on stderr is printed.
func cmdInterrupted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupted CODE COMMAND [ARGS...]")
	}
	self, err := os.Executable()
	ts.Check(err)
	cmd := exec.Command(self, args[2:]...)
	cmd.Args[0] = args[1]
	cmd.Dir = ts.MkAbs(".")
	cmd.Stderr = ts.Stderr()
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	_, err = out.Read(make([]byte, 1))
	ts.Check(err)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	_, err = io.Copy(io.Discard, out)
	ts.Check(err)
	_ = cmd.Wait() // judged by its exit code
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// cmdExits is "exits CODE COMMAND ARGS...": it runs the command and asserts
// its exit code.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGS...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

var (
	digestText = regexp.MustCompile(`sha256:[0-9a-f]{64}|\b[0-9a-f]{64}\b|sha256:[0-9a-f]{12}\b`)
	timeText   = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?`)
)

// cmdNormal is "normal FILE OUT": it copies FILE ("stdout" and "stderr" too)
// with all that differs from run to run by name: the work folder, digests and
// times. Equal ones get equal names, numbered as they come.
func cmdNormal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: normal FILE OUT")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), ts.Getenv("WORK"), "$WORK")
	text = digestText.ReplaceAllStringFunc(text, numbered("DIGEST"))
	text = timeText.ReplaceAllStringFunc(text, numbered("TIME"))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

func numbered(name string) func(string) string {
	seen := map[string]int{}
	return func(s string) string {
		if seen[s] == 0 {
			seen[s] = len(seen) + 1
		}
		return fmt.Sprintf("%s%d", name, seen[s])
	}
}

// cmdTree is "tree DIR": it prints the digest and name of every file below
// DIR but the program's own, as sha256sum does, in order of name.
func cmdTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tree DIR")
	}
	var lines []string
	err := filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == storage.WorkName:
			return filepath.SkipDir
		case d.IsDir() || d.Name() == storage.CatalogName:
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(ts.MkAbs(args[0]), path)
		lines = append(lines, fmt.Sprintf("%s  %s\n", storage.SumBytes(b).Hex(), filepath.ToSlash(rel)))
		return err
	})
	ts.Check(err)
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	_, err = ts.Stdout().Write([]byte(strings.Join(lines, "")))
	ts.Check(err)
}

// cmdReplace is "replace FILE OLD NEW": it replaces every OLD in FILE, in
// place; none is an error.
func cmdReplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), 0o666))
}
