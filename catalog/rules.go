package catalog

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
)

var (
	errReserved  = errors.New(`has a segment that starts with ".distributor", which is reserved`)
	errMissing   = errors.New("is missing")
	errTransform = errors.New(`is not names of transforms joined by "+"`)
	errURL       = errors.New("is not an absolute http or https URL")
)

// checkTransform holds the transform of a generated output to its rule: one
// or more names, each by the rule for ids, joined by "+".
func checkTransform(s string) error {
	for name := range strings.SplitSeq(s, "+") {
		if CheckID(name) != nil {
			return errTransform
		}
	}
	return nil
}

// checkURL holds an output's URL to its rule: http or https and a host.
func checkURL(s string) error {
	if plainURL(s) {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return errURL
	}
	return nil
}

// plainURL spares url.Parse the URLs that distributor itself writes for hosts
// without a port: unreserved characters, slashes and percent-encoded bytes.
func plainURL(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	if !ok || rest == "" || !alphanumeric(rest[0]) {
		return false
	}
	host, path, _ := strings.Cut(rest, "/")
	return plainText(host, false) && plainText(path, true)
}

func plainText(s string, isPath bool) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case alphanumeric(c), c == '-', c == '.':
		case isPath && (c == '/' || c == '_' || c == '~'):
		case isPath && c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			i += 2
		default:
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' || 'a' <= c && c <= 'f'
}

// checkKind holds source_path and transform to the record's kind.
func (r *Record) checkKind() error {
	switch {
	case r.Kind == KindSource && r.SourcePath != "":
		return errors.New(`has the kind "source", a copy, which has no "source_path"`)
	case r.Kind == KindSource && r.Transform != "":
		return errors.New(`has the kind "source", a copy, which has no "transform"`)
	case r.Kind == KindGenerated && r.Transform == "":
		return errors.New(`lacks the key "transform", which the kind "generated" requires`)
	}
	return nil
}

// check holds a record that is to be written to every rule that reading it
// will; Path, Digest and Time can only be missing.
func (r *Record) check() error {
	var errs []error
	fail := func(field string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", strictjson.Quote(r.Path.String()), field, err))
		}
	}
	if r.Path.IsZero() {
		fail("path", errMissing)
	} else if r.Path.Reserved() {
		fail("path", errReserved)
	}
	fail("pipeline_id", CheckID(r.Owner.Pipeline))
	fail("destination_id", CheckID(r.Owner.Destination))
	fail("source.id", CheckID(r.Source.ID))
	if r.Source.Created.IsZero() {
		fail("source.created", errMissing)
	}
	if r.Kind.String() == "" {
		fail("kind", errMissing)
	} else {
		fail("kind", r.checkKind())
	}
	if r.SourcePath != "" {
		_, err := storage.ParsePath(r.SourcePath)
		fail("source_path", err)
	}
	if r.Transform != "" {
		fail("transform", checkTransform(r.Transform))
	}
	if r.Size < 0 || r.Size > storage.MaxSize {
		fail("size", fmt.Errorf("is %d", r.Size))
	}
	if r.URL != "" {
		fail("url", checkURL(r.URL))
	}
	return errors.Join(errs...)
}
