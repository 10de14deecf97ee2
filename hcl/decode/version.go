package decode

import (
	"github.com/hashicorp/go-version"
)

// declareDistributor checks the program's version against required_version. A
// configuration may have several such blocks; each must be satisfied.
func (l *loader) declareDistributor(b block) {
	c := l.read(b.body, distributorSchema)
	a, ok := c.optional("required_version")
	if !ok {
		return
	}
	at := a.expr.Range()
	if !l.checkTextLiterals(a.expr, a, "The version constraint") {
		return
	}
	text, ok := literalText(a.expr)
	if !ok {
		l.fail(at, a.whole, "Constant expected", `The version constraint is read before anything else; it is text in quotes, without references, like ">= 0.1.0".`)
		return
	}
	constraints, err := version.NewConstraint(text)
	if err != nil {
		l.fail(at, a.whole, "Invalid version constraint", `%q is not a version constraint. Write one like ">= 0.1.0", "~> 1.2" or ">= 1.0, < 2.0".`, text)
		return
	}
	running, err := version.NewVersion(l.opts.Version)
	if err != nil {
		return // a build without a version
	}
	// A pre-release counts as the release that it leads to.
	if !constraints.Check(running.Core()) {
		l.fail(at, a.whole, "Wrong version of distributor", "This configuration requires version %s, and this is version %s. Install one that fits, or change required_version if it is known to work.", text, l.opts.Version)
	}
}
