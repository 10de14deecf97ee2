package view

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FormatVersion is the version of every JSON document and stream that the
// program prints. Minor versions add; readers ignore what they don't know.
const FormatVersion = "1.0"

// encoder returns an encoder of JSON to stdout, indented where it is for one
// document, else one value a line.
func (p *printer) encoder(indent bool) *jsontext.Encoder {
	w := &jsonWriter{w: p.w}
	opts := []jsontext.Options{json.Deterministic(true), jsontext.AllowInvalidUTF8(true)}
	if indent {
		opts = append(opts, jsontext.WithIndent("  "))
	}
	return jsontext.NewEncoder(w, opts...)
}

// document writes one JSON document.
func (p *printer) document(v any) {
	if p.err == nil {
		p.err = json.MarshalEncode(p.encoder(true), v)
	}
}

// jsonLine writes one JSON value on a line and passes it on at once.
func (p *printer) jsonLine(v any) {
	if p.err == nil {
		p.err = json.MarshalEncode(p.encoder(false), v)
	}
	p.flush()
}
