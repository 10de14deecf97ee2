package view

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// focused is what has the focus, by its id or its first class.
const focused = `(document.activeElement.id || document.activeElement.classList[0] || document.activeElement.localName)`

// driveKeys: everything can be reached and done with keys.
func driveKeys(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, deletionsPlan())
	line := func(want string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.activeElement.matches('.line') && document.activeElement.textContent.includes(%q)`, want))
	}
	p.press("j")
	line("archive/2023/01.html")
	p.press("ArrowDown", "j", "k", "ArrowUp", "ArrowDown")
	line("archive/2023/02.html")
	p.press("Enter")
	p.wait(`document.activeElement.ariaExpanded === 'true' && document.activeElement.closest('.row').querySelector('.panel .diff')`)
	p.press("p")
	p.wait(`document.querySelector('.preview iframe')`)
	p.press("p")
	p.wait(`!document.querySelector('.preview')`)
	p.press("Enter")
	p.wait(`document.activeElement.ariaExpanded === 'false' && !document.querySelector('.panel')`)
	p.press("n")
	line("index.html")
	p.press("b")
	line("archive/2023/00.html")
	p.press("End")
	line("index.html")
	p.press("Home")
	line("archive/2023/00.html")
	p.press("p")
	p.wait(`document.querySelector('.preview iframe')`)

	p.press("/")
	p.wait(focused + ` === 'path'`)
	p.typeText("jkunsp?")
	p.wait(`document.getElementById('path').value === 'jkunsp?' && !document.getElementById('help').open`)
	p.press("Escape", "Escape")
	p.wait(`document.activeElement.matches('.line')`)

	p.press("?")
	p.wait(`document.getElementById('help').open`)
	p.press("j", "Escape")
	p.wait(`!document.getElementById('help').open`)
	p.press("?")
	p.click("#keys-on")
	p.press("Escape", "/")
	if got := eval[string](p, focused); got == "path" {
		t.Error("a key of one letter works though such keys are off")
	}
	p.wantNoProblems()
}

// driveTab: Tab leads from the beginning to the end through everything, and the
// list and the tree are one stop each; nothing keeps the focus, and it shows.
func driveTab(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, foldsPlan())
	stops := map[string]int{}
	for range 60 {
		p.press("Tab")
		stop := eval[string](p, focused)
		if stop == "body" {
			break
		}
		stops[stop]++
		if outline := eval[string](p, `getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
			t.Errorf("the focus on %s doesn't show", stop)
		}
	}
	for _, once := range []string{"skip", "theme", "help-open", "path", "unified", "split", "line"} {
		if stops[once] != 1 {
			t.Errorf("%d stops at %s", stops[once], once)
		}
	}
	if got := eval[string](p, focused); got != "body" {
		t.Errorf("after 60 steps the focus is on %s; all stops: %v", got, stops)
	}
	if got := eval[int](p, `document.querySelectorAll('#tree [tabindex="0"]').length`); got != 1 {
		t.Errorf("Tab leads to %d places in the tree", got)
	}
}

// driveTree: the folders open and close, and pick.
func driveTree(t *testing.T, browser realBrowser) {
	m := foldsPlan()
	for i := range 250 {
		m.create(fmt.Sprintf("wide/%03d/only/deep/x.txt", i), "x\n")
	}
	p := openReview(t, browser, m)
	item := func(want string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.activeElement.matches('[role=treeitem]') && [...document.activeElement.querySelector('.label').children].map((part) => part.textContent).join(' ').trim().startsWith(%q)`, want))
	}
	eval[bool](p, `(document.querySelector('#tree [role=treeitem]').focus(), true)`)
	item("guide 340")
	p.press("ArrowRight")
	p.wait(`document.querySelectorAll('#tree [role=treeitem]').length === 5`)
	p.press("ArrowRight")
	item("part-0 114")
	p.press("ArrowDown", "Enter")
	item("part-1 113")
	p.wait(`document.getElementById('shown').textContent === '113 of 591 paths'`)
	p.press("Enter")
	p.wait(`document.getElementById('shown').textContent === '591 paths'`)
	p.press("ArrowLeft", "ArrowLeft")
	item("guide 340")
	p.press("End")
	item("wide 250")
	p.press("ArrowRight", "ArrowRight")
	item("000/only/deep 1")
	p.press("End", "Enter")
	item("100/only/deep 1")
	if got := eval[int](p, `document.querySelectorAll('#tree [role=treeitem]').length`); got != 2+200+1 {
		t.Errorf("%d lines in the tree", got)
	}
	p.wantNoProblems()
}

// driveThemes: dark follows what the user prefers, until it is switched, and text
// can be read on its background in both.
func driveThemes(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, footerPlan())
	p.wait(`document.querySelector('.panel ins')`)
	light := eval[string](p, `getComputedStyle(document.body).backgroundColor`)
	p.checkContrast("light")
	p.click("#theme")
	dark := eval[string](p, `getComputedStyle(document.body).backgroundColor`)
	if light == dark {
		t.Errorf("light and dark are both %s", light)
	}
	if got := eval[string](p, `document.getElementById('theme').ariaPressed`); got != "true" {
		t.Errorf("it says that dark is on: %s", got)
	}
	p.checkContrast("dark")
	p.click("#theme")
	if got := eval[string](p, `getComputedStyle(document.body).backgroundColor`); got != light {
		t.Errorf("switched back it is %s, and was %s", got, light)
	}

	preferring := openReview(t, browser, footerPlan())
	for scheme, want := range map[string]string{"dark": dark, "light": light} {
		preferring.prefers(scheme)
		if got := eval[string](preferring, `getComputedStyle(document.body).backgroundColor`); got != want {
			t.Errorf("for who prefers %s it is %s, want %s", scheme, got, want)
		}
		preferring.wait(fmt.Sprintf(`(document.getElementById('theme').ariaPressed === 'true') === %v`, scheme == "dark"))
	}
}

// checkContrast: all text that is on the page stands out from what is behind it by
// the 4.5 to 1 of WCAG 2.2, section 1.4.3.
func (p *browserPage) checkContrast(theme string) {
	p.Helper()
	faint := eval[[]string](p, `(() => {
		const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
		const rgba = (color) => {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			return canvas.getImageData(0, 0, 1, 1).data;
		};
		const luminance = (color) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
			const c = color[i] / 255;
			return sum + part * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		}, 0);
		const behind = (element) => {
			for (let e = element; e; e = e.parentElement) {
				const color = rgba(getComputedStyle(e).backgroundColor);
				if (color[3] === 255) return color;
			}
			return rgba('white');
		};
		const faint = new Set();
		for (const element of document.querySelectorAll('body *')) {
			const own = [...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
			if (!own || !element.checkVisibility() || element.matches('script, style, option')) continue;
			const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
			const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (ratio < 4.5) faint.add(element.localName + '.' + element.className + ' ' + ratio.toFixed(2));
		}
		return [...faint];
	})()`)
	if len(faint) > 0 {
		p.Errorf("%s: too faint: %q", theme, faint)
	}
}

// driveNarrow: on the screen of a phone nothing has to be scrolled sideways, and
// the filters are where they can be opened.
func driveNarrow(t *testing.T, browser realBrowser) {
	m := footerPlan()
	for i := range 3 {
		m.update(fmt.Sprintf("a-folder-with-a-long-name/and-another-one-within/a-file-with-a-very-long-name-%d.txt", i), "old\n", fmt.Sprintf("a-word-that-is-longer-than-any-line-on-a-phone-could-ever-be-%d\n", i))
	}
	p := openReview(t, browser, m)
	p.screen(360, 740)
	p.wait(`innerWidth === 360`)
	fits := func(what string) {
		t.Helper()
		if got := eval[int](p, `document.documentElement.scrollWidth`); got > 360 {
			t.Errorf("%s: the page is %d wide", what, got)
		}
	}
	fits("closed")
	p.press("n", "Enter")
	fits("opened")
	if eval[bool](p, `document.getElementById('side').checkVisibility()`) {
		t.Error("the filters are open from the beginning")
	}
	p.click("#side-open")
	p.wait(`document.getElementById('side').checkVisibility()`)
	fits("with filters")
	p.click(".facet[data-facet=cause] input")
	p.wait(`document.getElementById('shown').textContent !== '21 paths'`)
	p.press("s")
	fits("side by side")
	p.wantNoProblems()
}

// drivePrint: paper gets all lines that the filter shows, up to a bound, and what
// is open, seen or not.
func drivePrint(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, foldsPlan())
	p.click(".row.fold .line")
	p.wantLines("guide/part-0/000.html")
	p.find("guide/**")
	p.wait(`document.getElementById('shown').textContent === '340 of 341 paths'`)
	before := len(p.lines())
	eval[bool](p, `(dispatchEvent(new Event('beforeprint')), true)`)
	if got, want := len(p.lines()), 1+3+114; got != want {
		t.Errorf("%d lines are printed, want %d; %d were seen", got, want, before)
	}
	eval[bool](p, `(dispatchEvent(new Event('afterprint')), true)`)
	p.wait(fmt.Sprintf(`document.querySelectorAll('.row').length === %d`, before))
	pdf, err := chromedp.Run(p.ctx, chromedp.PrintToPDF())
	p.must(err)
	if len(pdf) < 10_000 {
		t.Errorf("the printed page takes %d bytes", len(pdf))
	}
	p.wantNoProblems()
}

// driveMany: of ten thousand changes only those in view are elements, wherever the
// list is scrolled to.
func driveMany(t *testing.T, browser realBrowser) {
	m := sitePlan()
	for i := range 10_000 {
		m.update(fmt.Sprintf("reports/%03d/%05d.txt", i/100, i), fmt.Sprintf("old %d\n", i), fmt.Sprintf("new %d\n", i))
	}
	p := openReview(t, browser, m)
	all := `document.querySelectorAll('body *').length`
	most := 0
	for i := range 21 {
		eval[bool](p, fmt.Sprintf(`(scrollTo(0, document.documentElement.scrollHeight * %d / 20), true)`, i))
		p.wait(`(() => {
			const middle = document.elementFromPoint(innerWidth * 0.6, innerHeight / 2);
			return middle?.closest('.row') || document.documentElement.scrollTop < 600;
		})()`)
		most = max(most, eval[int](p, all))
	}
	p.wantLines("reports/099/09999.txt")
	if blocks := eval[int](p, `document.scripts.length`); most > 1200+blocks {
		t.Errorf("%d elements", most)
	}
	p.findOnly("reports/043/04321.txt")
	p.click(".row.entry .line")
	p.wait(`document.querySelector('.panel .added .text')?.textContent === 'new 4321'`)
	p.press("/", "Escape")
	p.wait(`document.getElementById('shown').textContent === '10,000 paths'`)
	p.press("Escape")
	p.wait(`document.activeElement.textContent.includes('04321.txt')`)
	p.wait(`document.querySelector('.panel .added .text')?.textContent === 'new 4321'`)
	p.wantNoProblems()
}

// driveEveryPlan: every line of every sample can be opened, in both modes, and the
// page has no problem with it.
func driveEveryPlan(t *testing.T, browser realBrowser) {
	for name, sample := range samplePlans {
		t.Run(name, func(t *testing.T) {
			p := openReview(t, browser, sample())
			for range 3 { // lists that open hold lines that open
				eval[bool](p, `(() => {
					for (const line of document.querySelectorAll('.line[aria-expanded=false]')) line.click();
					return true;
				})()`)
				p.wait(`document.querySelectorAll('[aria-busy]').length === 0`)
			}
			p.press("s", "u", "s")
			if broken := eval[[]string](p, `[...document.querySelectorAll('.panel .absent')].map((e) => e.textContent).filter((text) => text.startsWith('This can not'))`); len(broken) > 0 {
				t.Errorf("%q", broken)
			}
			if unnamed := eval[int](p, `[...document.querySelectorAll('button, input, iframe')].filter((e) => e.checkVisibility() && !(e.innerText || e.title || e.closest('label')?.innerText || e.ariaLabel)).length`); unnamed > 0 {
				t.Errorf("%d things to use have no name", unnamed)
			}
			if twice := eval[[]string](p, `[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)`); len(twice) > 0 {
				t.Errorf("ids that are there twice: %q", twice)
			}
			p.wantNoProblems()
		})
	}
}

func driveNothing(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, nothingPlan())
	if got := p.text("h1"); got != "Nothing to change" {
		t.Errorf("it says %q", got)
	}
	p.press("j", "k", "n", "b", "p", "End")
	p.wantNoProblems()
}

// driveRoots: where there are several roots, each line names its own, and they
// can be picked and have their folders.
func driveRoots(t *testing.T, browser realBrowser) {
	m := sitePlan()
	m.plan.Roots = append(m.plan.Roots, siteRoot("/srv/mirror", "mirror"))
	m.create("a/x.txt", "x\n")
	m.create("a/y.txt", "y\n").Root = 1
	m.create("b/z.txt", "z\n").Root = 1
	p := openReview(t, browser, m)
	p.wantLines("Created 3", "a/x.txt local:/srv/www", "a/y.txt local:/srv/mirror", "b/z.txt local:/srv/mirror")
	p.click(".facet[data-facet=root] input[value='local:/srv/mirror']")
	p.wait(`document.getElementById('shown').textContent === '2 of 3 paths'`)
	p.click("#active-filters .chip")
	p.click("#tree [role=treeitem]:nth-child(2) .label")
	p.wait(`document.getElementById('shown').textContent === '2 of 3 paths'`)
	p.wantNoProblems()
}
