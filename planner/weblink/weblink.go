// Package weblink finds the addresses in HTML pages and follows them to where
// they lead in the root that the pages lie in, as a browser and a server of
// files would. It knows nothing of what lies there, fetches nothing, and judges
// no fragments and no addresses in style sheets and scripts.
package weblink

import (
	"net/url"
	"strings"

	"distributor/catalog/storage"
)

// Target is what an address leads to in a root.
type Target struct {
	// Path is below the root, with its escapes resolved and without a slash at
	// its ends; "" is the root itself. It need not keep the path rules.
	Path string
	// Folder says whether the address names a folder: it ends with a slash.
	Folder bool
	// Absolute says whether it has a scheme, so that it is the author who says
	// which site is meant.
	Absolute bool
}

// Location is where relative addresses of a page are followed from.
type Location struct {
	scheme, host string // of the page's URL; "" where that isn't known
	mount        string // folder of the host that is the root, with a slash at its end; "" for its top, and where it isn't known
	folder       string // of the page or its base, from the host's top, or else from the root's; with a slash at its end, "" for the top
	nowhere      bool   // the base leads elsewhere, and so does all that is relative to it
}

// At returns the location of a page at a path below a root. Its URL, where it
// is known, says where in its host the root is; "" and one that doesn't end as
// the path does stand for a root that may be anywhere.
func At(page storage.Path, pageURL string) Location {
	name := page.String()
	folder := name[:strings.LastIndexByte(name, '/')+1]
	l := Location{folder: folder}
	u, err := url.Parse(pageURL)
	if err != nil || u.Host == "" {
		return l
	}
	at := strings.TrimPrefix(u.Path, "/")
	mount, ok := strings.CutSuffix(at, name)
	if !ok && page.Base() == indexName {
		mount, ok = strings.CutSuffix(at, folder)
	}
	if !ok || mount != "" && !strings.HasSuffix(mount, "/") {
		return l
	}
	l.scheme, l.host = strings.ToLower(u.Scheme), hostOf(strings.ToLower(u.Scheme), u.Host)
	l.mount, l.folder = mount, mount+folder
	return l
}

// indexName is the file that a server gives for a folder; the last segment that
// an output's URL leaves out.
const indexName = "index.html"

// WithBase returns the location that the href of a page's base element gives.
// An empty one changes nothing.
func (l Location) WithBase(href string) Location {
	r := parse(href)
	switch {
	case r.stays():
	case !l.knows(r):
		l.nowhere = true
	default:
		path, ok := l.resolve(r)
		l.folder, l.nowhere = path[:strings.LastIndexByte(path, '/')+1], !ok
	}
	return l
}

// Follow returns where an address leads. False where it stays on the page,
// leads out of the root, or nobody can say: where the page's URL isn't known,
// only addresses that are relative to it lead anywhere.
func (l Location) Follow(address string) (Target, bool) {
	r := parse(address)
	if r.stays() || !l.knows(r) {
		return Target{}, false
	}
	path, ok := l.resolve(r)
	if !ok {
		return Target{}, false
	}
	if path+"/" == l.mount { // the root, without its slash
		path = l.mount
	}
	inRoot, ok := strings.CutPrefix(path, l.mount)
	if !ok {
		return Target{}, false
	}
	name, folder := strings.CutSuffix(inRoot, "/")
	return Target{Path: name, Folder: folder || name == "", Absolute: r.scheme != ""}, true
}

// knows says whether it can be told from l where r leads to in its host.
func (l Location) knows(r reference) bool {
	switch {
	case r.scheme != "":
		return r.scheme == l.scheme && r.hasHost && hostOf(r.scheme, r.host) == l.host
	case l.nowhere:
		return false
	case r.hasHost:
		return l.host != "" && hostOf(l.scheme, r.host) == l.host
	case strings.HasPrefix(r.path, "/"):
		return l.host != ""
	default:
		return true
	}
}

// resolve returns the path that r leads to, from the host's top, or where the
// host isn't known from the root's; false where it climbs out of that one. A
// folder's ends with a slash; the top is "".
func (l Location) resolve(r reference) (string, bool) {
	at := l.folder
	if r.hasHost || strings.HasPrefix(r.path, "/") {
		at = ""
	}
	b := append(make([]byte, 0, len(at)+len(r.path)), at...)
	for rest, more := r.path, true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		switch segment = unescape(segment); segment {
		case "", ".":
			// An empty segment says nothing to a server of files, and b ends with
			// a slash already.
		case "..":
			if len(b) == 0 && l.host == "" {
				return "", false
			}
			b = parent(b)
		default:
			b = append(b, segment...)
			if more {
				b = append(b, '/')
			}
		}
	}
	return string(b), true
}

// parent cuts the last segment off a folder's path; a browser stays at the top.
func parent(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	b = b[:len(b)-1]
	for len(b) > 0 && b[len(b)-1] != '/' {
		b = b[:len(b)-1]
	}
	return b
}
