package catalog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
)

// Header is what a catalog says beside its records.
type Header struct {
	DistributorVersion string // "" for none
	CreatedAt          storage.Time
	UpdatedAt          storage.Time
}

// Header returns what c says beside its records.
func (c *Catalog) Header() Header {
	return Header{c.DistributorVersion, c.CreatedAt, c.UpdatedAt}
}

// NextTime returns the updated_at of a catalog that replaces one of the time
// old: now, or old and a nanosecond where the clock has not passed that. Zero
// for old means that there is none.
func NextTime(now, old storage.Time) storage.Time {
	if old.IsZero() || now.Compare(old) > 0 {
		return now
	}
	return old.Next()
}

// Encode writes a whole catalog.
func Encode(w io.Writer, c *Catalog) error {
	e := NewEncoder(w, c.Header())
	for i := range c.Records {
		if err := e.Encode(&c.Records[i]); err != nil {
			return err
		}
	}
	return e.Close()
}

// Encoder writes a catalog record by record. The same header and records
// always give the same bytes. After an error it writes no more.
type Encoder struct {
	w    *bufio.Writer
	line []byte
	last storage.Path
	some bool // a record was written
	err  error
}

// NewEncoder starts a catalog. Its errors come with Encode and Close.
func NewEncoder(w io.Writer, h Header) *Encoder {
	e := &Encoder{w: bufio.NewWriterSize(w, 64<<10)}
	e.err = e.header(h)
	return e
}

func (e *Encoder) header(h Header) error {
	if h.CreatedAt.IsZero() || h.UpdatedAt.IsZero() {
		return errors.New("catalog: created_at or updated_at is missing")
	}
	l := append(e.line[:0], "{\n  \"schema_version\": "+strconv.Itoa(SchemaVersion)+",\n"...)
	if h.DistributorVersion != "" {
		var err error
		l = append(l, `  "distributor_version": `...)
		if l, err = jsontext.AppendQuote(l, h.DistributorVersion); err != nil {
			return fmt.Errorf("catalog: distributor_version: %w", err)
		}
		l = append(l, ",\n"...)
	}
	l = append(l, `  "created_at": "`+h.CreatedAt.String()+`",`+"\n"...)
	l = append(l, `  "updated_at": "`+h.UpdatedAt.String()+`",`+"\n"...)
	l = append(l, `  "state": {"mode": "catalog"},`+"\n"+`  "outputs": [`...)
	_, err := e.w.Write(l)
	e.line = l
	return err
}

// Encode writes the next record. Records come in byte order of path, each path
// once, and have both times.
func (e *Encoder) Encode(r *Record) error {
	if e.err == nil {
		e.err = e.record(r)
	}
	return e.err
}

func (e *Encoder) record(r *Record) error {
	switch {
	case e.some && e.last.Compare(r.Path) >= 0:
		return fmt.Errorf("%q: comes after %q in the catalog, against the order of paths", r.Path, e.last)
	case r.CreatedAt.IsZero() || r.UpdatedAt.IsZero():
		return fmt.Errorf("%q: created_at or updated_at is missing", r.Path)
	}
	l := append(e.line[:0], ",\n    "...)
	if !e.some {
		l = l[1:]
	}
	l, err := AppendRecord(l, r)
	if err != nil {
		return err
	}
	e.last, e.some, e.line = r.Path, true, l
	_, err = e.w.Write(l)
	return err
}

// Close ends the catalog. It does not close the writer below.
func (e *Encoder) Close() error {
	if e.err != nil {
		return e.err
	}
	end := "]\n}\n"
	if e.some {
		end = "\n  ]\n}\n"
	}
	if _, e.err = e.w.WriteString(end); e.err == nil {
		e.err = e.w.Flush()
	}
	return e.err
}

// AppendRecord appends the record as the catalog writes it: one JSON object
// without white space or line feed, keys in the order of the format. A zero
// created_at or updated_at is left out. A record that breaks a rule of the
// format is an error and nothing is appended.
func AppendRecord(dst []byte, r *Record) ([]byte, error) {
	if err := r.check(); err != nil {
		return dst, err
	}
	l := lineWriter{b: dst}
	l.text(`{"path":`, r.Path.String())
	l.text(`,"pipeline_id":`, r.Owner.Pipeline)
	l.text(`,"destination_id":`, r.Owner.Destination)
	l.text(`,"source":{"id":`, r.Source.ID)
	l.digest(`,"digest":"`, r.Source.Digest)
	l.time(`,"created":"`, r.Source.Created)
	l.text(`},"kind":`, r.Kind.String())
	if r.SourcePath != "" {
		l.text(`,"source_path":`, r.SourcePath)
	}
	if r.Transform != "" {
		l.text(`,"transform":`, r.Transform)
	}
	l.digest(`,"sha256":"`, r.Digest)
	l.b = strconv.AppendInt(append(l.b, `,"size":`...), r.Size, 10)
	if !r.CreatedAt.IsZero() {
		l.time(`,"created_at":"`, r.CreatedAt)
	}
	if !r.UpdatedAt.IsZero() {
		l.time(`,"updated_at":"`, r.UpdatedAt)
	}
	if r.URL != "" {
		l.text(`,"url":`, r.URL)
	}
	return append(l.b, '}'), l.err
}

// lineWriter appends keys and values; it keeps the first error.
type lineWriter struct {
	b   []byte
	err error
}

func (l *lineWriter) text(key, s string) {
	b, err := jsontext.AppendQuote(append(l.b, key...), s)
	l.keep(b, err)
}

// digest and time append values whose text needs no escape; key has the
// opening quote.
func (l *lineWriter) digest(key string, d storage.Digest) { l.close(d.AppendText(append(l.b, key...))) }

func (l *lineWriter) time(key string, t storage.Time) { l.close(t.AppendText(append(l.b, key...))) }

func (l *lineWriter) close(b []byte, err error) { l.keep(append(b, '"'), err) }

func (l *lineWriter) keep(b []byte, err error) {
	if err != nil && l.err == nil {
		l.err = err
	}
	l.b = b
}
