package planfile

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"distributor/catalog"
	"distributor/planner/plan"
)

// checkPublication holds a publication to its root, and what is said of it as a
// whole to what its changes do.
func (k *checker) checkPublication(p *plan.Plan, i int) error {
	pub := &p.Publications[i]
	switch {
	case pub.Root < 0 || pub.Root >= len(p.Roots):
		return fmt.Errorf("publication %s is at root %d, and there are %d", pub.Owner, pub.Root, len(p.Roots))
	case i > 0 && p.Publications[i-1].Owner.Compare(pub.Owner) >= 0:
		return fmt.Errorf("publication %s comes after %s", pub.Owner, p.Publications[i-1].Owner)
	case !slices.Contains(p.Roots[pub.Root].Destinations, pub.Owner.Destination):
		return fmt.Errorf("publication %s is at a root that its destination doesn't reach", pub.Owner)
	}
	if err := errors.Join(k.checkSkip(pub), checkAddresses(pub)); err != nil {
		return fmt.Errorf("publication %s: %w", pub.Owner, err)
	}
	return nil
}

// checkSkip sees that what is said to be left as it is, is.
func (k *checker) checkSkip(pub *plan.Publication) error {
	if pub.Skipped != nil && k.touched[pub.Owner] {
		return errors.New("it is skipped, and yet outputs of it change")
	}
	return nil
}

// checkAddresses holds the addresses that a plan is shown with to being those of
// a web site (https://www.rfc-editor.org/rfc/rfc3986).
func checkAddresses(pub *plan.Publication) error {
	if pub.BaseURL == "" {
		if pub.Primary != "" {
			return errors.New("primary is given without base_url")
		}
		return nil
	}
	u, err := url.Parse(pub.BaseURL)
	switch {
	case err != nil, !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https"),
		u.Host == "", u.User != nil, strings.ContainsAny(pub.BaseURL, "?#"):
		return fmt.Errorf("base_url %q is not an address of http or https without user, query and fragment", pub.BaseURL)
	case pub.Primary != "" && !strings.HasPrefix(pub.Primary, pub.BaseURL+"/"):
		return fmt.Errorf("primary %q is not below base_url", pub.Primary)
	}
	return nil
}

// checkStays bounds what a root counts without changes to show for it.
func (k *checker) checkStays(p *plan.Plan, i int) error {
	r := &p.Roots[i]
	unconfigured := 0
	for _, u := range r.Unconfigured {
		unconfigured += u.Records
	}
	switch c := r.Counts; {
	case len(r.Destinations) == 0:
		return errors.New("no destination reaches it")
	case unconfigured > c.Kept:
		return fmt.Errorf("%d records of publications that nothing configures are kept, and %d in all", unconfigured, c.Kept)
	case !r.Baseline.Exists && c.Kept+c.Unchanged > 0:
		return errors.New("outputs stay, and it has no catalog that they could be in")
	case !r.Baseline.Exists && k.roots[i] != nil && k.roots[i].recorded:
		return errors.New("changes are of recorded outputs, and it has no catalog")
	}
	return nil
}

// touch notes that a publication's outputs change.
func (k *checker) touch(c *plan.Change) {
	if !c.Touches() {
		return
	}
	if k.touched == nil {
		k.touched = map[catalog.Owner]bool{}
	}
	k.touched[c.Owner] = true
}
