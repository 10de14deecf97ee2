package markdown

// Options of the transform. DefaultOptions has what a configuration without
// them means; the zero value has everything off.
type Options struct {
	// Template is a user's html/template, executed with a Page; nil for the
	// built-in one.
	Template []byte
	// TemplateName is the template's file name, for messages.
	TemplateName string
	// Partial reads a template that Template, or one that was read before,
	// calls by a name that none of them defines: {{template "head.html" .}}.
	// It is called by New alone, once for each such name, so that what it was
	// asked for is what the pages depend on; a name that it returns
	// fs.ErrNotExist for is an error with the place that calls it. Without it
	// there are no others.
	Partial func(name string) ([]byte, error)

	Highlight         bool // colours code in a language that is known
	Footnotes         bool // [^1]
	DefinitionLists   bool // a term, and on the next line ": what it is"
	Alerts            bool // quotes that begin with [!NOTE]
	HeadingAttributes bool // # Heading {#id .class}
	HeadingAnchors    bool // a link to itself in each heading
	Math              bool // $x$ and $$x$$, as MathML
	Mermaid           bool // ```mermaid as <pre class="mermaid">
	Tables            bool
	TaskLists         bool // - [ ] to do
	Strikethrough     bool // ~~gone~~
	Autolinks         bool // bare addresses are links
	Typographer       bool // quotes, dashes and dots as a printer sets them

	// UnsafeHTML passes raw HTML as it is; Sanitize passes what of it is
	// harmless. With neither it is left out. Not both.
	UnsafeHTML bool
	Sanitize   bool
}

// DefaultOptions returns what a transform block without arguments means:
// everything GitHub has, and no raw HTML.
func DefaultOptions() Options {
	return Options{
		Highlight:         true,
		Footnotes:         true,
		DefinitionLists:   true,
		Alerts:            true,
		HeadingAttributes: true,
		HeadingAnchors:    true,
		Math:              true,
		Mermaid:           true,
		Tables:            true,
		TaskLists:         true,
		Strikethrough:     true,
		Autolinks:         true,
	}
}
