package markdown

import (
	"cmp"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/transform"
	"distributor/planner/transform/templates"
)

// Page is what a template is executed with.
type Page struct {
	// Title is the front matter's title, else the text of the first heading,
	// else the source file's name without its extension.
	Title string
	// OwnTitle, Description and Date are the front matter's, as text; "" without
	// one.
	OwnTitle, Description, Date string
	// Time is Date where browsers know it as a date, with or without a time;
	// else "".
	Time string
	// Lang is the front matter's language, such as "pt-BR"; "" without one.
	Lang string
	// Dir is the direction of the page's text: "ltr" or "rtl" where the front
	// matter or a first <div dir="rtl"> says it or the language has one, else
	// "auto".
	Dir string
	// Content is the page's inside, as HTML.
	Content template.HTML
	// HasTitle says whether Content shows a title: it has a heading of the
	// first level, or one that reads as Title does.
	HasTitle bool
	// TOC is the table of contents: lists within lists of links to the
	// headings but for the title; "" where that would be less than two.
	TOC template.HTML
	// Headings are all headings of Content, in order.
	Headings []Heading
	// FrontMatter holds the front matter's values by key; empty without one.
	// Dates are text, as they were written.
	FrontMatter map[string]any

	SourcePath string // the source file's path in its bundle: "guide/start.md"
	Path       string // the output's path at its root: "guide/start/index.html"
	URL        string // the output's address; "" at a destination without links
	// Root leads from the page to its root: "./" or "../../", so that
	// {{.Root}}style.css is a file at the root's top.
	Root string

	Bundle      templates.Bundle
	Pipeline    string // the pipeline's id
	Destination string // the destination's id
}

// Heading is a heading of a page.
type Heading struct {
	Level int    // 1 to 6
	ID    string // what links to it end in, after "#"
	Text  string // without marks and links
}

func newPage(d *document, fields map[string]any, content template.HTML) Page {
	if fields == nil {
		fields = map[string]any{}
	}
	in, own := d.in, scalarText(fields["title"])
	title := cmp.Or(own, firstText(d.headings), stem(in.Source.Base()))
	date, lang := scalarText(fields["date"]), scalarText(fields["lang"])
	return Page{
		Title:       title,
		OwnTitle:    own,
		Description: scalarText(fields["description"]),
		Date:        date,
		Time:        timeText(date),
		Lang:        lang,
		Dir:         direction(cmp.Or(scalarText(fields["dir"]), d.dir), lang),
		Content:     content,
		HasTitle:    showsTitle(d.headings, title),
		FrontMatter: fields,
		SourcePath:  in.Source.String(),
		Path:        in.Output.String(),
		URL:         in.URL,
		Root:        transform.RootPrefix(in.Output),
		Bundle:      templates.BundleOf(in.BundleID, in.BundleDigest, in.BundleCreated),
		Pipeline:    in.Pipeline,
		Destination: in.Destination,
	}
}

// direction returns the direction of a page's text.
func direction(dir, lang string) string {
	switch dir = strings.ToLower(dir); dir {
	case "ltr", "rtl":
		return dir
	}
	base, _, _ := strings.Cut(strings.ToLower(lang), "-")
	switch base {
	case "":
		return "auto"
	case "ar", "arc", "azb", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "khw", "ks", "lrc", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi":
		return "rtl"
	}
	return "ltr"
}

// timeText returns a date that <time> may hold, "" for others: 2026-06-19, and
// that with a time, whose seconds and zone may be left out
// (https://html.spec.whatwg.org/#the-time-element).
func timeText(date string) string {
	whole := strings.Replace(date, " ", "T", 1)
	for _, missing := range []string{"", "Z", ":00Z", "T00:00:00Z"} {
		if _, err := storage.ParseTime(whole + missing); err == nil {
			return date
		}
	}
	return ""
}

// scalarText returns a value of the front matter as text; "" where it isn't
// one that reads as text.
func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

func firstText(headings []heading) string {
	for _, h := range headings {
		if h.text != "" {
			return h.text
		}
	}
	return ""
}

func showsTitle(headings []heading, title string) bool {
	return slices.ContainsFunc(headings, func(h heading) bool { return h.level == 1 || h.text == title })
}

// stem returns a file's name without its extension; a name that is all
// extension stays.
func stem(name string) string {
	return cmp.Or(strings.TrimSuffix(name, path.Ext(name)), name)
}
