package markdown

import (
	"bytes"
	"html/template"

	"distributor/planner/transform"
)

// spanOf returns where a page has its content: a template writes it as it is.
// The zero span where it does so several times, escaped, or not at all.
func spanOf(content template.HTML, page []byte) transform.Span {
	if content == "" {
		return transform.Span{}
	}
	at := bytes.Index(page, []byte(content))
	if at < 0 || bytes.Contains(page[at+1:], []byte(content)) {
		return transform.Span{}
	}
	return transform.Span{Offset: at, Length: len(content)}
}
