package sample

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A Catalog is the kinds that CRDs define.
type Catalog struct{ kinds []*kind }

// A kind is one of a CRD.
type kind struct {
	group, name string
	crd         crds.CRD
	// versions are those of the API servers: the last one answers.
	versions kube.Range
	// asked is done when the first object needs the CRD: validating a CRD takes longer than validating all its objects.
	asked    sync.Once
	resource *write.Resource
	found    []diag.Diagnostic
}

// served returns the CRD as an API server serves it, or the reason why it cannot be served.
func (k *kind) served(ctx context.Context) (*write.Resource, []diag.Diagnostic) {
	k.asked.Do(func() {
		if k.resource, k.found = k.crd.Serve(ctx, k.crd.Object); k.resource != nil {
			k.resource = k.resource.For(k.versions.Last)
		}
	})
	return k.resource, k.found
}

// NewCatalog returns the catalog of CRDs.
func NewCatalog(list []crds.CRD) *Catalog {
	c := &Catalog{}
	for _, crd := range list {
		c.kinds = append(c.kinds, newKind(crd))
	}
	return c
}

// For sets the versions of the API servers: the last one answers, and notes say which others accept what it rejects.
// By default there is only the newest.
func (c *Catalog) For(versions kube.Range) *Catalog {
	for _, k := range c.kinds {
		k.versions = versions
	}
	return c
}

func newKind(crd crds.CRD) *kind {
	return &kind{group: crd.Object.Spec.Group, name: crd.Object.Spec.Names.Kind, crd: crd}
}

// Kinds returns the kinds with their groups, such as Widget (example.com), sorted.
func (c *Catalog) Kinds() []string {
	var out []string
	for _, k := range c.kinds {
		out = append(out, k.name+" ("+k.group+")")
	}
	slices.Sort(out)
	return out
}

// version returns the version of that name, nil if the CRD does not have it.
func (k *kind) version(name string) *schema.Version {
	i := slices.IndexFunc(k.crd.IR.Versions, func(v schema.Version) bool { return v.Name.V == name })
	if i < 0 {
		return nil
	}
	return &k.crd.IR.Versions[i]
}

// servedVersions returns the API versions in which a server has the kind.
func (k *kind) servedVersions() (out []string) {
	for _, v := range k.crd.Object.Spec.Versions {
		if v.Served {
			out = append(out, k.group+"/"+v.Name)
		}
	}
	return out
}

// find returns the kind of an object, nil for objects of other kinds. If the object was clearly meant to be of one of
// the CRDs, a finding says what is wrong.
func (c *Catalog) find(o *read.Object) (*kind, *diag.Diagnostic) {
	group, _, hasGroup := strings.Cut(o.APIVersion, "/")
	if !hasGroup {
		return nil, c.withoutGroup(o)
	}
	inGroup := c.inGroup(group)
	if len(inGroup) == 0 {
		return nil, c.otherGroup(o, group)
	}
	switch k := c.named(o); {
	case k != nil && !slices.Contains(k.servedVersions(), o.APIVersion):
		return nil, new(k.notServed(o))
	case k != nil:
		return k, nil
	case o.Kind == "":
		d := diag.Errorf(fieldOr(o, "kind"), wrongKind, "Object 'Kind' is missing")
		if len(inGroup) == 1 {
			d = d.Help("add kind: %s", inGroup[0].name)
		}
		return nil, &d
	}
	d := unknownKind(o, group, inGroup)
	if isNamed := o.Name != "" || o.Root.Locate("metadata.generateName").Missing == ""; d.HelpText == "" && !isNamed {
		return nil, nil // a component's configuration, which has the group of the CRDs but is not sent to an API server
	}
	return nil, &d
}

// named returns the kind that an object names, whatever its version.
func (c *Catalog) named(o *read.Object) *kind {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	for _, k := range c.inGroup(group) {
		if k.name == o.Kind {
			return k
		}
	}
	return nil
}

func (c *Catalog) inGroup(group string) (out []*kind) {
	for _, k := range c.kinds {
		if k.group == group {
			out = append(out, k)
		}
	}
	return out
}

// withoutGroup finds objects of the CRDs that lack the group: those without apiVersion, or with one that is not a
// version of the core group.
func (c *Catalog) withoutGroup(o *read.Object) *diag.Diagnostic {
	for _, k := range c.kinds {
		switch {
		case o.APIVersion == k.group && (k.name == o.Kind || o.Kind == ""):
		case k.name != o.Kind, o.APIVersion == "v1": // the version of the core group
			continue
		case o.APIVersion == "" && o.Root.Find("metadata") == nil && o.Root.Find("spec") == nil:
			continue // another document with a field of that name
		}
		return new(k.withoutGroup(o))
	}
	return nil
}

// withoutGroup is about an object of the kind whose apiVersion has no group.
func (k *kind) withoutGroup(o *read.Object) diag.Diagnostic {
	d := noMatches(o, wrongVersion, "apiVersion")
	verb := "write"
	if o.APIVersion == "" {
		d.Path, d.Message = "", "Object 'apiVersion' is missing"
		verb = "add"
	}
	if served := k.servedVersions(); len(served) > 0 {
		meant := served[0]
		if slices.Contains(served, k.group+"/"+o.APIVersion) {
			meant = k.group + "/" + o.APIVersion
		}
		d = d.Help("%s apiVersion: %s", verb, meant)
	}
	return d
}

// noMatches is kubectl's error for an object whose kind or version a server does not have, at the wrong field.
func noMatches(o *read.Object, check *diag.Check, name string) diag.Diagnostic {
	return diag.Errorf(fieldOr(o, name), check, "no matches for kind %q in version %q", o.Kind, o.APIVersion).In(name)
}

// fieldOr returns the position of the value of a field of the root, or else of the beginning of the object.
func fieldOr(o *read.Object, name string) diag.Span {
	if n := o.Root.Find(name); n != nil && n.At.IsValid() && n.At.Start < n.At.End {
		return n.At
	}
	return o.At
}

// notServed reports that the CRD does not have a version, or does not serve it.
func (k *kind) notServed(o *read.Object) diag.Diagnostic {
	served := k.servedVersions()
	d := noMatches(o, wrongVersion, "apiVersion").See(k.crd.IR.At, "the CRD")
	if k.version(versionOf(o)) != nil {
		d = d.Note("the CRD has the version, but does not serve it")
	}
	switch len(served) {
	case 0:
		return d.Note("the CRD serves no version")
	case 1:
		return d.Help("write apiVersion: %s", served[0])
	}
	return d.Note("the CRD serves %s", strings.Join(served, ", ")).Help("%s", diag.DidYouMean(o.APIVersion, served))
}

func unknownKind(o *read.Object, group string, inGroup []*kind) diag.Diagnostic {
	var names []string
	for _, k := range inGroup {
		names = append(names, k.name)
	}
	slices.Sort(names)
	d := noMatches(o, wrongKind, "kind").Help("%s", diag.DidYouMean(o.Kind, names))
	if d.HelpText == "" {
		d = d.Note("the CRDs of %s have the kinds %s", group, strings.Join(names[:min(len(names), maxListed)], ", "))
	}
	return d
}

// otherGroup finds objects of the CRDs whose group is misspelled.
func (c *Catalog) otherGroup(o *read.Object, group string) *diag.Diagnostic {
	for _, k := range c.kinds {
		if k.name == o.Kind && isSlip(group, k.group) {
			return new(noMatches(o, wrongVersion, "apiVersion").
				Help("%s", diag.Meant(k.group+strings.TrimPrefix(o.APIVersion, group))))
		}
	}
	return nil
}

// isSlip reports whether a group is a misspelling of another one: a letter is large, a dot is missing or too many, only
// the last label is another one, or each label resembles the other's and one is equal. A further label is not a slip:
// crd.projectcalico.org and projectcalico.org are two groups.
func isSlip(written, meant string) bool {
	written = strings.ToLower(written)
	if strings.ReplaceAll(written, ".", "") == strings.ReplaceAll(meant, ".", "") {
		return true
	}
	a, b := strings.Split(written, "."), strings.Split(meant, ".")
	if len(a) != len(b) {
		return false
	}
	if last := len(a) - 1; last > 0 && slices.Equal(a[:last], b[:last]) {
		return true
	}
	same := 0
	for i := range a {
		switch {
		case a[i] == b[i]:
			same++
		case diag.Near(a[i], b[i:i+1]) == "" && diag.Near(b[i], a[i:i+1]) == "":
			return false
		}
	}
	return same > 0
}

// versionOf returns the version of an object whose apiVersion has a group.
func versionOf(o *read.Object) string {
	_, name, _ := strings.Cut(o.APIVersion, "/")
	return name
}
