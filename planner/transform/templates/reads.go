package templates

import "text/template/parse"

// Reads says whether t may read a field of its data, whichever template it
// calls. It errs on the side of true: where the data is printed as a whole,
// given to a function or kept in a variable, every field may be read, and so
// may be one whose name is that of a field of something else.
func Reads(t *Template, field string) bool {
	r := reader{names: map[string]bool{}}
	for _, defined := range t.parsed.Templates() {
		if defined.Tree != nil {
			r.node(defined.Tree.Root, true)
		}
	}
	return r.whole || r.names[field]
}

// reader gathers what templates read.
type reader struct {
	names map[string]bool // of fields, of whatever
	whole bool            // the data itself goes somewhere
}

// node looks at one node. isData says whether the dot may be the data there.
func (r *reader) node(n parse.Node, isData bool) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			r.node(c, isData)
		}
	case *parse.ActionNode:
		r.pipe(n.Pipe, isData)
		r.whole = r.whole || isAlone(n.Pipe, isData)
	case *parse.IfNode:
		r.branch(&n.BranchNode, isData, isData)
	case *parse.WithNode:
		r.branch(&n.BranchNode, isData, isAlone(n.Pipe, isData))
	case *parse.RangeNode:
		r.branch(&n.BranchNode, isData, false)
	case *parse.TemplateNode:
		r.pipe(n.Pipe, isData) // what is called with the data is looked at, too
	case *parse.TextNode, *parse.CommentNode, *parse.BreakNode, *parse.ContinueNode:
	default:
		r.whole = true
	}
}

// branch looks at a condition and what depends on it; inside says whether the
// dot may be the data where the condition holds.
func (r *reader) branch(n *parse.BranchNode, isData, inside bool) {
	r.pipe(n.Pipe, isData)
	r.node(n.List, inside)
	r.node(n.ElseList, isData)
}

// isAlone says whether a pipeline is nothing but the data.
func isAlone(p *parse.PipeNode, isData bool) bool {
	return p != nil && len(p.Cmds) > 0 && len(p.Cmds[0].Args) == 1 && isDataItself(p.Cmds[0].Args[0], isData)
}

// isDataItself says whether an operand may be the data as a whole: the dot, or
// what the template was called with.
func isDataItself(n parse.Node, isData bool) bool {
	switch n := n.(type) {
	case *parse.DotNode:
		return isData
	case *parse.VariableNode:
		return len(n.Ident) == 1 && n.Ident[0] == "$"
	default:
		return false
	}
}

// pipe looks at a pipeline: for names, and for the data itself in a variable or
// as an argument.
func (r *reader) pipe(p *parse.PipeNode, isData bool) {
	if p == nil {
		return
	}
	simple := len(p.Decl) == 0 && len(p.Cmds) == 1 && len(p.Cmds[0].Args) == 1
	for _, c := range p.Cmds {
		for _, a := range c.Args {
			r.whole = r.whole || !simple && isDataItself(a, isData)
			r.operand(a, isData)
		}
	}
}

func (r *reader) operand(n parse.Node, isData bool) {
	switch n := n.(type) {
	case *parse.FieldNode:
		r.name(n.Ident)
	case *parse.VariableNode:
		r.name(n.Ident[1:])
	case *parse.ChainNode:
		r.name(n.Field)
		r.operand(n.Node, isData)
	case *parse.PipeNode:
		r.pipe(n, isData)
		r.whole = r.whole || isAlone(n, isData)
	}
}

func (r *reader) name(idents []string) {
	for _, ident := range idents {
		r.names[ident] = true
	}
}
