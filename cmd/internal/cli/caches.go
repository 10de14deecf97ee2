package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"distributor/planner/rendercache"
	"distributor/planner/statcache"
)

// What is kept from run to run lies in this folder of the user's cache folder.
const cacheFolder = "distributor"

// digestCache returns the cache of digests in the user's cache folder; where
// the system names none, one that keeps nothing.
func (a *app) digestCache() *statcache.Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return statcache.Open("", a.now)
	}
	return statcache.Open(filepath.Join(dir, cacheFolder), a.now)
}

// renderCache returns the cache of what was rendered; nil where the system names
// no folder for it.
func (a *app) renderCache() *rendercache.Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return rendercache.Open(filepath.Join(dir, cacheFolder, "rendered"), rendererVersion(a.env.Version))
}

// rendererVersion names everything in this program that decides what is rendered:
// its version, Go's and those of its modules. Two builds of one version that
// differ are told apart by the file of the program.
func rendererVersion(version string) string {
	var b strings.Builder
	b.WriteString(version)
	if info, ok := debug.ReadBuildInfo(); ok {
		b.WriteString(" " + info.GoVersion)
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			b.WriteString(" " + m.Path + "@" + m.Version)
		}
	}
	if name, err := os.Executable(); err == nil {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintf(&b, " %d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}
