package main

import (
	"os"
	"os/exec"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdUnread is "unread CODE COMMAND ARGS...": it runs the command with a
// standard output that nobody reads any more, and asserts its exit code. What
// it says on stderr is printed.
func cmdUnread(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: unread CODE COMMAND [ARGS...]")
	}
	reader, writer, err := os.Pipe()
	ts.Check(err)
	ts.Check(reader.Close())
	defer writer.Close()
	self, err := os.Executable()
	ts.Check(err)
	cmd := exec.Command(self, args[2:]...)
	cmd.Args[0] = args[1]
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout, cmd.Stderr = writer, ts.Stderr()
	cmd.Env = os.Environ()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "TMPDIR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	_ = cmd.Run() // judged by its exit code
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
