package main

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

func init() {
	scriptCommands["mount"] = cmdMount
	scriptCommands["special"] = cmdSpecial
	scriptCommands["unprivileged"] = cmdUnprivileged
	scriptConditions["mounts"] = mayMount
}

// mayMount says whether this process may mount file systems.
func mayMount() bool { return capable(unix.CAP_SYS_ADMIN) }

func capable(capability int) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData // Capget writes two
	return unix.Capget(&header, &data[0]) == nil && data[0].Effective&(1<<capability) != 0
}

// cmdMount is "mount DIR": it mounts an empty file system in memory at DIR
// until the script ends.
func cmdMount(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: mount DIR")
	}
	at := ts.MkAbs(args[0])
	ts.Check(unix.Mount("tmpfs", at, "tmpfs", 0, "size=1m"))
	ts.Defer(func() { ts.Check(unix.Unmount(at, unix.MNT_DETACH)) })
}

// cmdSpecial is "special fifo|socket PATH": it makes such a file.
func cmdSpecial(ts *testscript.TestScript, neg bool, args []string) {
	modes := map[string]uint32{"fifo": unix.S_IFIFO, "socket": unix.S_IFSOCK}
	if neg || len(args) != 2 || modes[args[0]] == 0 {
		ts.Fatalf("usage: special fifo|socket PATH")
	}
	ts.Check(unix.Mknod(ts.MkAbs(args[1]), modes[args[0]]|0o644, 0))
}

// cmdUnprivileged is "unprivileged CODE COMMAND ARGS...": it runs the command
// as somebody to whom the modes of files apply, as they don't to root, and
// asserts its exit code.
func cmdUnprivileged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: unprivileged CODE COMMAND [ARGS...]")
	}
	self, err := os.Executable()
	ts.Check(err)
	cmd := exec.Command(self, args[2:]...)
	cmd.Args[0] = args[1]
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "XDG_CACHE_HOME="+ts.Getenv("XDG_CACHE_HOME"))
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	ts.Check(startWithoutOverride(cmd))
	_ = cmd.Wait() // judged by its exit code
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// startWithoutOverride starts cmd from a thread that has given up, for itself
// and all that it starts, what lets root pass over the modes of files. The
// thread ends with it.
func startWithoutOverride(cmd *exec.Cmd) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked
		for _, c := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && capable(int(c)) {
				done <- err
				return
			}
		}
		done <- cmd.Start()
	}()
	return <-done
}
