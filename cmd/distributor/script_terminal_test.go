//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

func init() { scriptCommands["terminal"] = cmdTerminal }

// cmdTerminal is "terminal CODE ANSWER COMMAND ARGS...": it runs the command
// on a terminal of 80 columns, types ANSWER and a line feed, and asserts its
// exit code. What the terminal got is printed, with LF for CR LF.
func cmdTerminal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: terminal CODE ANSWER COMMAND [ARGS...]")
	}
	screen, keyboard := openTerminal(ts)
	self, err := os.Executable()
	ts.Check(err)
	cmd := exec.Command(self, args[3:]...)
	cmd.Args[0] = args[2]
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = keyboard, keyboard, keyboard
	cmd.Env = os.Environ()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "TMPDIR", "TERM", "NO_COLOR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	ts.Check(keyboard.Close())
	_, err = fmt.Fprintln(screen, args[1])
	ts.Check(err)
	out, err := io.ReadAll(screen)
	if !errors.Is(err, syscall.EIO) { // how the end of a terminal reads
		ts.Check(err)
	}
	_ = cmd.Wait() // judged by its exit code
	_, err = io.WriteString(ts.Stdout(), strings.ReplaceAll(string(out), "\r\n", "\n"))
	ts.Check(err)
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s", got, args[0], out)
	}
}

// openTerminal returns both ends of a new terminal.
func openTerminal(ts *testscript.TestScript) (screen, keyboard *os.File) {
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	ts.Check(err)
	ts.Defer(func() { screen.Close() })
	fd := int(screen.Fd())
	ts.Check(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	ts.Check(err)
	ts.Check(unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	keyboard, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	ts.Check(err)
	return screen, keyboard
}
