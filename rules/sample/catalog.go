package sample

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/server"
)

// A Catalog is the kinds that CRDs define.
type Catalog struct{ kinds []*kind }

// A kind is one of a CRD.
type kind struct {
	group, name string
	crd         crds.CRD
	// asked is done when the first object wants the CRD's server: proving a CRD costs more than all its objects.
	asked    sync.Once
	resource *server.Resource
	found    []diag.Diagnostic
}

// served is the CRD's server, or what keeps it from being served.
func (k *kind) served(ctx context.Context) (*server.Resource, []diag.Diagnostic) {
	k.asked.Do(func() { k.resource, k.found = k.crd.Serve(ctx, k.crd.Object) })
	return k.resource, k.found
}

type version = schema.Version

// NewCatalog returns the catalog of CRDs.
func NewCatalog(list []crds.CRD) *Catalog {
	c := &Catalog{}
	for _, crd := range list {
		c.kinds = append(c.kinds, &kind{group: crd.Object.Spec.Group, name: crd.Object.Spec.Names.Kind, crd: crd})
	}
	return c
}

// Kinds are the kinds with their groups, as in Widget (example.com), sorted.
func (c *Catalog) Kinds() []string {
	var out []string
	for _, k := range c.kinds {
		out = append(out, k.name+" ("+k.group+")")
	}
	slices.Sort(out)
	return out
}

// version returns the version of that name, nil where the CRD has none.
func (k *kind) version(name string) *version {
	for i := range k.crd.IR.Versions {
		if v := &k.crd.IR.Versions[i]; v.Name.V == name {
			return v
		}
	}
	return nil
}

// servedVersions are the API versions in which a server has the kind.
func (k *kind) servedVersions() (out []string) {
	for _, v := range k.crd.Object.Spec.Versions {
		if v.Served {
			out = append(out, k.group+"/"+v.Name)
		}
	}
	return out
}

// find returns the kind of an object. It is nil for strangers; for an object that was certainly meant to be of one of the CRDs, a
// finding says what is wrong.
func (c *Catalog) find(o *read.Object) (*kind, *diag.Diagnostic) {
	group, versionName, hasGroup := strings.Cut(o.APIVersion, "/")
	if !hasGroup {
		return nil, c.withoutGroup(o)
	}
	inGroup := c.inGroup(group)
	if len(inGroup) == 0 {
		return nil, c.otherGroup(o, group)
	}
	for _, k := range inGroup {
		if k.name != o.Kind {
			continue
		}
		if !slices.Contains(k.servedVersions(), group+"/"+versionName) {
			return nil, new(k.notServed(o))
		}
		return k, nil
	}
	if o.Kind == "" {
		return nil, new(noKind(o, inGroup))
	}
	d := unknownKind(o, group, inGroup)
	if isNamed := o.Name != "" || o.Root.Locate("metadata.generateName").Missing == ""; d.HelpText == "" && !isNamed {
		return nil, nil // a component's configuration, which has the group of its kinds and is never sent
	}
	return nil, &d
}

// named returns the kind that an object says it is of, whatever its version.
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

// withoutGroup finds objects of the CRDs whose group was left out: those without apiVersion, or with one that neither the core group
// nor anything else has.
func (c *Catalog) withoutGroup(o *read.Object) *diag.Diagnostic {
	for _, k := range c.kinds {
		switch {
		case o.APIVersion == k.group && (k.name == o.Kind || o.Kind == ""):
		case k.name != o.Kind, o.APIVersion == "v1": // which is the core group's
			continue
		case o.APIVersion == "" && o.Root.Find("metadata") == nil && o.Root.Find("spec") == nil:
			continue // something else that has a field of that name
		}
		return new(noGroup(o, k))
	}
	return nil
}

// otherGroup finds objects of the CRDs whose group has a slip in one of its labels.
func (c *Catalog) otherGroup(o *read.Object, group string) *diag.Diagnostic {
	for _, k := range c.kinds {
		if k.name == o.Kind && isSlip(group, k.group) {
			return new(unknownGroup(o, group, k))
		}
	}
	return nil
}

// isSlip reports whether a group differs from another in the letters of one label.
func isSlip(written, meant string) bool {
	a, b := strings.Split(written, "."), strings.Split(meant, ".")
	if len(a) != len(b) {
		return false
	}
	differences := 0
	for i := range a {
		if a[i] != b[i] {
			differences++
			if diag.Near(a[i], b[i:i+1]) == "" {
				return false
			}
		}
	}
	return differences == 1
}

// versionOf is the version of an object whose apiVersion has a group.
func versionOf(o *read.Object) string {
	_, name, _ := strings.Cut(o.APIVersion, "/")
	return name
}
