package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"distributor/catalog/storage"
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
// no folder for it, or where this program can't be told from others.
func (a *app) renderCache() *rendercache.Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	build, err := thisBuild()
	if err != nil {
		return nil
	}
	return rendercache.Open(filepath.Join(dir, cacheFolder, "rendered"), a.env.Version+" "+build, a.env.Now)
}

// thisBuild names everything in this program that decides what is rendered.
var thisBuild = sync.OnceValues(func() (string, error) {
	info, ok := debug.ReadBuildInfo()
	return nameBuild(info, ok, os.Executable)
})

// nameBuild names a program by Go's version, its modules and its settings. Where
// these don't say exactly which sources it is built of, as for a developer's
// build, it names the bytes of the program's file, too.
func nameBuild(info *debug.BuildInfo, known bool, executable func() (string, error)) (string, error) {
	if known && isExact(info) {
		return info.String(), nil
	}
	path, err := executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	d, _, err := storage.SumReader(f)
	return d.String(), err
}

// isExact says whether a program is built of one commit as it is, and of modules
// whose contents have checksums.
func isExact(info *debug.BuildInfo) bool {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Sum == "" {
			return false
		}
	}
	return settings["vcs.revision"] != "" && settings["vcs.modified"] == "false"
}
