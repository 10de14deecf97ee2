package planner

import (
	"fmt"

	"distributor/catalog/storage"
)

// pageWarnings collects what the transforms warned about, in order of
// publication and path. What is told of several pages of a pipeline in the same
// words is told once, with its places counted.
func pageWarnings(pubs []*publication) []string {
	var all []*pageWarning
	same := map[[2]string]*pageWarning{}
	seen := map[[2]string]bool{} // pipeline and file: a page may be published more than once
	for _, p := range pubs {
		for _, o := range p.outputs {
			file := [2]string{p.owner.Pipeline, o.file.Path.String()}
			if seen[file] || o.made == nil || o.encodes != nil {
				continue
			}
			seen[file] = true
			for _, w := range o.allWarnings() {
				key := [2]string{p.owner.Pipeline, w.message}
				if first := same[key]; first != nil {
					if first.last != w.file {
						first.pages++
					}
					first.last, first.places = w.file, first.places+w.places
					continue
				}
				same[key] = &w
				all = append(all, &w)
			}
		}
	}
	texts := make([]string, len(all))
	for i, w := range all {
		texts[i] = w.String()
	}
	return texts
}

// pageWarning is one warning, about one page or several.
type pageWarning struct {
	pipeline      string
	file          storage.Path // the first
	line          int          // in it; 0 where unknown
	message       string
	last          storage.Path // the last
	pages, places int
}

// allWarnings returns what the output's transforms warned about.
func (o *output) allWarnings() []pageWarning {
	var all []pageWarning
	where := o.record.Path
	if !o.lists() {
		where = o.file.Path
	}
	for _, w := range o.warnings {
		all = append(all, pageWarning{o.pub.owner.Pipeline, where, w.Line, w.Message, where, 1, max(1, w.Places)})
	}
	return all
}

// String puts the warning in a line: where it was first, what it is, and how
// often.
func (w *pageWarning) String() string {
	where := fmt.Sprintf("%q", w.file)
	if w.line > 0 {
		where = fmt.Sprintf("%q line %d", w.file, w.line)
	}
	text := fmt.Sprintf("pipeline %q: %s: %s", w.pipeline, where, w.message)
	switch {
	case w.pages > 1:
		text += fmt.Sprintf(" (in all %s in %s)", count(w.places, "place"), count(w.pages, "file"))
	case w.places > 1:
		text += fmt.Sprintf(" (%s)", count(w.places, "place"))
	}
	return text
}
