// Command distributor publishes bundles of files to destinations: it plans
// what would change, saves the plan for review, and carries out exactly that.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"distributor/cmd/internal/cli"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks to end in good order; a second one kills.
	context.AfterFunc(ctx, stop)
	command, err := cli.Run(ctx, cli.Environment{
		Args:    os.Args[1:],
		Stdin:   os.Stdin,
		Stdout:  os.Stdout,
		Stderr:  os.Stderr,
		Environ: os.Environ(),
		Version: programVersion(),
		Now:     time.Now,
	})
	os.Exit(exitCode(command, err))
}

// programVersion is the version that the build set, else the one that the
// module was installed with, else "dev".
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
