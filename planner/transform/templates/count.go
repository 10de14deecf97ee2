package templates

import (
	"strconv"
	"text/template/parse"
)

// stepName is the function that count puts calls of into templates. They can't
// name it themselves: it isn't known when they are parsed.
const stepName = "step"

// repeating is how many nodes take as long as beginning anew.
const repeating = 5

// count makes a template say how far it is: at the start of its root, and of
// whatever it repeats, it puts a call with the number of nodes that are
// executed there. So whatever repeats, be it by range or by templates that call
// templates, is counted.
func count(root *parse.ListNode) {
	if root != nil {
		root.Nodes = append([]parse.Node{stepNode(root.Pos, repeating+weigh(root))}, root.Nodes...)
	}
}

// weigh returns how many nodes executing n once takes at most, without what it
// repeats, in which it puts calls.
func weigh(n parse.Node) int {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return 0
		}
		sum := 0
		for _, c := range n.Nodes {
			sum += weigh(c)
		}
		return sum
	case *parse.RangeNode:
		weight := 1 + weigh(n.Pipe) + weigh(n.ElseList)
		n.List.Nodes = append([]parse.Node{stepNode(n.Pos, repeating+weigh(n.List))}, n.List.Nodes...)
		return weight
	case *parse.IfNode:
		return 1 + weigh(n.Pipe) + weigh(n.List) + weigh(n.ElseList)
	case *parse.WithNode:
		return 1 + weigh(n.Pipe) + weigh(n.List) + weigh(n.ElseList)
	case *parse.ActionNode:
		return weigh(n.Pipe)
	case *parse.TemplateNode:
		return 1 + weigh(n.Pipe)
	case *parse.PipeNode:
		if n == nil {
			return 0
		}
		sum := 0
		for _, c := range n.Cmds {
			for _, a := range c.Args {
				sum += weigh(a)
			}
		}
		return sum
	default:
		return 1
	}
}

// stepNode returns {{if step n}}{{end}}: unlike an action it prints nothing, so
// that html/template sees no value that it would have to escape.
func stepNode(at parse.Pos, n int) parse.Node {
	number := &parse.NumberNode{NodeType: parse.NodeNumber, Pos: at, IsInt: true, Int64: int64(n), Text: strconv.Itoa(n)}
	call := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: []parse.Node{parse.NewIdentifier(stepName).SetPos(at), number}}
	pipe := &parse.PipeNode{NodeType: parse.NodePipe, Pos: at, Cmds: []*parse.CommandNode{call}}
	return &parse.IfNode{BranchNode: parse.BranchNode{NodeType: parse.NodeIf, Pos: at, Pipe: pipe, List: &parse.ListNode{NodeType: parse.NodeList, Pos: at}}}
}
