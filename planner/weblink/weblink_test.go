package weblink

import (
	"strings"
	"testing"

	"distributor/catalog/storage"
)

const site = "https://www.example.com/weather"

// follows has addresses of the page sub/page.html, and where they lead: a path
// below the root, with a slash where a folder is meant; "-" for elsewhere. The
// root is at site, and the second answer is that for a root that may be
// anywhere, where it is another.
var follows = []struct{ name, address, want, anywhere string }{
	{"a neighbour", "other.html", "sub/other.html", ""},
	{"a neighbour, from here", "./other.html", "sub/other.html", ""},
	{"the folder", ".", "sub/", ""},
	{"the folder, with its slash", "./", "sub/", ""},
	{"above", "../other.html", "other.html", ""},
	{"the root", "..", "/", ""},
	{"the root, with its slash", "../", "/", ""},
	{"down", "a/b/c.html", "sub/a/b/c.html", ""},
	{"a folder", "a/b/", "sub/a/b/", ""},
	{"there and back", "a/../b/./c.html", "sub/b/c.html", ""},
	{"back at the end", "a/..", "sub/", ""},
	{"a query and a fragment", "a.html?x=../y#z?/..", "sub/a.html", ""},
	{"a fragment with a question mark", "a.html#z?x", "sub/a.html", ""},
	{"escapes", "a%20b%2Bc%c3%A9.html", "sub/a b+cé.html", ""},
	{"an escaped percent sign", "100%25.html", "sub/100%.html", ""},
	{"what looks like an escape", "100%.html%zz%4", "sub/100%.html%zz%4", ""},
	{"escaped dots", "%2e%2E/%2e/other.html", "other.html", ""},
	{"an escaped slash", "a%2Fb.html", "sub/a/b.html", ""},
	{"a plus sign", "a+b.html", "sub/a+b.html", ""},
	{"letters as they are", "é b.html", "sub/é b.html", ""},
	{"case counts", "Other.HTML", "sub/Other.HTML", ""},
	{"blanks around it", " \n other.html\t", "sub/other.html", ""},
	{"line breaks in it", "oth\ner.\thtml", "sub/other.html", ""},
	{"backslashes", `..\a\b.html`, "a/b.html", ""},
	{"slashes in a row", "a//b.html", "sub/a/b.html", ""},
	{"a colon after a slash", "./a:b.html", "sub/a:b.html", ""},
	{"a colon after a digit", "12:30.html", "sub/12:30.html", ""},

	{"out of the root", "../../index.html", "-", ""},
	{"out of the root and in again", "../../weather/a.html", "a.html", "-"},
	{"above the host", "../../../../weather/a.html", "a.html", "-"},
	{"from the host's top", "/weather/a.html", "a.html", "-"},
	{"from the host's top, escaped", "/we%61ther/a.html", "a.html", "-"},
	{"from the host's top, the root", "/weather/", "/", "-"},
	{"from the host's top, the root without its slash", "/weather", "/", "-"},
	{"from the host's top, elsewhere", "/a.html", "-", ""},
	{"from the host's top, nearly the root", "/weatherman/a.html", "-", ""},
	{"the host's top", "/", "-", ""},
	{"with the host", "//www.example.com/weather/a.html", "a.html", "-"},
	{"with the host in capitals and its port", "//WWW.Example.com:443/weather/a.html", "a.html", "-"},
	{"with another host", "//example.com/weather/a.html", "-", ""},
	{"with another port", "//www.example.com:8443/weather/a.html", "-", ""},
	{"with a user", "//me@www.example.com/weather/a.html", "-", ""},
	{"whole", site + "/a.html", "a.html", "-"},
	{"whole, in capitals", "HTTPS://WWW.EXAMPLE.COM/weather/a.html?q#f", "a.html", "-"},
	{"whole, the root", site, "/", "-"},
	{"whole, of another scheme", "http://www.example.com/weather/a.html", "-", ""},
	{"whole, of another host", "https://example.org/weather/a.html", "-", ""},
	{"a scheme without a host", "https:a.html", "-", ""},

	{"nothing", "", "-", ""},
	{"blanks alone", " \n", "-", ""},
	{"a place on the page", "#top", "-", ""},
	{"the page itself", "?q=1", "-", ""},
	{"mail", "mailto:me@example.com", "-", ""},
	{"a script", "javascript:void(0)", "-", ""},
	{"bytes", "data:image/png;base64,AAAA/..", "-", ""},
	{"a scheme with a sign", "web+x:a.html", "-", ""},
}

func TestFollow(t *testing.T) {
	page := storage.MustPath("sub/page.html")
	for _, tt := range follows {
		if got := spell(At(page, site+"/sub/page.html").Follow(tt.address)); got != tt.want {
			t.Errorf("%s: %q leads to %q, want %q", tt.name, tt.address, got, tt.want)
		}
		want := tt.anywhere
		if want == "" {
			want = tt.want
		}
		if got := spell(At(page, "").Follow(tt.address)); got != want {
			t.Errorf("%s: %q leads to %q anywhere, want %q", tt.name, tt.address, got, want)
		}
	}
}

func spell(t Target, ok bool) string {
	switch {
	case !ok:
		return "-"
	case t.Folder:
		return t.Path + "/"
	default:
		return t.Path
	}
}

func TestFollowSaysWhatIsAbsolute(t *testing.T) {
	l := At(storage.MustPath("a.html"), site+"/a.html")
	for address, want := range map[string]bool{"b.html": false, "/weather/b.html": false, "//www.example.com/weather/b.html": false, site + "/b.html": true} {
		if got, _ := l.Follow(address); got.Absolute != want || got.Path != "b.html" {
			t.Errorf("%s: %+v, want absolute %v", address, got, want)
		}
	}
}

// TestAt follows an address from pages of other names and URLs.
func TestAt(t *testing.T) {
	for _, tt := range []struct{ name, page, url, address, want string }{
		{"an index, whose URL is its folder's", "sub/index.html", site + "/sub/", "/weather/a.html", "a.html"},
		{"the root's index", "index.html", site + "/", "/weather/sub/", "sub/"},
		{"the root's index links up", "index.html", site + "/", "../weather/a.html", "a.html"},
		{"a root at the host's top", "a b.html", "https://example.com/a%20b.html", "/sub/c.html", "sub/c.html"},
		{"the index of a root at the host's top", "index.html", "https://example.com/", "/c.html", "c.html"},
		{"a folder of the host that is escaped", "a.html", "https://example.com/the%20weather/a.html", "/the weather/c.html", "c.html"},
		{"a URL that isn't the page's", "a.html", site + "/b.html", "/weather/c.html", "-"},
		{"a URL that ends nearly as the page", "a.html", site + "/aa.html", "/weather/c.html", "-"},
		{"a URL that is none", "a.html", "https://[", "c.html", "c.html"},
	} {
		if got := spell(At(storage.MustPath(tt.page), tt.url).Follow(tt.address)); got != tt.want {
			t.Errorf("%s: %q leads to %q, want %q", tt.name, tt.address, got, tt.want)
		}
	}
}

// TestWithBase follows the address "x.html" of sub/page.html.
func TestWithBase(t *testing.T) {
	for _, tt := range []struct{ href, want, anywhere string }{
		{"", "sub/x.html", "sub/x.html"},
		{"#top", "sub/x.html", "sub/x.html"},
		{"./", "sub/x.html", "sub/x.html"},
		{"../", "x.html", "x.html"},
		{"..", "x.html", "x.html"},
		{"../a/b", "a/x.html", "a/x.html"},
		{"../a/b/", "a/b/x.html", "a/b/x.html"},
		{"/", "-", "-"},
		{"/weather/a/", "a/x.html", "-"},
		{site + "/a/", "a/x.html", "-"},
		{"https://www.example.com", "-", "-"},
		{"https://cdn.example.com/weather/", "-", "-"},
		{"//www.example.com/weather/", "x.html", "-"},
		{"../../", "-", "-"},
		{"mailto:x@example.com", "-", "-"},
	} {
		page := storage.MustPath("sub/page.html")
		if got := spell(At(page, site+"/sub/page.html").WithBase(tt.href).Follow("x.html")); got != tt.want {
			t.Errorf("base %q: leads to %q, want %q", tt.href, got, tt.want)
		}
		if got := spell(At(page, "").WithBase(tt.href).Follow("x.html")); got != tt.anywhere {
			t.Errorf("base %q: leads to %q anywhere, want %q", tt.href, got, tt.anywhere)
		}
	}
	l := At(storage.MustPath("sub/page.html"), site+"/sub/page.html").WithBase("https://cdn.example.com/")
	if got := spell(l.Follow("/weather/x.html")); got != "-" {
		t.Errorf("from the top of another host: leads to %q", got)
	}
	if got := spell(l.Follow(site + "/x.html")); got != "x.html" {
		t.Errorf("whole, whatever the base: leads to %q", got)
	}
}

func FuzzFollow(f *testing.F) {
	for _, tt := range follows {
		f.Add(tt.address, "../")
	}
	f.Add("%2e%2e%2f..", "//[::1]:80/%2F")
	f.Fuzz(func(t *testing.T, address, base string) {
		for _, url := range []string{"", site + "/sub/page.html"} {
			l := At(storage.MustPath("sub/page.html"), url).WithBase(base)
			target, ok := l.Follow(address)
			if !ok {
				continue
			}
			if strings.HasSuffix(target.Path, "/") && !strings.Contains(address+base, "%") || target.Path == "" && !target.Folder {
				t.Errorf("%q from base %q leads to %+v", address, base, target)
			}
			again, ok := l.Follow(trim(address) + "#f")
			if !strings.Contains(address, "#") && (!ok || again != target) {
				t.Errorf("%q leads to %+v, with a fragment to %+v", address, target, again)
			}
		}
	})
}
