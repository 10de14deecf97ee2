package storage

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A journal is stored as lines of JSON: a header, a line for each step, a line
// for each folder, and last the digest of all bytes before that line, so that
// a journal that was cut short or damaged is never taken for a whole one.

type journalHeader struct {
	Version int `json:"version"`
	holderRecord
	Baseline Digest `json:"baseline,omitzero"`
	Next     Digest `json:"next"`
	Steps    int    `json:"steps"`
	Folders  int    `json:"folders"`
}

type holderRecord struct {
	Plan  string `json:"plan"`
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Since Time   `json:"since,omitzero"`
}

type journalStep struct {
	Path   Path         `json:"path"`
	Before journalState `json:"before"`
	After  journalState `json:"after"`
	Stage  string       `json:"stage,omitzero"`
}

type journalState struct {
	Kind   string `json:"kind"`
	Digest Digest `json:"sha256,omitzero"`
	Size   int64  `json:"size,omitzero"` // bytes
}

type journalFolder struct {
	Folder Path `json:"folder"`
}

type journalEnd struct {
	Digest Digest `json:"sha256"`
}

// maxJournalLine bounds a line of a journal, in bytes: a path of MaxPath bytes
// with each one escaped, and ample room for the rest.
const maxJournalLine = 64 << 10

// EncodeJournal writes j to w, line by line.
func EncodeJournal(w io.Writer, j *Journal) error {
	e := newJournalEncoder(w)
	e.line(journalHeader{
		Version:      JournalVersion,
		holderRecord: holderRecord(j.Holder),
		Baseline:     j.Baseline,
		Next:         j.Next,
		Steps:        len(j.Steps),
		Folders:      len(j.Folders),
	})
	for i := range j.Steps {
		s := &j.Steps[i]
		e.line(journalStep{s.Path, stateRecord(s.Before), stateRecord(s.After), s.Stage})
	}
	for _, f := range j.Folders {
		e.line(journalFolder{f})
	}
	e.line(journalEnd{DigestOf(e.sum)})
	return e.flush()
}

func stateRecord(s State) journalState { return journalState{s.Kind.String(), s.Digest, s.Size} }

type journalEncoder struct {
	buf *bufio.Writer
	out io.Writer // buf and sum
	sum hash.Hash
	err error // the first
}

func newJournalEncoder(w io.Writer) *journalEncoder {
	e := &journalEncoder{buf: bufio.NewWriterSize(w, 64<<10), sum: sha256.New()}
	e.out = io.MultiWriter(e.buf, e.sum)
	return e
}

func (e *journalEncoder) line(v any) {
	if e.err != nil {
		return
	}
	b, err := json.Marshal(v)
	if err == nil {
		_, err = e.out.Write(append(b, '\n'))
	}
	e.err = err
}

func (e *journalEncoder) flush() error {
	if e.err != nil {
		return e.err
	}
	return e.buf.Flush()
}

// DecodeJournal reads what EncodeJournal wrote, to the end of r. Every error
// is a *JournalError for the root at addr; for a journal of a newer version
// it has that version.
func DecodeJournal(addr Address, r io.Reader) (*Journal, error) {
	d := &journalDecoder{in: bufio.NewReaderSize(r, maxJournalLine), sum: sha256.New()}
	j, err := d.journal()
	var newer newerJournal
	switch {
	case errors.As(err, &newer):
		return nil, &JournalError{Address: addr, Version: int(newer), Err: err}
	case err != nil:
		return nil, &JournalError{Address: addr, Err: fmt.Errorf("line %d: %w", d.lines, err)}
	}
	return j, nil
}

type newerJournal int

func (v newerJournal) Error() string { return fmt.Sprintf("version %d is newer", int(v)) }

type journalDecoder struct {
	in    *bufio.Reader
	sum   hash.Hash
	lines int
}

func (d *journalDecoder) journal() (*Journal, error) {
	h, err := d.header()
	if err != nil {
		return nil, err
	}
	j := &Journal{Holder: Holder(h.holderRecord), Baseline: h.Baseline, Next: h.Next}
	for range h.Steps {
		s, err := d.step()
		if err != nil {
			return nil, err
		}
		j.Steps = append(j.Steps, s)
	}
	for range h.Folders {
		var f journalFolder
		if err := d.decode(&f); err != nil {
			return nil, err
		}
		if f.Folder.IsZero() {
			return nil, errors.New("has no folder")
		}
		j.Folders = append(j.Folders, f.Folder)
	}
	return j, d.end()
}

func (d *journalDecoder) header() (*journalHeader, error) {
	line, err := d.next()
	if err != nil {
		return nil, err
	}
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(line, &v); err != nil {
		return nil, inWords(err)
	}
	if v.Version > JournalVersion {
		return nil, newerJournal(v.Version)
	}
	if v.Version != JournalVersion {
		return nil, fmt.Errorf("version %d is not a journal's", v.Version)
	}
	h := new(journalHeader)
	if err := strict(line, h); err != nil {
		return nil, err
	}
	if h.Next.IsZero() || h.Steps < 0 || h.Folders < 0 || h.PID < 0 {
		return nil, errors.New("is not a journal's header")
	}
	return h, nil
}

func (d *journalDecoder) step() (Step, error) {
	var r journalStep
	if err := d.decode(&r); err != nil {
		return Step{}, err
	}
	if r.Path.IsZero() {
		return Step{}, errors.New("has no path")
	}
	before, err := r.Before.state()
	if err != nil {
		return Step{}, fmt.Errorf("before: %w", err)
	}
	after, err := r.After.state()
	if err != nil {
		return Step{}, fmt.Errorf("after: %w", err)
	}
	if after.Kind == KindFolder {
		return Step{}, errors.New("after: a step leaves no folder")
	}
	return Step{r.Path, before, after, r.Stage}, nil
}

func (r journalState) state() (State, error) {
	kind, ok := ParseKind(r.Kind)
	s := State{kind, r.Digest, r.Size}
	switch {
	case !ok || kind > KindFolder:
		return State{}, fmt.Errorf("%q is not what a step expects", r.Kind)
	case kind == KindFile && (s.Digest.IsZero() || s.Size < 0 || s.Size > MaxSize):
		return State{}, errors.New("a file without a digest or with a wrong size")
	case kind != KindFile && s != State{Kind: kind}:
		return State{}, errors.New("a digest or size of what is not a file")
	}
	return s, nil
}

// end checks the digest of all lines before the last, and that nothing
// follows it.
func (d *journalDecoder) end() error {
	want := DigestOf(d.sum)
	var e journalEnd
	if err := d.decode(&e); err != nil {
		return err
	}
	if e.Digest != want {
		return errors.New("the digest does not fit the lines before it")
	}
	if _, err := d.in.ReadByte(); err != io.EOF {
		return errors.Join(errors.New("something follows the last line"), err)
	}
	return nil
}

func (d *journalDecoder) decode(v any) error {
	line, err := d.next()
	if err != nil {
		return err
	}
	return strict(line, v)
}

// next returns the next line, valid until the one after it is read.
func (d *journalDecoder) next() ([]byte, error) {
	d.lines++
	line, err := d.in.ReadSlice('\n')
	switch {
	case err == io.EOF:
		return nil, io.ErrUnexpectedEOF
	case err == bufio.ErrBufferFull:
		return nil, errors.New("is too long")
	case err != nil:
		return nil, err
	}
	d.sum.Write(line)
	return bytes.TrimSuffix(line, []byte("\n")), nil
}

func strict(b []byte, v any) error {
	return inWords(json.Unmarshal(b, v, json.RejectUnknownMembers(true)))
}

// inWords says what is wrong with a JSON text without Go's names for it.
func inWords(err error) error {
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		switch {
		case e.Err == nil:
			return fmt.Errorf("%s: is of a kind that can't stand there", e.JSONPointer)
		case errors.Is(e.Err, strconv.ErrSyntax), errors.Is(e.Err, strconv.ErrRange):
			return fmt.Errorf("%s: %s is not an integer that can stand there", e.JSONPointer, e.JSONValue)
		}
		return fmt.Errorf("%s: %w", e.JSONPointer, inWords(e.Err))
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("%s: is not JSON: %w", e.JSONPointer, e.Err)
	}
	return err
}

// EncodeHolder returns h as a line of JSON, for a backend to leave beside the
// lock so that whoever is refused can say who has the root.
func EncodeHolder(h Holder) ([]byte, error) {
	b, err := json.Marshal(holderRecord(h))
	return append(b, '\n'), err
}

// DecodeHolder reads what EncodeHolder wrote.
func DecodeHolder(b []byte) (*Holder, error) {
	var r holderRecord
	if err := strict(b, &r); err != nil {
		return nil, err
	}
	h := Holder(r)
	return &h, nil
}
