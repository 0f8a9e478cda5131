package check

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Table is a list of checks to look up in.
type Table []*diag.Check

// Of returns the check with an id, or nil.
func (t Table) Of(id string) *diag.Check {
	if i := slices.IndexFunc(t, func(c *diag.Check) bool { return c.ID == id }); i >= 0 {
		return t[i]
	}
	return nil
}

// Members returns the ids of the checks of a group, or of a name that ends in a star, such as json-*. It returns none
// for any other name.
func (t Table) Members(name string) (ids []string) {
	prefix, isStar := strings.CutSuffix(name, "*")
	for _, c := range t {
		if isStar && strings.HasPrefix(c.ID, prefix) || c.Group != nil && c.Group.ID == name {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// isGroup reports whether a name is that of a group.
func isGroup(name string) bool {
	return slices.ContainsFunc(diag.Groups(), func(g *diag.Group) bool { return g.ID == name })
}

// names reports whether the names in an option, of checks and groups, include a check.
func (t Table) names(list []string, id string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		return name == id || slices.Contains(t.Members(name), id)
	})
}

// hasGroup reports whether the names in an option include the group of a finding.
func hasGroup(list []string, d diag.Diagnostic) bool {
	return d.Hurts != nil && slices.Contains(list, d.Hurts.ID)
}

// MayDrop reports whether a finding can be dropped: an API server accepts what it finds, and the result is complete in
// spite of it.
func (t Table) MayDrop(d diag.Diagnostic) bool {
	c := t.Of(d.Check)
	return c != nil && !c.Verdict && !d.Fatal && (d.Severity != diag.Error || !c.Mistake)
}

// Usable reports ids of an option that are unknown, or that cannot be ignored if that is the purpose.
func (t Table) Usable(option string, ids []string, ignoring bool) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, id := range ids {
		problem := t.unusable(diag.Span{}, id)
		switch {
		case isGroup(id):
			continue
		case strings.HasSuffix(id, "*"):
			problem = t.unusableStar(id, ignoring)
		case !ignoring && (t.Of(id) != nil || id == All):
			continue
		}
		if problem == nil {
			continue
		}
		problem.Message = option + ": " + problem.Message
		out = append(out, *problem)
	}
	return out
}

// Ignore finds mistakes in silences.
var Ignore = &diag.Check{ID: "ignore", Mistake: true, MayWarn: true}

// unusableStar explains why a name with a star at its end stands for no check, or for none that can be ignored if that
// is the purpose. It returns nil if it does.
func (t Table) unusableStar(name string, ignoring bool) *diag.Diagnostic {
	members := t.Members(name)
	isUsable := func(id string) bool { return !ignoring || t.unusable(diag.Span{}, id) == nil }
	switch {
	case name == "*":
		return new(diag.Errorf(diag.Span{}, Ignore, "* alone means all checks").
			Help("write the beginning of their ids, such as json-*%s", map[bool]string{false: ", or " + All}[ignoring]))
	case len(members) == 0:
		var prefixes []string
		for _, c := range t {
			first, _, _ := strings.Cut(c.ID, "-")
			prefixes = append(prefixes, first+"-*")
		}
		slices.Sort(prefixes)
		prefixes = slices.Compact(prefixes)
		return new(diag.Errorf(diag.Span{}, Ignore, "no check matches %s", name).
			Help("%s", diag.DidYouMean(name, prefixes)))
	case !slices.ContainsFunc(members, isUsable):
		return new(diag.Errorf(diag.Span{}, Ignore, "no check that matches %s can be ignored", name).
			Note("the checks are %s", strings.Join(members, ", ")))
	}
	return nil
}

// unusable explains why a check cannot be ignored, nil if it can.
func (t Table) unusable(at diag.Span, id string) *diag.Diagnostic {
	c := t.Of(id)
	switch {
	case id == All:
		return new(diag.Errorf(at, Ignore, "only single checks can be ignored, got %q", All).
			Help("name the checks, for example cel-absent"))
	case isGroup(id):
		return new(diag.Errorf(at, Ignore, "%s is a group: only single checks can be ignored here", id).
			Help("name the check of the finding"))
	case c == nil:
		var ids []string
		for _, c := range t {
			ids = append(ids, c.ID)
		}
		for _, g := range diag.Groups() {
			ids = append(ids, g.ID)
		}
		slices.Sort(ids)
		return new(unknown(at, id, ids))
	case c.Verdict:
		return new(diag.Errorf(at, Ignore, "check %s cannot be ignored: it reports what an API server rejects", id).
			Help("fix the finding, or write the CRD anyway with crd:unproved=true"))
	case !c.CanWarn():
		return new(diag.Errorf(at, Ignore, "check %s cannot be ignored: %s", id, c.Because()).
			Help("fix what it reports"))
	}
	return nil
}

// unknown reports an id that is not in a sorted list, with the ids that were perhaps meant.
func unknown(at diag.Span, id string, ids []string) diag.Diagnostic {
	d := diag.Errorf(at, Ignore, "unknown check %q", id)
	if near := diag.Near(id, ids); near != "" {
		return d.Meant(near)
	}
	// Half an id, such as cel or json, stands for several checks.
	similar := slices.DeleteFunc(ids, func(known string) bool { return id == "" || !strings.Contains(known, id) })
	if len(similar) > 0 {
		d = d.Note("similar checks: %s", strings.Join(similar[:min(len(similar), 5)], ", "))
	}
	return d.Note("all checks: https://github.com/crdproof/crdproof/blob/main/docs/checks.md")
}
