package view

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// driveHostile: names and contents are shown as the terminal shows them, and
// become nothing but text.
func driveHostile(t *testing.T, browser realBrowser) {
	m := hostilePlan()
	p := openReview(t, browser, m)
	p.screen(1280, 6000)
	p.click(".row.group .actions button")
	p.wantLines("``` 2/<b>|.md", "éa")
	for _, c := range m.changes {
		name := escapeName(c.Path.String())
		if !strings.Contains(strings.Join(p.lines(), "\n"), name) {
			t.Errorf("the list lacks %s; it is %q", name, p.lines())
		}
	}
	eval[bool](p, `(() => {
		for (const line of document.querySelectorAll('.line[aria-expanded=false]')) line.click();
		return true;
	})()`)
	p.wait(`document.querySelectorAll('[aria-busy]').length === 0`)
	for _, text := range []string{
		`</script><script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<!-- ]]>`,
		`\x1b[2J\x1b]0;title\x07\rover\u009b31m`, `\u202egnp.exe\u202c`, `\u200b`, `one\r`, `&lt;b&gt; [link](javascript:alert(1))`,
	} {
		if !eval[bool](p, fmt.Sprintf(`[...document.querySelectorAll('td.text')].some((cell) => cell.textContent.includes(%q))`, text)) {
			t.Errorf("no diff shows %s", text)
		}
	}
	if made := eval[int](p, `document.querySelectorAll('img, td script, td details, #list a').length`); made > 0 {
		t.Errorf("%d elements were made of text", made)
	}
	p.wantNoProblems()
}

// canary is a listener that must stay alone, and pages that would reach it if they
// could.
type canary struct {
	net.Listener
	calls atomic.Int64
}

func newCanary(t *testing.T) *canary {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &canary{Listener: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			connection, err := l.Accept()
			if err != nil {
				return
			}
			c.calls.Add(1)
			connection.Close()
		}
	}()
	return c
}

// pages are pages that run, load or lead away by every means that markup has.
func (c *canary) pages() map[string]string {
	to := "http://" + c.Addr().String() + "/"
	touch := "try { top.canary = 1 } catch {} try { parent.document.documentElement.dataset.canary = 1 } catch {} fetch('" + to + "script'); new Image().src = '" + to + "image'"
	pages := map[string]string{}
	for name, body := range map[string]string{
		"script":     `<script>` + touch + `</script>`,
		"module":     `<script type="module" src="` + to + `m.js"></script>`,
		"handler":    `</script><img src=x onerror="` + touch + `"><body onload="` + touch + `">`,
		"svg":        `<svg onload="` + touch + `"><script>` + touch + `</script><image href="` + to + `i.svg"/><use href="` + to + `u.svg#x"/></svg>`,
		"image":      `<img src="` + to + `i.png" srcset="` + to + `i2.png 2x"><input type=image src="` + to + `b.png"><video poster="` + to + `p.png" src="` + to + `v.mp4" autoplay></video><body background="` + to + `bg.png">`,
		"style":      `<style>@import "` + to + `a.css"; body { background: url(` + to + `b.png) } @font-face { font-family: f; src: url(` + to + `f.woff) } body { font-family: f }</style>Text<p style="background: url(` + to + `c.png)">`,
		"link":       `<link rel=stylesheet href="` + to + `l.css"><link rel=preload as=image href="` + to + `p.png"><link rel=prefetch href="` + to + `f"><link rel=icon href="` + to + `i.ico"><link rel=manifest href="` + to + `m">`,
		"connect":    `<link rel=preconnect href="` + to + `"><link rel=dns-prefetch href="` + to + `"><link rel=preconnect href="` + to + `" crossorigin>`,
		"refresh":    `<meta http-equiv="refresh" content="0; url=` + to + `r">`,
		"base":       `<base href="` + to + `"><img src="relative.png"><link rel=preconnect href="/">`,
		"frames":     `<iframe src="` + to + `f"></iframe><iframe srcdoc="<link rel=preconnect href='` + to + `'><img src='` + to + `s'>"></iframe><object data="` + to + `o"></object><embed src="` + to + `e">`,
		"frameset":   `<frameset><frame src="` + to + `fs"></frameset>`,
		"shadow":     `<div><template shadowrootmode="open"><link rel=preconnect href="` + to + `"><img src="` + to + `t"></template></div>`,
		"mutation":   `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;link rel=preconnect href=` + to + `&gt;">`,
		"noscript":   `<noscript><link rel=preconnect href="` + to + `"><img src="` + to + `n"></noscript>`,
		"form":       `<form action="` + to + `form"><button autofocus>Send</button></form><a href="` + to + `a" ping="` + to + `ping" target=_top id=away>Away</a>`,
		"rules":      `<script type="speculationrules">{"prefetch": [{"source": "list", "urls": ["` + to + `p"]}]}</script>`,
		"popup":      `<a href="javascript:` + touch + `" target=_blank id=away>Away</a><details open ontoggle="` + touch + `">`,
		"characters": "\ufeff<!-- \u2028 --><p>\u202e<![CDATA[<script>" + touch + "</script>]]>",
	} {
		pages[name+".html"] = "<!doctype html>\n<title>" + name + "</title>\n" + body + "\n<p>shown</p>\n"
	}
	return pages
}

// driveCanaries: what is published runs nowhere in a review, loads nothing and
// reaches nobody, neither in lists and diffs nor in previews, not even where it is
// clicked on. That the canaries are alive is seen where they are opened directly.
func driveCanaries(t *testing.T, browser realBrowser) {
	c := newCanary(t)
	m := sitePlan()
	for name, page := range c.pages() {
		old := strings.Replace(page, "<p>shown</p>", "<p>before</p>", 1)
		m.generate(m.update(name, old, page), name, page)
	}
	touch := `<img src=http://` + c.Addr().String() + `/name onerror="window.canary=1">`
	m.create(strings.ReplaceAll(touch, "/", "\u2215"), touch)
	m.plan.Warnings = []string{touch}
	p := openReview(t, browser, m)
	attributes := eval[string](p, `JSON.stringify(document.documentElement.getAttributeNames())`)
	for name := range c.pages() {
		p.findOnly(name)
		p.clickThroughPreview()
	}
	time.Sleep(200 * time.Millisecond)
	if n := c.calls.Load(); n > 0 {
		t.Errorf("%d connections were opened", n)
	}
	if eval[bool](p, `'canary' in window || 'canary' in document.documentElement.dataset`) {
		t.Error("a script ran")
	}
	if got := eval[string](p, `JSON.stringify(document.documentElement.getAttributeNames())`); got != attributes {
		t.Errorf("the page's attributes were %s and are %s", attributes, got)
	}
	c.mustBeAlive(t, browser)
}

// clickThroughPreview opens the preview of the only line, before and after, and
// clicks on what is in it.
func (p *browserPage) clickThroughPreview() {
	p.Helper()
	p.click(".row.entry .line")
	p.wait(`document.querySelector('.preview-button')`)
	p.click(".preview-button")
	p.wait(`document.querySelector('.preview .switch')`)
	p.click(".preview .switch button:nth-child(3)")
	p.wait(`document.querySelectorAll('.pages iframe').length === 2`)
	if open := eval[int](p, `document.querySelectorAll('iframe:not([sandbox=""])').length`); open > 0 {
		p.Errorf("%d frames may do something", open)
	}
	for i := range eval[int](p, `document.querySelectorAll('.pages iframe').length`) {
		at := eval[[]float64](p, fmt.Sprintf(`(() => {
			const frame = document.querySelectorAll('.pages iframe')[%d];
			frame.scrollIntoView({block: 'center', behavior: 'instant'});
			const box = frame.getBoundingClientRect();
			return [box.x, box.y];
		})()`, i))
		for _, y := range []float64{15, 20, 40, 60} {
			p.must(chromedp.Do(p.ctx, chromedp.MouseClickXY(at[0]+20, at[1]+y)))
		}
		p.press("Tab", "Enter")
	}
	p.click(".row.entry .line")
	p.wait(`document.querySelectorAll('.pages').length === 0`)
}

// mustBeAlive opens the pages as they are: most of them must reach the listener.
func (c *canary) mustBeAlive(t *testing.T, browser realBrowser) {
	t.Helper()
	p := newPage(t, browser)
	before, alive := c.calls.Load(), 0
	dir := t.TempDir()
	for name, page := range c.pages() {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = chromedp.Do(p.ctx, chromedp.Navigate("file://"+path)) // some lead away before they are loaded
		for range 50 {
			if c.calls.Load() > before {
				alive++
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond)
		before = c.calls.Load()
	}
	if want := len(c.pages()) - 5; alive < want {
		t.Errorf("%d of %d canaries are alive, want %d", alive, len(c.pages()), want)
	}
}
