package weblink

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

var scans = []struct {
	name, page string
	want       Page
}{
	{"links", `<a href="a.html">A</a> <A HREF='b.html'> <a href=c.html> <area href=d>`, Page{"", []string{"a.html", "b.html", "c.html", "d"}}},
	{"each once", `<a href=a><a href=a><img src=a>`, Page{"", []string{"a"}}},
	{"entities", `<a href="a&amp;b&#x2e;html&copy">`, Page{"", []string{"a&b.html©"}}},
	{"head", `<link rel=stylesheet href=s.css><script src=s.js></script>`, Page{"", []string{"s.css", "s.js"}}},
	{"media", `<video src=v poster=p><source src=s><track src=t></video><audio src=u>`, Page{"", []string{"v", "p", "s", "t", "u"}}},
	{"frames and objects", `<iframe src=f></iframe><embed src=e><object data=o></object><input type=image src=i>`, Page{"", []string{"f", "e", "o", "i"}}},
	{"drawings", `<svg><use href="s.svg#x"/><image xlink:href=i.png /></svg>`, Page{"", []string{"s.svg#x", "i.png"}}},
	{"data of others", `<div data=x data-src=y title=z action=a cite=c>`, Page{"", nil}},
	{"forms", `<form action="search"><button formaction=x>`, Page{"", nil}},
	{"comments, scripts and text", `<!-- <a href=a> --><script>"<a href=b>"</script><style><a href=c></style><textarea><a href=d></textarea><title><a href=e></title>`, Page{"", nil}},
	{"without scripts", `<noscript><img src=a></noscript><a href=b>`, Page{"", []string{"a", "b"}}},
	{"a base", `<base target=x><base href=b/><base href=c/><a href=a>`, Page{"b/", []string{"a"}}},
	{"a base that comes late", `<a href=a><base href=b/>`, Page{"b/", []string{"a"}}},
	{"srcset", `<img src=a srcset="b 1x, c 2x,d,  e 100w">`, Page{"", []string{"a", "b", "c", "d", "e"}}},
	{"srcset of bytes", `<img srcset="data:image/png;base64,AA,BB 1x, c 2x">`, Page{"", []string{"data:image/png;base64,AA,BB", "c"}}},
	{"srcset without blanks", `<img srcset="a,b">`, Page{"", []string{"a,b"}}},
	{"srcset with odd commas", `<img srcset=",, a,, b 1x(,2x),c">`, Page{"", []string{"a", "b", "c"}}},
	{"srcset that is empty", `<img srcset=" , ">`, Page{"", nil}},
	{"imagesrcset", `<link rel=preload as=image imagesrcset="a 1x, b 2x">`, Page{"", []string{"a", "b"}}},
	{"sent on", `<meta http-equiv=refresh content="0; url=a.html">`, Page{"", []string{"a.html"}}},
	{"sent on, otherwise spelt", `<META CONTENT="1.5 , URL = 'a b.html' x" HTTP-EQUIV=Refresh>`, Page{"", []string{"a b.html"}}},
	{"sent on, without a name", `<meta http-equiv=refresh content="0;a.html">`, Page{"", []string{"a.html"}}},
	{"loaded again", `<meta http-equiv=refresh content="30">`, Page{"", nil}},
	{"loaded again, wrongly", `<meta http-equiv=refresh content="url=a.html">`, Page{"", nil}},
	{"another meta", `<meta name=x content="0; url=a.html">`, Page{"", nil}},
	{"cut off", `<a href=a><a href="b`, Page{"", []string{"a"}}},
	{"nothing", ``, Page{"", nil}},
}

func TestScan(t *testing.T) {
	for _, tt := range scans {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Scan(strings.NewReader(tt.page))
			if err != nil || got.Base != tt.want.Base || !slices.Equal(got.Links, tt.want.Links) {
				t.Errorf("%s\n got %q, %v\nwant %q", tt.page, got, err, tt.want)
			}
		})
	}
}

func TestScanStopsAtErrors(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Scan(io.MultiReader(strings.NewReader("<a href=a>"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestScanIsBounded(t *testing.T) {
	long := io.MultiReader(strings.NewReader("<a href=a><!--"), io.LimitReader(endless{}, 4*maxToken))
	got, err := Scan(long)
	if err != nil || !slices.Equal(got.Links, []string{"a"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

// endless is a comment that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func FuzzScan(f *testing.F) {
	for _, tt := range scans {
		f.Add([]byte(tt.page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		whole, err := Scan(bytes.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		page = page[:min(len(page), 2000)] // the tokenizer moves its buffer with every read
		if whole, err = Scan(bytes.NewReader(page)); err != nil {
			t.Fatal(err)
		}
		piecemeal, err := Scan(iotest.OneByteReader(bytes.NewReader(page)))
		if err != nil || piecemeal.Base != whole.Base || !slices.Equal(piecemeal.Links, whole.Links) {
			t.Errorf("read at once: %q, byte by byte: %q, %v", whole, piecemeal, err)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	row := `<tr><td class="name"><a href="../guide/chapter-12.html#section">A chapter of the guide</a></td><td>Some text &amp; more of it, as pages have between their links.</td></tr>` + "\n"
	page := []byte("<!DOCTYPE html><html><body><table>" + strings.Repeat(row, 200) + "</table>")
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Scan(bytes.NewReader(page)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFollow(b *testing.B) {
	l := Location{folder: "reports/2026/"}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := l.Follow("../guide/chapter-12.html#section"); !ok {
			b.Fatal("leads nowhere")
		}
	}
}
