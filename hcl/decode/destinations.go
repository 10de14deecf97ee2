package decode

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"distributor/catalog/storage"
	"distributor/hcl/config"
)

var (
	backendNames  = []string{"local"}
	workflowNames = []string{"additive", "replacement"}
)

// destination is one destination block and what becomes of it.
type destination struct {
	block  block
	result *config.Destination
}

func (l *loader) declareDestination(b block) {
	if !l.checkLabelID(b) {
		return
	}
	if first := l.destinations[b.label()]; first != nil {
		l.fail(b.named, b.header, "Duplicate destination", "The destination %q is declared already at %s. Rename or remove one of them.", b.label(), first.block.header)
		return
	}
	l.destinations[b.label()] = &destination{block: b}
}

func (l *loader) decodeDestination(d *destination) {
	c := l.read(d.block.body, destinationSchema)
	d.result = &config.Destination{ID: d.block.label(), Range: d.block.header}
	if b, ok := l.single(c, d.block, "backend", "It says where the outputs go.", destinationSchema); ok {
		d.result.Backend = l.decodeBackend(b)
	}
	if b, ok := l.single(c, d.block, "workflow", "", destinationSchema); ok {
		d.result.Workflow = l.decodeWorkflow(b)
	}
	if b, ok := l.single(c, d.block, "links", "", destinationSchema); ok {
		d.result.Links = l.decodeLinks(b)
	}
	if b, ok := l.single(c, d.block, "retention", "", destinationSchema); ok {
		d.result.Retention = l.decodeRetention(b)
		if d.result.Workflow.Kind == config.Replacement {
			l.warn(b.header, b.header, "Retention without effect", "A replacement destination holds what is planned and nothing older, so there is nothing for retention to give up. Remove the block, or write %s.", writeAdditive)
		}
	}
}

func (l *loader) decodeBackend(b block) config.Backend {
	if !l.checkKind(b, "backend", backendNames) {
		return config.Backend{}
	}
	backend := config.Backend{Range: b.header}
	c := l.read(b.body, localSchema)
	if a, ok := l.required(c, b, "path", `Write the folder that outputs go to: path = "public"`); ok {
		if path, ok := l.folder(a); ok {
			backend.Local = &config.LocalBackend{Path: path}
		}
	}
	return backend
}

// checkKind says whether a block's label is one of those that there are.
func (l *loader) checkKind(b block, what string, known []string) bool {
	for _, k := range known {
		if b.label() == k {
			return true
		}
	}
	l.fail(b.named, b.header, "Unknown "+what, "There is no %s %q.%s Write %s.", what, b.label(), suggestion(b.label(), known, quoted), listing(quoteAll(known), "or"))
	return false
}

func quoteAll(names []string) []string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = quoted(n)
	}
	return q
}

// folder evaluates an argument that names a folder of this machine.
func (l *loader) folder(a attribute) (string, bool) {
	return l.localPath(a, `For the configuration's own folder, write "."`)
}

// file evaluates an argument that names a file of this machine.
func (l *loader) file(a attribute) (string, bool) {
	return l.localPath(a, "Write where the file is, relative to the configuration's folder, or leave the argument out.")
}

// localPath evaluates an argument that names something on this machine. Where it
// is empty, help says what to write.
func (l *loader) localPath(a attribute, help string) (string, bool) {
	path, ok := l.text(a)
	switch {
	case !ok:
		return "", false
	case path.text == "":
		l.fail(path.at, a.whole, "Invalid path", "The argument %q is empty. %s", a.name, help)
		return "", false
	case strings.ContainsRune(path.text, 0):
		l.fail(path.at, a.whole, "Invalid path", "The path in %q has a NUL character in it, which no file's name can have.", a.name)
		return "", false
	}
	return l.abs(path.text), true
}

func (l *loader) decodeWorkflow(b block) config.Workflow {
	w := config.Workflow{Range: b.header}
	if !l.checkKind(b, "workflow", workflowNames) {
		return w
	}
	if b.label() == config.Replacement.String() {
		w.Kind = config.Replacement
	}
	c := l.read(b.body, workflowSchema)
	if a, ok := c.optional("max_delete"); ok {
		w.MaxDelete = l.maxDelete(a)
	}
	if a, ok := c.optional("allow_empty"); ok {
		w.AllowEmpty, _ = l.flag(a)
	}
	if a, ok := c.optional("allow_older"); ok {
		w.AllowOlder, _ = l.flag(a)
	}
	return w
}

// maxDelete reads a count, or a percentage as text.
func (l *loader) maxDelete(a attribute) *config.MaxDelete {
	at := a.expr.Range()
	v, ok := l.given(a)
	if !ok {
		return nil
	}
	if n, ok := wholeNumber(v); ok && n >= 0 {
		return &config.MaxDelete{Count: n}
	}
	if v.Type() == cty.String {
		if n, ok := percentage(v.AsString()); ok {
			return &config.MaxDelete{Count: n, Percent: true}
		}
	}
	l.fail(at, a.whole, "Invalid bound", `The argument "max_delete" is a whole number from 0, without quotes (max_delete = 100), or a percentage from "0%%" to "100%%", in quotes (max_delete = "25%%").`)
	return nil
}

func percentage(s string) (int64, bool) {
	digits, ok := strings.CutSuffix(s, "%")
	if !ok || len(digits) > 3 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n <= 100
}

func (l *loader) decodeLinks(b block) *config.Links {
	links := &config.Links{}
	c := l.read(b.body, linksSchema)
	if a, ok := l.required(c, b, "base_url", `Write the address under which the destination is served: base_url = "https://example.com/reports"`); ok {
		if url, ok := l.text(a); ok {
			links.BaseURL = l.baseURL(url, a)
		}
	}
	if a, ok := c.optional("primary"); ok {
		if path, ok := l.text(a); ok {
			links.Primary, links.PrimaryRange = l.outputPath(path, a.whole), path.at
		}
	}
	return links
}

// outputPath checks a constant path below a root.
func (l *loader) outputPath(path located, context hcl.Range) storage.Path {
	p, err := storage.ParsePath(path.text)
	switch {
	case err != nil:
		l.fail(path.at, context, "Invalid output path", "The path %q %v.", path.text, err)
	case p.Reserved():
		l.fail(path.at, context, "Invalid output path", "The path %q %s.", path.text, reservedRule)
	}
	return p
}

func (l *loader) decodeRetention(b block) *config.Retention {
	r := &config.Retention{Range: b.header}
	c := l.read(b.body, retentionSchema)
	if a, ok := c.optional("max_age"); ok {
		r.MaxAge = l.maxAge(a)
	}
	if a, ok := c.optional("keep_last"); ok {
		r.KeepLast, _ = l.countFromOne(a)
	}
	if len(c.attributes) == 0 {
		l.fail(b.header, b.header, "Missing argument", `The retention block is empty, so it gives up nothing. Write max_age = "30d", keep_last = 5, or both; or remove the block.`)
	}
	return r
}

func (l *loader) maxAge(a attribute) int64 {
	age, ok := l.text(a)
	if !ok {
		return 0
	}
	n, err := config.ParseAge(age.text)
	if err != nil {
		l.fail(age.at, a.whole, "Invalid age", "The age %q %v.", age.text, err)
	}
	return n
}
