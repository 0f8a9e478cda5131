package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// definer compares everything but schemas.
type definer struct {
	before, after *schema.CRD
	changes       []Change
	additions     []Addition
}

// definitions compares everything in two CRDs but the schemas.
func definitions(before, after *schema.CRD) ([]Change, []Addition) {
	d := &definer{before: before, after: after}
	d.identity()
	d.conversion()
	had, has := versionsOf(before), versionsOf(after)
	for i := range before.Versions {
		old := &before.Versions[i]
		if now := has[old.Name.V]; now != nil {
			d.version(old, now)
			continue
		}
		d.removed(old)
	}
	for i := range after.Versions {
		if v := &after.Versions[i]; had[v.Name.V] == nil {
			d.additions = append(d.additions, Addition{Path: "spec.versions", At: v.At,
				Message: "new version " + v.Name.V})
		}
	}
	return d.changes, d.additions
}

func (d *definer) add(class Class, versions []string, at string, old, after diag.Span, help, format string,
	args ...any) {
	d.changes = append(d.changes, Change{Versions: versions, Path: at, Message: fmt.Sprintf(format, args...),
		Old: diag.Nearest(old, d.before.At), New: diag.Nearest(after, d.after.At), Help: help,
		Findings: []Finding{{Question: Definition, Answer: No, Class: class}}})
}

// text compares a text of the CRD.
func (d *definer) text(class Class, at string, old, after schema.Text, help string) {
	if old.V != after.V {
		d.add(class, nil, at, old.At, after.At, help, "%s is %q, was %q", last(at), after.V, old.V)
	}
}

func last(at string) string {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i] == '.' {
			return at[i+1:]
		}
	}
	return at
}

const (
	immutable = "an API server rejects the update of the CRD; create a CRD with another name"
	keepName  = "keep the old name"
)

func (d *definer) identity() {
	d.text(ClassStored, "spec.scope", d.before.Scope, d.after.Scope, immutable)
	d.text(ClassStored, "spec.group", d.before.Group, d.after.Group, immutable)
	d.text(ClassStored, "spec.names.kind", d.before.Kind, d.after.Kind, immutable)
	d.text(ClassStored, "spec.names.plural", d.before.Plural, d.after.Plural, immutable)
	d.text(ClassReaders, "spec.names.listKind", listKind(d.before), listKind(d.after), keepName)
	d.text(ClassReaders, "spec.names.singular", singular(d.before), singular(d.after), keepName)
	d.names("spec.names.shortNames", d.before.ShortNames, d.after.ShortNames)
	d.names("spec.names.categories", d.before.Categories, d.after.Categories)
}

// listKind and singular return names that an API server fills in if a CRD lacks them (apiextensions-apiserver,
// pkg/apis/apiextensions/v1/defaults.go).
func listKind(crd *schema.CRD) schema.Text { return filled(crd.ListKind, crd.Kind, crd.Kind.V+"List") }

func singular(crd *schema.CRD) schema.Text {
	return filled(crd.Singular, crd.Kind, strings.ToLower(crd.Kind.V))
}

// filled returns a name, or the one that is made of the kind if it is not set.
func filled(name, kind schema.Text, other string) schema.Text {
	if name.V != "" {
		return name
	}
	return schema.Text{V: other, At: kind.At}
}

// names compares names by which people find objects.
func (d *definer) names(at string, old, after []schema.Text) {
	was, now := namesOf(old), namesOf(after)
	for _, name := range old {
		if !now[name.V] {
			d.add(ClassStrict, nil, at, name.At, diag.Span{}, keepName, "%q removed", name.V)
		}
	}
	for _, name := range after {
		if !was[name.V] {
			d.additions = append(d.additions,
				Addition{Path: at, Message: fmt.Sprintf("new name %q", name.V), At: name.At})
		}
	}
}

func namesOf(list []schema.Text) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, name := range list {
		out[name.V] = true
	}
	return out
}

// versionsOf returns the versions of a CRD by name.
func versionsOf(crd *schema.CRD) map[string]*schema.Version {
	out := make(map[string]*schema.Version, len(crd.Versions))
	for i := range crd.Versions {
		out[crd.Versions[i].Name.V] = &crd.Versions[i]
	}
	return out
}

func (d *definer) conversion() {
	strategy := func(c *schema.CRD) (schema.Text, string) {
		if c.Conversion == nil || c.Conversion.Strategy.V == "" {
			return schema.Text{}, "None"
		}
		return c.Conversion.Strategy, c.Conversion.Strategy.V
	}
	from, was := strategy(d.before)
	to, after := strategy(d.after)
	if was == after || len(d.before.Versions) < 2 && len(d.after.Versions) < 2 {
		return
	}
	class, help := ClassStrict, "deploy the webhook before the CRD"
	if after == "None" {
		class, help = ClassStored, "keep the webhook while objects are stored in another version"
	}
	d.add(class, nil, "spec.conversion.strategy", from.At, to.At, help, "strategy is %q, was %q", after, was)
}

// removed reports a version that does not exist any more. An API server rejects the CRD while it may have stored
// objects in the version (apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go,
// ValidateCustomResourceDefinitionStoredVersions), which only the status of the CRD in the cluster says.
func (d *definer) removed(v *schema.Version) {
	class, what, also := ClassStored, "", ""
	switch {
	case v.Storage:
		what = ", in which objects are stored"
	case v.Served:
		class, also = ClassCreate, "requests to it fail, and "
	default:
		what = ", which was not served"
	}
	d.add(class, []string{v.Name.V}, "spec.versions", v.At, diag.Span{}, d.migration(v), "version %s removed%s",
		v.Name.V, what)
	findings := d.changes[len(d.changes)-1].Findings
	findings[0].Reason = also + "API servers reject the CRD if its status.storedVersions has " + v.Name.V
}

// migration says how objects are stored in another version, and that the CRD knows it.
func (d *definer) migration(v *schema.Version) string {
	to := "another version"
	if next := storageOf(d.after); next != nil {
		to = next.Name.V
	}
	resource := d.before.Plural.V + "." + d.before.Group.V
	return fmt.Sprintf("store all objects in %[1]s before you remove %[2]s: set storage: true on %[1]s, then write "+
		"all objects, with a StorageVersionMigration from Kubernetes 1.37 on, or with\n"+
		"kubectl get %[3]s --all-namespaces -o json | kubectl replace -f -\nthen run\n"+
		"kubectl patch crd %[4]s --subresource=status --type=merge -p '{\"status\":{\"storedVersions\":[\"%[1]s\"]}}'",
		to, v.Name.V, resource, d.before.ObjectName())
}

// version compares everything in a version but the schema.
func (d *definer) version(old, after *schema.Version) {
	names := []string{old.Name.V}
	add := func(class Class, at string, from, to diag.Span, help, format string, args ...any) {
		d.add(class, names, at, diag.Nearest(from, old.At), diag.Nearest(to, after.At), help, format, args...)
	}
	extend := func(at string, span diag.Span, format string, args ...any) {
		d.additions = append(d.additions, Addition{Versions: names, Path: at, Message: fmt.Sprintf(format, args...),
			At: diag.Nearest(span, after.At)})
	}
	switch {
	case old.Served && !after.Served:
		add(ClassCreate, "served", old.At, after.At, "serve the version until all clients use another one",
			"version %s is not served", old.Name.V)
	case !old.Served && after.Served:
		extend("served", after.At, "version %s is served", old.Name.V)
	}
	if old.Storage != after.Storage && after.Storage {
		extend("storage", after.At, "objects are stored in version %s", old.Name.V)
	}
	d.subresources(old, after, add, extend)
	had, has := columnsOf(old), columnsOf(after)
	for i := range old.Columns {
		d.column(&old.Columns[i], has, add)
	}
	for i := range after.Columns {
		if c := &after.Columns[i]; had[c.Name.V] == nil {
			extend("additionalPrinterColumns", c.At, "new column %q", c.Name.V)
		}
	}
	was, now := namesOf(old.SelectableFields), namesOf(after.SelectableFields)
	for _, f := range old.SelectableFields {
		if !now[f.V] {
			add(ClassReaders, "selectableFields", f.At, diag.Span{},
				"keep the field, since field selectors fail without it", "selectable field %s removed", f.V)
		}
	}
	for _, f := range after.SelectableFields {
		if !was[f.V] {
			extend("selectableFields", f.At, "new selectable field %s", f.V)
		}
	}
}

type adder = func(class Class, at string, from, to diag.Span, help, format string, args ...any)

func (d *definer) subresources(old, after *schema.Version, add adder,
	extend func(string, diag.Span, string, ...any)) {
	var before, now schema.Subresources
	if old.Subresources != nil {
		before = *old.Subresources
	}
	if after.Subresources != nil {
		now = *after.Subresources
	}
	had, has := before.Status, now.Status
	switch {
	case had != nil && has == nil:
		add(ClassCreate, "subresources.status", *had, diag.Span{}, "keep the subresource",
			"subresource status removed: writes of the status fail")
	case had == nil && has != nil:
		add(ClassCreate, "subresources.status", diag.Span{}, *has, "write the status through the subresource first",
			"subresource status added: creations and updates ignore the status")
	}
	was, scale := before.Scale, now.Scale
	switch {
	case was != nil && scale == nil:
		add(ClassReaders, "subresources.scale", was.At, diag.Span{}, "keep the subresource",
			"subresource scale removed: kubectl scale and autoscalers fail")
	case was == nil && scale != nil:
		extend("subresources.scale", scale.At, "new subresource scale")
	case was != nil:
		for _, p := range [][2]schema.Text{{was.SpecReplicasPath, scale.SpecReplicasPath},
			{was.StatusReplicasPath, scale.StatusReplicasPath},
			{textOf(was.LabelSelectorPath), textOf(scale.LabelSelectorPath)}} {
			if p[0].V != p[1].V {
				add(ClassReaders, "subresources.scale", p[0].At, p[1].At, "keep the path",
					"subresource scale reads %q, was %q", p[1].V, p[0].V)
			}
		}
	}
}

func textOf(t *schema.Text) schema.Text {
	if t == nil {
		return schema.Text{}
	}
	return *t
}

// columnsOf returns the columns of a version by name. Of several with one name, the first counts.
func columnsOf(v *schema.Version) map[string]*schema.Column {
	out := make(map[string]*schema.Column, len(v.Columns))
	for i := range slices.Backward(v.Columns) {
		out[v.Columns[i].Name.V] = &v.Columns[i]
	}
	return out
}

func (d *definer) column(old *schema.Column, all map[string]*schema.Column, add adder) {
	const help = "keep the column, if scripts read it"
	c := all[old.Name.V]
	if c == nil {
		add(ClassStrict, "additionalPrinterColumns", old.At, diag.Span{}, help, "column %q removed", old.Name.V)
		return
	}
	if c.Type.V != old.Type.V || c.JSONPath.V != old.JSONPath.V {
		add(ClassStrict, "additionalPrinterColumns", old.At, c.At, help, "column %q shows %s %s, was %s %s", old.Name.V,
			c.Type.V, c.JSONPath.V, old.Type.V, old.JSONPath.V)
	}
}
