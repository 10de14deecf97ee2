package markdown

import (
	"html"
	"strings"
)

// attribute is one attribute of a tag in raw HTML.
type attribute struct {
	name        string // in lower case
	value       string // entities resolved
	begin       int    // where the name is in the source
	start, stop int    // where the value is, its quotes included
}

// attributes returns the attributes of a tag, <a href="x">, that lies at offset
// in the source; only those with a value. It goes by HTML's tokenization (WHATWG
// HTML, 13.2.5.32 and on).
func attributes(tag []byte, offset int) []attribute {
	s := attributeScanner{tag: tag, pos: 1}
	s.skipWhile(func(c byte) bool { return !isBlank(c) && c != '>' && (c != '/' || s.pos == 1) })
	var all []attribute
	for {
		s.skipWhile(func(c byte) bool { return isBlank(c) || c == '/' })
		if s.ended() {
			return all
		}
		begin := s.pos
		name := s.name()
		s.skipWhile(isBlank)
		if s.ended() || s.tag[s.pos] != '=' {
			continue
		}
		s.pos++
		s.skipWhile(isBlank)
		start := s.pos
		value := s.value()
		all = append(all, attribute{
			name:  strings.ToLower(name),
			value: html.UnescapeString(value),
			begin: offset + begin, start: offset + start, stop: offset + s.pos,
		})
	}
}

type attributeScanner struct {
	tag []byte
	pos int
}

func (s *attributeScanner) ended() bool { return s.pos >= len(s.tag) || s.tag[s.pos] == '>' }

func (s *attributeScanner) skipWhile(f func(c byte) bool) {
	for s.pos < len(s.tag) && f(s.tag[s.pos]) {
		s.pos++
	}
}

// name reads a name, of which an equals sign at the beginning is part.
func (s *attributeScanner) name() string {
	start := s.pos
	s.pos++
	s.skipWhile(func(c byte) bool { return !isBlank(c) && c != '/' && c != '>' && c != '=' })
	return string(s.tag[start:s.pos])
}

// value reads a value, in quotes or without.
func (s *attributeScanner) value() string {
	if s.ended() {
		return ""
	}
	quote := s.tag[s.pos]
	if quote != '"' && quote != '\'' {
		start := s.pos
		s.skipWhile(func(c byte) bool { return !isBlank(c) && c != '>' })
		return string(s.tag[start:s.pos])
	}
	s.pos++
	start := s.pos
	s.skipWhile(func(c byte) bool { return c != quote })
	value := string(s.tag[start:s.pos])
	if s.pos < len(s.tag) {
		s.pos++
	}
	return value
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}
