package rules

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// The checks of names that several CRDs have.
var (
	namesClash  = &diag.Check{ID: "names-clash", Severity: diag.Error, Accepted: true}
	namesShared = &diag.Check{ID: "names-shared", Severity: diag.Warning}
)

// builtin returns the short names of the kinds of Kubernetes (ShortNames in k8s.io/kubernetes, pkg/registry).
func builtin() []string {
	return strings.Fields("cj cm crd crds cs csr deploy ds ep ev hpa ing limits netpol no ns pc pdb po pv pvc quota " +
		"rc rs sa sc sts svc vac")
}

// Names are the names by which the objects of one CRD are found.
type Names struct {
	at                                   diag.Span
	crd, group                           string
	resources, kinds, shorts, categories []schema.Text
}

// NamesOf returns the names of a CRD, as the API server completes them.
func NamesOf(c *schema.CRD) Names {
	singular, listKind := c.Singular, c.ListKind
	if singular.V == "" {
		singular.V = strings.ToLower(c.Kind.V)
	}
	if listKind.V == "" {
		listKind.V = c.Kind.V + "List"
	}
	return Names{
		at: c.At, crd: c.ObjectName(), group: c.Group.V, shorts: c.ShortNames, categories: c.Categories,
		resources: append([]schema.Text{c.Plural, singular}, c.ShortNames...), kinds: []schema.Text{c.Kind, listKind},
	}
}

// An owner is the first CRD that has a name.
type owner struct {
	crd, group string
	at         diag.Span
}

// owners finds the first CRD for each name.
type owners map[string]owner

// add returns the owner of a name, which may be the CRD itself.
func (list owners) add(key string, n *Names, name schema.Text) owner {
	if _, ok := list[key]; !ok {
		list[key] = owner{n.crd, n.group, n.spanOf(name)}
	}
	return list[key]
}

func (n *Names) spanOf(name schema.Text) diag.Span { return diag.Nearest(name.At, n.at) }

// CommonNames reports names that several CRDs of one cluster have. In a group, the naming controller accepts each name
// once (k8s.io/apiextensions-apiserver, pkg/controller/status/naming_controller.go).
func CommonNames(all []Names) (found []diag.Diagnostic) {
	inGroup, everywhere, members := owners{}, owners{}, map[string]int{}
	for i := range all {
		n := &all[i]
		clash := func(namespace string, name schema.Text) {
			first := inGroup.add(n.group+namespace+name.V, n, name)
			if first.crd != n.crd && name.V != "" {
				found = append(found, diag.Errorf(n.spanOf(name), namesClash,
					"%s and %s have the name %q in common: an API server serves only one of the two",
					n.crd, first.crd, name.V).
					See(first.at, "the other one").Help("give one of them another name"))
			}
		}
		for _, name := range n.resources {
			clash("/", name)
			everywhere.add(name.V, n, name)
		}
		for _, kind := range n.kinds {
			clash(" ", kind)
		}
		for _, category := range n.categories {
			members[category.V]++
		}
	}
	for i := range all {
		found = append(found, all[i].shared(everywhere)...)
		found = append(found, all[i].hidden(everywhere, members)...)
	}
	return found
}

// shared reports short names that kinds of other groups have.
func (n *Names) shared(everywhere owners) (found []diag.Diagnostic) {
	for _, name := range n.shorts {
		first := everywhere[name.V]
		switch {
		case slices.Contains(builtin(), name.V):
			found = append(found, diag.Warningf(n.spanOf(name), namesShared, "the short name %q is that of a kind of "+
				"Kubernetes, which kubectl takes instead", name.V).Help("use another short name"))
		case first.group != n.group:
			found = append(found, diag.Warningf(n.spanOf(name), namesShared,
				"%s and %s have the name %q in common: kubectl takes one of the two", n.crd, first.crd, name.V).
				See(first.at, "the other one").Help("use another short name"))
		}
	}
	return found
}

// hidden reports categories that are names of kinds (k8s.io/cli-runtime, pkg/resource/builder.go, replaceAliases). A
// kind that is alone in a category with its own name is what kubectl takes either way.
func (n *Names) hidden(everywhere owners, members map[string]int) (found []diag.Diagnostic) {
	for _, category := range n.categories {
		first, isName := everywhere[category.V]
		switch {
		case slices.Contains(builtin(), category.V):
			found = append(found, diag.Warningf(n.spanOf(category), namesShared, "the category %q is the short name "+
				"of a kind of Kubernetes: for kubectl, it means the kinds of the category instead", category.V).
				Help("use another category"))
		case isName && (first.crd != n.crd || members[category.V] > 1):
			found = append(found, diag.Warningf(n.spanOf(category), namesShared, "the category %q is also a name of "+
				"%s: for kubectl, it means all kinds of the category", category.V, first.crd).
				See(first.at, "the name").Help("use another category").
				CausedBy(first.at, "a category with the name of a kind"))
		}
	}
	return found
}
