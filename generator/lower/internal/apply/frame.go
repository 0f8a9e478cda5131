package apply

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// CRD applies the markers of all versions of a kind to its CRD.
type crdMarkers struct {
	ap  Applier
	crd *schema.CRD
	// claims are what each version says about the properties that all versions share.
	claims []claim
	// skip is set if the current version is left out.
	skip bool
}

// CRD returns what applies markers to a CRD.
func (ap Applier) CRD(crd *schema.CRD) *crdMarkers { return &crdMarkers{ap: ap, crd: crd} }

// Apply applies the markers of one version. It returns false if they leave the version out.
func (c *crdMarkers) Apply(v *schema.Version, marks []markers.Marker) bool {
	c.skip = false
	for i := range marks {
		if frame := c.ap.meaning(&marks[i]).frame; frame != nil {
			frame(c, v, &marks[i])
		}
	}
	return !c.skip
}

func (c *crdMarkers) addColumn(v *schema.Version, m *markers.Marker) {
	subresources(v)
	c.ap.expect(m.Arg("type"), "string", "integer", "number", "boolean", "date")
	column := schema.Column{
		At:          m.At,
		Name:        read.TextOf(m.Arg("name")),
		Type:        read.TextOf(m.Arg("type")),
		JSONPath:    read.TextOf(m.Arg("JSONPath")),
		Description: read.TextOf(m.Arg("description")),
		Format:      read.TextOf(m.Arg("format")),
	}
	if p := m.Arg("priority"); p != nil {
		priority, _ := p.Int64()
		column.Priority = int32(priority)
	}
	v.Columns = append(v.Columns, column)
}

func (c *crdMarkers) deprecate(v *schema.Version, m *markers.Marker) {
	if v.Name.V != "" { // without a group there is no version to deprecate
		v.Deprecated = true
		v.DeprecationWarning = argTextPointer(m, "warning")
	}
}

func (c *crdMarkers) skipVersion(v *schema.Version, m *markers.Marker) {
	if v.Name.V == "" {
		c.ap.Report(diag.Errorf(m.At, checks.GroupMissing, "a package without +groupName has no version to skip").
			Help("add +kubebuilder:skip above the package clause to leave the package out"))
	}
	c.skip = true
}

func (c *crdMarkers) setMetadata(v *schema.Version, m *markers.Marker) {
	c.addMetadata(&c.crd.Annotations, m, "annotations", v.Name.V)
	c.addMetadata(&c.crd.Labels, m, "labels", v.Name.V)
}

// subresources returns the version's subresources. A print column needs them too, as in controller-gen: the CRD then
// says `subresources: {}`.
func subresources(v *schema.Version) *schema.Subresources {
	if v.Subresources == nil {
		v.Subresources = &schema.Subresources{}
	}
	return v.Subresources
}

func argTextPointer(m *markers.Marker, name string) *schema.Text {
	if m.Arg(name) == nil {
		return nil
	}
	text := read.TextOf(m.Arg(name))
	return &text
}

func argTexts(m *markers.Marker, name string) []schema.Text {
	var out []schema.Text
	if v := m.Arg(name); v != nil {
		for i := range v.Items {
			out = append(out, read.TextOf(&v.Items[i]))
		}
	}
	return out
}

// setResource sets names and scope. A marker without a plural or singular leaves them to the markers of other versions.
// Every marker sets the scope and the lists of names, so that the last one of several versions counts.
func (c *crdMarkers) setResource(v *schema.Version, m *markers.Marker) {
	name := func(arg string, dst *schema.Text) {
		if t := read.TextOf(m.Arg(arg)); t.V != "" {
			*dst = t
			c.addClaim(v, arg, strconv.Quote(t.V), t.At)
		}
	}
	name("path", &c.crd.Plural)
	name("singular", &c.crd.Singular)
	c.ap.expect(m.Arg("scope"), "Namespaced", "Cluster", "")
	c.crd.Scope = schema.Text{V: "Namespaced", At: m.At}
	if t := read.TextOf(m.Arg("scope")); t.V != "" {
		c.crd.Scope = t
	}
	c.addClaim(v, "scope", c.crd.Scope.V, c.crd.Scope.At)
	names := func(arg string, dst *[]schema.Text) {
		*dst = argTexts(m, arg)
		if len(*dst) > 0 {
			shown := slices.Compact(slices.Sorted(slices.Values(schema.Texts(*dst)))) // their order means nothing
			c.addClaim(v, arg, strings.Join(shown, ";"), m.Arg(arg).At)
		} else {
			c.addClaim(v, arg, "none", m.At)
		}
	}
	names("shortName", &c.crd.ShortNames)
	names("categories", &c.crd.Categories)
}

// addMetadata adds annotations or labels written as key=value; of two with one key the last counts.
func (c *crdMarkers) addMetadata(list *[]schema.KeyValue, m *markers.Marker, arg, version string) {
	for _, item := range argTexts(m, arg) {
		key, value, ok := strings.Cut(item.V, "=")
		if !ok {
			c.ap.Report(diag.Errorf(item.At, markers.BadValue, "expected key=value in %s, got %q", arg, item.V).
				Help("write a key and a value, such as team=web"))
			continue
		}
		kv := schema.KeyValue{Key: key, Value: value, At: item.At}
		property := strings.TrimSuffix(arg, "s") + " " + key
		c.claims = append(c.claims, claim{metadata: true, property: property, version: version,
			shown: strconv.Quote(value),
			at:    item.At})
		if i := slices.IndexFunc(*list, func(o schema.KeyValue) bool { return o.Key == key }); i >= 0 {
			(*list)[i] = kv
			continue
		}
		*list = append(*list, kv)
	}
}

// maxCompared is with how many claims about the same property each claim is compared: the first ones.
const maxCompared = 100

// A claim is what a marker of one version says about a property that all versions share.
type claim struct {
	// metadata is set for kubebuilder:metadata; all other claims come from kubebuilder:resource.
	metadata bool
	property string // the property, such as "scope"
	version  string
	shown    string // the value in messages, in one form for equal values
	at       diag.Span
}

// addClaim records what a version says about a property that all versions share, in place of what it said before.
func (c *crdMarkers) addClaim(v *schema.Version, property, shown string, at diag.Span) {
	said := claim{property: property, version: v.Name.V, shown: shown, at: at}
	before := func(o claim) bool { return !o.metadata && o.property == property && o.version == said.version }
	if i := slices.IndexFunc(c.claims, before); i >= 0 {
		c.claims[i] = said
	} else {
		c.claims = append(c.claims, said)
	}
}

// CheckClaims reports at each version what the versions of a kind disagree on.
func (c *crdMarkers) CheckClaims() {
	type property struct {
		metadata bool
		name     string
	}
	byProperty := map[property][]claim{}
	for _, said := range c.claims {
		if key := (property{said.metadata, said.property}); len(byProperty[key]) < maxCompared {
			byProperty[key] = append(byProperty[key], said)
		}
	}
	for _, said := range c.claims {
		var others []claim
		for _, o := range byProperty[property{said.metadata, said.property}] {
			if o.shown != said.shown {
				others = append(others, o)
			}
		}
		if len(others) == 0 {
			continue
		}
		row, help := checks.ResourceDisagrees, "use the same resource marker in all versions, or in only one"
		if said.metadata {
			row, help = checks.MetadataDisagrees, "keep one of the values"
		}
		message := fmt.Sprintf("%s of %s is %s in %s, but %s in %s: a CRD has one for all versions", said.property,
			c.crd.Kind.V, said.shown, said.version, others[0].shown, others[0].version)
		if said.version == others[0].version {
			message = fmt.Sprintf("%s of %s is both %s and %s", said.property, c.crd.Kind.V, said.shown,
				others[0].shown)
		}
		d := diag.Errorf(said.at, row, "%s", message).Help("%s", help)
		for _, o := range others {
			d = d.See(o.at, "%s in %s", o.shown, o.version)
		}
		c.ap.Mistake(d)
	}
}

// maxObjectName is the maximum length of names and of generateName: API servers validate both as DNS subdomains.
const maxObjectName = 253

// RootMetadata returns the schema of a kind's metadata. A CRD may limit only name and generateName in it.
func (ap Applier) RootMetadata(at diag.Span, t *node.Type, marks []markers.Marker) *schema.Schema {
	out := &schema.Schema{At: at, Type: schema.Text{V: "object"}}
	if m := read.Find(marks, read.MarkGenerateName); m != nil {
		out.Properties = append(out.Properties,
			schema.Property{Name: "generateName", Schema: ap.limitedName(m, pattern.GenerateNameFormats())})
	}
	if m := read.Find(marks, read.MarkObjectName); m != nil {
		out.Properties = append(out.Properties, schema.Property{Name: "name", Schema: ap.limitedName(m,
			pattern.NameFormats())})
	}
	if field := t.Node.Member("metadata"); field != nil && !ap.Opts.Compat {
		for i := range field.Node.Own.Rules {
			ap.Mistake(diag.Errorf(field.Node.Own.Rules[i].At, markers.WrongTarget,
				"the metadata of a kind cannot have rules: a CRD can limit only name and generateName").
				Help("limit the name with +k8s:subfield(name), or with +crdproof:objectName on the kind"))
		}
		for _, p := range field.Node.Properties {
			if p.OfMarker {
				addName(out, p.Name, ap.Flat.At(ap.Reporter).Schema(p.Node))
			}
		}
	}
	return out
}

// addName adds the schema of a name that a tag on the field makes, beside that of a marker on the kind.
func addName(metadata *schema.Schema, name string, said *schema.Schema) {
	limited := metadata.Property(name)
	if limited == nil {
		metadata.Properties = append(metadata.Properties, schema.Property{Name: name, Schema: said})
		return
	}
	more := *said
	more.Type = schema.Text{}
	limited.AllOf = append(limited.AllOf, &more)
}

// limitedName returns the schema of a name that a marker limits.
func (ap Applier) limitedName(m *markers.Marker, permitted []pattern.Format) *schema.Schema {
	s := &schema.Schema{At: m.At, Type: schema.Text{V: "string", At: m.At}}
	if len(m.Args) == 0 {
		ap.Report(diag.Errorf(m.At, markers.MissingArgument, "missing argument of %s: expected minLength, "+
			"maxLength, pattern or format", m.Def.Name).
			Help("write %s", m.Def.Example))
		return s
	}
	length := func(arg string) *schema.Int {
		v := m.Arg(arg)
		if v == nil {
			return nil
		}
		i, _ := v.Int64()
		switch {
		case i < 0:
			ap.Mistake(negative(m, v))
		case i > maxObjectName && arg == "minLength":
			ap.Mistake(diag.Errorf(v.At, checks.MarkerRange, "minLength %d rejects every name: the names of objects "+
				"have at most 253 characters", i).
				Help("write a whole number, such as 1").Changes(diag.AcceptsMore, "shorter names"))
		case i > maxObjectName:
			ap.Warn(diag.Errorf(v.At, checks.MarkerRange, "maxLength %d has no effect: the names of objects have at "+
				"most 253 characters", i).
				Help("write a whole number, such as 63").Changes(diag.AcceptsLess, "only shorter names"))
		}
		return &schema.Int{V: i, At: v.At}
	}
	s.MinLength, s.MaxLength = length("minLength"), length("maxLength")
	s.Pattern = read.TextOf(m.Arg("pattern"))
	if v := m.Arg("format"); v != nil {
		if f, ok := pattern.FindFormat(permitted, v.Text); ok {
			required := f.Schema(v.At)
			for _, k := range schema.Keywords() {
				k.Narrow(s, required)
			}
		} else {
			ap.Report(unfitFormat(v, pattern.FormatNames(permitted)))
		}
	}
	ap.Flat.At(ap.Reporter).CheckBounds(s)
	ap.Deviate(options.OwnMarkers, m.At)
	return s
}

// unfitFormat reports a format that is unknown, or that names or their beginnings cannot have.
func unfitFormat(v *markers.Value, permitted []string) diag.Diagnostic {
	if _, ok := pattern.FindFormat(pattern.NameFormats(), v.Text); ok {
		return diag.Errorf(v.At, markers.BadValue,
			"format %q does not apply to generateName, which is only the beginning of a name", v.Text).
			Help("limit the whole name instead: +%s:format=%s", read.MarkObjectName, v.Text)
	}
	if _, ok := pattern.FormatOf(v.Text); ok {
		return diag.Errorf(v.At, markers.BadValue, "format %q needs a slash, which names of objects cannot have",
			v.Text).
			Help("write one of %s", strings.Join(permitted, ", "))
	}
	return unknownFormat(v, permitted)
}
