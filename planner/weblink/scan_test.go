package weblink

import (
	"slices"
	"strings"
	"testing"
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
	{"a base that is empty", `<base href=""><base href=b/><a href=a>`, Page{"", []string{"a"}}},
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
	{"several attributes of one name", `<a href=a HREF=b><img src=a src="b" srcset="c" SRCSET=d>`, Page{"", []string{"a", "c"}}},
	{"odd tags", `<a/href=a><a / href = "b" / ><a href='c'href=d><a =href=e><a href=f/><a"href="g"><a href =h x>`, Page{"", []string{"a", "b", "c", "f/", "h"}}},
	{"quotes that are none", `<a title=it's href=a><a x"=y href=b title="<a href=c>"><a title='"' href=d>`, Page{"", []string{"a", "b", "d"}}},
	{"end tags", `</a href="a>b"><a href=c></ <a href=d></><a href=e></1><a href=f>`, Page{"", []string{"c", "e", "f"}}},
	{"no tags", `< a href=a><1 href=b><<a href=c>`, Page{"", []string{"c"}}},
	{"declarations", `<!DOCTYPE html "<a href=a>"><?xml href=b?><a href=c><![CDATA[<a href=d>]]><!><a href=e>`, Page{"", []string{"c", "e"}}},
	{"odd comments", `<!--><a href=a><!---><a href=b><!-- --!><a href=c><!-- -- > --><a href=d><!----><a href=e><!---!><a href=x>--><a href=f><!----!><a href=g><!-- <a href=x>`, Page{"", []string{"a", "b", "c", "d", "e", "f", "g"}}},
	{"text elements", `<title></titles><a href=a></title><xmp><a href=b></XMP ><plaintext><a href=c>`, Page{"", nil}},
	{"scripts that speak of scripts", `<script><!-- <script> </script> <a href=a> --></script><a href=b><script><!-- </script><a href=c><script><script></script><a href=d>`, Page{"", []string{"b", "c", "d"}}},
	{"cut off", `<a href=a><a href="b`, Page{"", []string{"a"}}},
	{"nothing", ``, Page{"", nil}},
}

func TestScan(t *testing.T) {
	for _, tt := range scans {
		t.Run(tt.name, func(t *testing.T) {
			got := Scan([]byte(tt.page))
			if got.Base != tt.want.Base || !slices.Equal(got.Links, tt.want.Links) {
				t.Errorf("%s\n got %q\nwant %q", tt.page, got, tt.want)
			}
		})
	}
}

// FuzzScan sees that every page is read to its end, and that what Scan returns
// is once each and of the page.
func FuzzScan(f *testing.F) {
	for _, tt := range scans {
		f.Add([]byte(tt.page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		got := Scan(append([]byte("<a href=first>"), page...))
		if len(got.Links) == 0 || got.Links[0] != "first" {
			t.Errorf("the first link is lost: %q", got.Links)
		}
		seen := map[string]bool{}
		for _, link := range got.Links {
			if link == "" || seen[link] {
				t.Errorf("%q is empty or twice", link)
			}
			seen[link] = true
		}
	})
}

func BenchmarkScan(b *testing.B) {
	row := `<tr><td class="name"><a href="../guide/chapter-12.html#section">A chapter of the guide</a></td><td>Some text &amp; more of it, as pages have between their links.</td></tr>` + "\n"
	page := []byte("<!DOCTYPE html><html><body><table>" + strings.Repeat(row, 200) + "</table>")
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if len(Scan(page).Links) == 0 {
			b.Fatal("no links")
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
