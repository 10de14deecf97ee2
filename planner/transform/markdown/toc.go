package markdown

import (
	"html"
	"html/template"
	"strings"
)

// contents returns the headings of a page and its table of contents.
func contents(headings []heading) ([]Heading, template.HTML) {
	all := make([]Heading, len(headings))
	firsts := 0
	for i, h := range headings {
		all[i] = Heading{h.level, h.id, h.text}
		if h.level == 1 {
			firsts++
		}
	}
	return all, toc(all, firsts == 1)
}

// toc writes the headings as lists within lists. One heading of the first level
// is the page's title, several are its parts.
func toc(headings []Heading, hasTitle bool) template.HTML {
	var b strings.Builder
	var open []int // levels of the lists that are open
	count := 0
	for _, h := range headings {
		if h.Text == "" || hasTitle && h.Level == 1 {
			continue
		}
		count++
		for len(open) > 1 && open[len(open)-1] > h.Level && open[len(open)-2] >= h.Level {
			b.WriteString("</li>\n</ul>")
			open = open[:len(open)-1]
		}
		if len(open) == 0 || open[len(open)-1] < h.Level {
			b.WriteString("<ul>\n")
			open = append(open, h.Level)
		} else {
			b.WriteString("</li>\n")
			open[len(open)-1] = h.Level
		}
		b.WriteString(`<li><a href="#` + anchorHref(h.ID) + `">` + html.EscapeString(h.Text) + "</a>")
	}
	if count < 2 {
		return ""
	}
	b.WriteString(strings.Repeat("</li>\n</ul>", len(open)))
	b.WriteByte('\n')
	//nolint:gosec // all that came from the page is escaped
	return template.HTML(b.String())
}

// anchorHref returns an id as it stands after "#" in an attribute.
func anchorHref(id string) string {
	return html.EscapeString(strings.ReplaceAll(id, "%", "%25"))
}
