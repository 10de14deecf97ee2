package weblink

import "bytes"

// tagReader finds the start tags of a page and takes them apart, as
// https://html.spec.whatwg.org/#tokenization does; everything else it skips. A
// page is mostly text, so that this takes a tenth of the time of a tokenizer
// that hands out every token.
type tagReader struct {
	page []byte
	at   int // what is before it was read

	name  []byte      // of the start tag that was found last, as written
	attrs []attribute // of it, in order; valid until the next one is found
}

// attribute is one of a start tag, as written: names in any case, values with
// their character references.
type attribute struct{ name, value []byte }

// next finds the next start tag; false at the end of the page.
func (r *tagReader) next() bool {
	for r.skipTo('<') {
		if r.at == len(r.page) {
			return false
		}
		switch c := r.page[r.at]; {
		case isLetter(c):
			if !r.tag() {
				return false
			}
			r.skipRawText()
			return true
		case c == '/':
			r.at++
			if r.at < len(r.page) && isLetter(r.page[r.at]) {
				r.tag()
			} else {
				r.skipTo('>')
			}
		case c == '!' && bytes.HasPrefix(r.page[r.at:], []byte("!--")):
			r.at += len("!--")
			r.skipComment()
		case c == '!', c == '?':
			r.skipTo('>')
		}
	}
	return false
}

// skipTo skips what is before a byte, and the byte; false where it doesn't come.
func (r *tagReader) skipTo(c byte) bool {
	i := bytes.IndexByte(r.page[r.at:], c)
	if i < 0 {
		r.at = len(r.page)
		return false
	}
	r.at += i + 1
	return true
}

// skipComment skips a comment whose start was read: to "-->" or "--!>", or where
// it ends as soon as it begins to ">" or "->".
func (r *tagReader) skipComment() {
	for _, abrupt := range []string{">", "->"} {
		if bytes.HasPrefix(r.page[r.at:], []byte(abrupt)) {
			r.at += len(abrupt)
			return
		}
	}
	for start := r.at; r.skipTo('>'); {
		before := r.page[start : r.at-1]
		if bytes.HasSuffix(before, []byte("--")) || bytes.HasSuffix(before, []byte("--!")) {
			return
		}
	}
}

// tag reads a tag from its name on; false where the page ends in it.
func (r *tagReader) tag() bool {
	r.attrs = r.attrs[:0]
	r.name = r.until("/>")
	for r.at < len(r.page) {
		switch c := r.page[r.at]; {
		case c == '>':
			r.at++
			return true
		case c == '/' || isBlank(c):
			r.at++
		default:
			r.attrs = append(r.attrs, r.attribute())
		}
	}
	return false
}

// until reads up to a blank or one of two other bytes.
func (r *tagReader) until(ends string) []byte {
	start := r.at
	for r.at < len(r.page) {
		if c := r.page[r.at]; isBlank(c) || c == ends[0] || c == ends[1] {
			break
		}
		r.at++
	}
	return r.page[start:r.at]
}

// attribute reads an attribute from its name on. A name may begin with an
// equals sign.
func (r *tagReader) attribute() attribute {
	start := r.at
	r.at++
	for r.at < len(r.page) {
		if c := r.page[r.at]; isBlank(c) || c == '/' || c == '>' || c == '=' {
			break
		}
		r.at++
	}
	a := attribute{name: r.page[start:r.at]}
	r.skipBlanks()
	if r.at < len(r.page) && r.page[r.at] == '=' {
		r.at++
		a.value = r.value()
	}
	return a
}

// value reads what follows an equals sign.
func (r *tagReader) value() []byte {
	r.skipBlanks()
	if r.at == len(r.page) {
		return nil
	}
	quote := r.page[r.at]
	if quote != '"' && quote != '\'' {
		return r.until(">>")
	}
	r.at++
	start := r.at
	if !r.skipTo(quote) {
		return nil // and the tag has no end
	}
	return r.page[start : r.at-1]
}

func (r *tagReader) skipBlanks() {
	for r.at < len(r.page) && isBlank(r.page[r.at]) {
		r.at++
	}
}

// skipRawText skips what isn't markup though it may look so, after the start tag
// of an element that holds such: to its end tag.
func (r *tagReader) skipRawText() {
	switch {
	case is(r.name, "script"):
		r.skipScript()
	case is(r.name, "plaintext"):
		r.at = len(r.page)
	default:
		for _, name := range []string{"style", "title", "textarea", "iframe", "xmp", "noembed", "noframes"} {
			if is(r.name, name) {
				r.skipToEnd(name)
				return
			}
		}
	}
}

func (r *tagReader) skipToEnd(name string) {
	for r.skipTo('<') {
		if r.opens("/", name) {
			r.at-- // the end tag is for next
			return
		}
	}
}

// skipScript skips a script. In what looks like a comment there, the end tag of
// what looks like a script ends nothing.
func (r *tagReader) skipScript() {
	commented, nested := false, false
	for r.at < len(r.page) {
		switch c := r.page[r.at]; {
		case c == '<' && !commented && bytes.HasPrefix(r.page[r.at:], []byte("<!--")):
			commented = true
			r.at += len("<!") // its dashes may be those of its end
			continue
		case c == '-' && commented && bytes.HasPrefix(r.page[r.at:], []byte("-->")):
			commented, nested = false, false
		case c == '<':
			r.at++
			switch {
			case r.opens("/", "script") && !nested:
				r.at--
				return
			case r.opens("/", "script"):
				nested = false
			case commented && r.opens("", "script"):
				nested = true
			}
			continue
		}
		r.at++
	}
}

// opens says whether a tag of this name is here, after its angle bracket.
func (r *tagReader) opens(slash, name string) bool {
	rest, ok := bytes.CutPrefix(r.page[r.at:], []byte(slash))
	if !ok || len(rest) <= len(name) || !is(rest[:len(name)], name) {
		return false
	}
	c := rest[len(name)]
	return isBlank(c) || c == '/' || c == '>'
}

// is says whether b is name, which is in lower case, in any case.
func is(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }
