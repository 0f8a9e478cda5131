package confirmed

import (
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/rules/session"
)

// A joinedGuard is one rule that keeps updates from removing any of several fields of an object.
type joinedGuard struct{ rule, names string }

// maxJoined is the maximum length of a rule that guards several fields.
const maxJoined = 600

// joinGuards finds the objects with several fields whose removal lets updates escape rules, and gives these fields one
// guard, if the API server's code rejects each of the removals with it.
func joinGuards(p *session.Pass, causes []*cause, structure *structural.Structural) {
	var paths []string
	groups := map[string][]*cause{}
	for _, c := range causes {
		if e := c.escapes[0]; c.outer != e.Removed || isTop(e.Removed) || c.guardText() == "" {
			continue
		}
		path := c.outer.Above.Path()
		if groups[path] == nil {
			paths = append(paths, path)
		}
		groups[path] = append(groups[path], c)
	}
	for _, path := range paths {
		group := groups[path]
		if len(group) < 2 {
			continue
		}
		var rules, names []string
		for _, c := range group {
			rules = append(rules, "("+c.guardText()+")")
			names = append(names, c.outer.Name)
		}
		joined := &joinedGuard{strings.Join(rules, " && "), list(names)}
		isOpen := func(c *cause) bool { return !c.isGuard(p, structure, joined.rule) }
		if len(joined.rule) > maxJoined || slices.ContainsFunc(group, isOpen) {
			continue
		}
		for _, c := range group {
			c.joined = joined
		}
	}
}
