// Command distributor publishes bundles of files to destinations: it plans
// what would change, saves the plan for review, and carries out exactly that.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"distributor/cmd/internal/cli"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version string

func main() { os.Exit(execute(os.Stdout)) }

// execute carries out the command line and returns its exit code.
func execute(stdout io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A reader that goes away is an error of writing like any other: what is
	// under way is carried out, and what is temporary removed.
	signal.Ignore(syscall.SIGPIPE)
	// The first signal asks to end in good order; a second one kills.
	context.AfterFunc(ctx, stop)
	command, err := cli.Run(ctx, cli.Environment{
		Args:    os.Args[1:],
		Stdin:   os.Stdin,
		Stdout:  stdout,
		Stderr:  os.Stderr,
		Environ: os.Environ(),
		Version: programVersion(version, debug.ReadBuildInfo),
		Now:     time.Now,
	})
	return exitCode(command, err)
}

// programVersion is the version that the build set, else the release that the
// module was installed as, else "dev". In a clone without tags Go makes up a
// v0.0.0-TIME-COMMIT, which is no release and must not be held against
// required_version.
func programVersion(set string, info func() (*debug.BuildInfo, bool)) string {
	if set != "" {
		return set
	}
	b, ok := info()
	if !ok || b.Main.Version == "" || b.Main.Version == "(devel)" || strings.HasPrefix(b.Main.Version, "v0.0.0-") {
		return "dev"
	}
	return b.Main.Version
}
