package view

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take for one step on a busy machine.
const patience = 2 * time.Minute

// realBrowser is a running browser.
type realBrowser struct{ ctx context.Context }

// startBrowser starts a browser of its own, which ends with the test.
func startBrowser(t *testing.T) realBrowser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("this test needs Debian's package chromium, which \"make setup\" installs: %v", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(1280, 900),
		chromedp.NoSandbox, // tests may run as root, for whom there is none
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser, _ := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		if err := chromedp.Cancel(browser); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
		stop()
	})
	if err := chromedp.Do(browser); err != nil {
		t.Fatal(err)
	}
	return realBrowser{browser}
}

// browserPage is a page in a browser.
type browserPage struct {
	*testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string // that the page's script had, and what the policy kept it from
}

// newPage opens an empty page of a browser.
func newPage(t *testing.T, browser realBrowser) *browserPage {
	t.Helper()
	ctx, closePage := chromedp.NewContext(browser.ctx)
	t.Cleanup(closePage)
	p := &browserPage{T: t, ctx: ctx}
	p.must(chromedp.Do(ctx))
	p.must(chromedp.Listen(ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.problems = append(p.problems, fmt.Sprintf("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			p.problems = append(p.problems, fmt.Sprintf("%s: %s", e.Entry.Level, e.Entry.Text))
		}
	}))
	return p
}

// openReview opens the review of a plan from a file, as a reviewer does.
func openReview(t *testing.T, browser realBrowser, m *madePlan) *browserPage {
	t.Helper()
	m.plan = m.counted()
	path := filepath.Join(t.TempDir(), "review.html")
	if err := os.WriteFile(path, []byte(writeReview(t, m, PlanOptions{})), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPage(t, browser)
	p.open("file://" + path)
	p.wait(`'ready' in document.documentElement.dataset`)
	return p
}

// must ends the test on an error.
func (p *browserPage) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatalf("%v\nproblems of the page: %q", err, p.problemsSoFar())
	}
}

func (p *browserPage) problemsSoFar() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

func (p *browserPage) open(url string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	p.must(chromedp.Do(ctx, chromedp.Navigate(url)))
}

// wait waits until an expression is true.
func (p *browserPage) wait(expression string) {
	p.Helper()
	_, err := chromedp.Run(p.ctx, chromedp.Poll[bool]("Boolean("+expression+")", chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		p.Fatalf("%s: %v\nproblems of the page: %q\nlines: %q", expression, err, p.problemsSoFar(), p.lines())
	}
}

// eval returns what an expression comes to.
func eval[T any](p *browserPage, expression string) T {
	p.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return value
}

// text returns the text of the first element that a selector matches, each blank
// one space.
func (p *browserPage) text(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf(`(document.querySelector(%q)?.innerText ?? '(none)').replace(/\s+/g, ' ').trim()`, selector))
}

// click clicks where the first element that a selector matches is.
func (p *browserPage) click(selector string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	p.must(chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))))
}

// keyCodes are those of the keys that have a name.
var keyCodes = map[string]struct {
	code int64
	text string
}{
	"Enter": {13, "\r"}, "Tab": {9, ""}, "Escape": {27, ""}, "ArrowDown": {40, ""}, "ArrowUp": {38, ""},
	"ArrowLeft": {37, ""}, "ArrowRight": {39, ""}, "Home": {36, ""}, "End": {35, ""}, " ": {32, " "},
}

// press presses keys, one after the other, as a keyboard would.
func (p *browserPage) press(keys ...string) {
	p.Helper()
	for _, key := range keys {
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}
		if named, ok := keyCodes[key]; ok {
			down.WindowsVirtualKeyCode, down.Text = named.code, named.text
			down.Code = key
		}
		up := down
		up.Type, up.Text = input.DispatchKeyEventTypeKeyUp, ""
		for _, event := range []input.DispatchKeyEventParams{down, up} {
			_, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, event)
			p.must(err)
		}
	}
}

// typeText types a text, letter by letter.
func (p *browserPage) typeText(text string) {
	p.Helper()
	for _, letter := range text {
		p.press(string(letter))
	}
}

// find filters by a path, in place of what was there.
func (p *browserPage) find(path string) {
	p.Helper()
	eval[bool](p, `(document.getElementById('path').focus(), document.getElementById('path').select(), true)`)
	p.typeText(path)
}

// findOnly filters until one path is listed, and no other.
func (p *browserPage) findOnly(path string) {
	p.Helper()
	p.find("{," + path + "}")
	p.wait(fmt.Sprintf(`document.getElementById('shown').textContent.startsWith('1 of ') && document.querySelector('.row.entry .paths')?.textContent === %q`, path))
}

// prefers sets what the user prefers, as in prefers-color-scheme.
func (p *browserPage) prefers(scheme string) {
	p.Helper()
	feature := &emulation.MediaFeature{Name: "prefers-color-scheme", Value: scheme}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{feature}})
	p.must(err)
}

// screen sets the size of the screen.
func (p *browserPage) screen(width, height int64) {
	p.Helper()
	p.must(chromedp.Do(p.ctx, chromedp.EmulateViewport(width, height)))
}

// lines returns the lines of the list that are elements, in order, each with its
// parts separated by spaces.
func (p *browserPage) lines() []string {
	p.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('#list > .row')].map((row) =>
		[...(row.querySelector('.line') ?? row).children].flatMap((part) => part.matches('.paths') ? [...part.childNodes] : [part])
			.map((part) => part.textContent.trim()).join(' '))`)
}

// wantLines waits until the list has these lines, and perhaps others between
// them.
func (p *browserPage) wantLines(want ...string) {
	p.Helper()
	deadline := time.Now().Add(patience)
	for {
		missing := slices.Clone(want)
		for _, line := range p.lines() {
			if len(missing) > 0 && strings.Contains(line, missing[0]) {
				missing = missing[1:]
			}
		}
		if len(missing) == 0 {
			return
		}
		if time.Now().After(deadline) {
			p.Fatalf("the list lacks %q; it is:\n%s", missing, strings.Join(p.lines(), "\n"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// wantNoProblems: the page's script had none, and wanted nothing that its policy
// doesn't allow.
func (p *browserPage) wantNoProblems() {
	p.Helper()
	if problems := p.problemsSoFar(); len(problems) > 0 {
		p.Errorf("problems of the page: %q", problems)
	}
}

// frames returns the text of each frame of the page, as the browser has it. They
// are of another origin, and so may be of another process: each is a target of its
// own.
func (p *browserPage) frames() []string {
	p.Helper()
	targets, err := chromedp.Targets(p.ctx)
	p.must(err)
	var texts []string
	for _, info := range targets {
		if info.Type != "iframe" {
			continue
		}
		ctx, leave := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID), chromedp.WithDetachOnCancel())
		depth := int64(-1)
		document, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{Depth: &depth})
		leave()
		p.must(err)
		texts = append(texts, textOf(document.Root))
	}
	return texts
}

// textOf returns the text of a node's content, each blank one space.
func textOf(n *cdp.Node) string {
	var b strings.Builder
	var add func(*cdp.Node)
	add = func(n *cdp.Node) {
		if n.NodeType == chromedp.NodeTypeText {
			b.WriteString(n.NodeValue + " ")
		}
		for _, child := range n.Children {
			add(child)
		}
	}
	add(n)
	return strings.Join(strings.Fields(b.String()), " ")
}
