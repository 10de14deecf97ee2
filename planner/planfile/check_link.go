package planfile

import (
	"cmp"
	"fmt"

	"distributor/planner/plan"
)

// checkBrokenLinks sees that the links are at roots of the plan and in order,
// and that no more of them are listed than counted.
func checkBrokenLinks(p *plan.Plan) error {
	links := p.BrokenLinks.Links
	if p.BrokenLinks.Count < len(links) {
		return fmt.Errorf("%d broken links are counted, and %d listed", p.BrokenLinks.Count, len(links))
	}
	for i := range links {
		l := &links[i]
		switch {
		case l.Root < 0 || l.Root >= len(p.Roots):
			return fmt.Errorf("a broken link in %q is at root %d, and there are %d", l.Page, l.Root, len(p.Roots))
		case i > 0 && cmp.Or(cmp.Compare(links[i-1].Root, l.Root), links[i-1].Page.Compare(l.Page)) > 0:
			return fmt.Errorf("a broken link in %q comes after one in %q", l.Page, links[i-1].Page)
		}
	}
	return nil
}
