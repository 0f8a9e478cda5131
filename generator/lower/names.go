package lower

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// Markers that limit the names of objects.
const (
	markObjectName   = "crdproof:objectName"
	markGenerateName = "crdproof:objectGenerateName"
)

// maxObjectName is the maximum length of names and of generateName: API servers validate both as DNS subdomains.
const maxObjectName = 253

// rootMetadata is the schema of a kind's metadata. A CRD may limit only name and generateName in it.
func (ap applier) rootMetadata(at diag.Span, t *typ, marks []markers.Marker) *schema.Schema {
	out := &schema.Schema{At: at, Type: schema.Text{V: "object"}}
	if m := find(marks, markGenerateName); m != nil {
		out.Properties = append(out.Properties,
			schema.Property{Name: "generateName", Schema: ap.limitedName(m, generateNameFormats())})
	}
	if m := find(marks, markObjectName); m != nil {
		out.Properties = append(out.Properties, schema.Property{Name: "name", Schema: ap.limitedName(m, nameFormats())})
	}
	if field := t.node.member("metadata"); field != nil && !ap.opts.Compat {
		for i := range field.node.s.Rules {
			ap.mistake(diag.Errorf(field.node.s.Rules[i].At, markers.WrongTarget,
				"the metadata of a kind cannot have rules: a CRD can limit only name and generateName").
				Help("limit the name with +k8s:subfield(name), or with +crdproof:objectName on the kind"))
		}
		for _, p := range field.node.properties {
			if p.ofMarker {
				addName(out, p.name, ap.flat.at(ap.reporter).schemaOf(p.node))
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

// limitedName is the schema of a name that a marker limits.
func (ap applier) limitedName(m *markers.Marker, permitted []format) *schema.Schema {
	s := &schema.Schema{At: m.At, Type: schema.Text{V: "string", At: m.At}}
	if len(m.Args) == 0 {
		ap.report(diag.Errorf(m.At, markers.MissingArgument, "missing argument of %s: expected minLength, maxLength, "+
			"pattern or format",
			m.Def.Name).
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
			ap.mistake(negative(m, v))
		case i > maxObjectName && arg == "minLength":
			ap.mistake(diag.Errorf(v.At, markerRange, "minLength %d rejects every name: the names of objects have at "+
				"most "+
				"253 characters", i).
				Help("write a whole number, such as 1"))
		case i > maxObjectName:
			ap.warn(diag.Errorf(v.At, markerRange, "maxLength %d has no effect: the names of objects have at most "+
				"253 "+
				"characters", i).
				Help("write a whole number, such as 63"))
		}
		return &schema.Int{V: i, At: v.At}
	}
	s.MinLength, s.MaxLength = length("minLength"), length("maxLength")
	s.Pattern = textOf(m.Arg("pattern"))
	if v := m.Arg("format"); v != nil {
		if f, ok := findFormat(permitted, v.Text); ok {
			f.addTo(s, textOf(v))
		} else {
			ap.report(unfitFormat(v, formatNames(permitted)))
		}
	}
	ap.flat.at(ap.reporter).checkBounds(s)
	ap.deviate(ownMarkers, m.At)
	return s
}

// Names of formats as apimachinery's functions have them (pkg/util/validation, IsDNS1123Label and others).
const (
	dns1035Label     = "dns1035Label"
	dns1123Label     = "dns1123Label"
	dns1123Subdomain = "dns1123Subdomain"
)

// nameFormats are the formats that names of objects can have. Names are DNS subdomains, so formats with a slash are
// excluded.
func nameFormats() []format {
	withSlash := []string{"k8s-extended-resource-name", "k8s-prefixed-label-key", "k8s-resource-fully-qualified-name"}
	short, _ := formatOf("k8s-short-name")
	long, _ := formatOf("k8s-long-name")
	list := []format{
		{name: dns1035Label, patterns: []string{`^[a-z]([-a-z0-9]*[a-z0-9])?$`}, maxLength: 63},
		{name: dns1123Label, patterns: short.patterns, maxLength: short.maxLength},
		{name: dns1123Subdomain, patterns: long.patterns, maxLength: long.maxLength},
	}
	return append(list, slices.DeleteFunc(formats(),
		func(f format) bool { return slices.Contains(withSlash, f.name) })...)
}

// generateNameFormats are the formats of generateName by the format of the name that the API server makes of it: it
// cuts generateName to 58 characters and appends five letters and digits (k8s.io/apiserver, pkg/storage/names). An
// empty one counts as unset.
func generateNameFormats() []format {
	const label, subdomain = `^([a-z0-9][-a-z0-9]*)?$`, `^(` + labelText + `\.)*([a-z0-9][-a-z0-9]*)?$`
	return []format{
		{name: dns1035Label, patterns: []string{`^([a-z][-a-z0-9]*)?$`}},
		{name: dns1123Label, patterns: []string{label}},
		{name: dns1123Subdomain, patterns: []string{subdomain}},
		{name: "k8s-label-value", patterns: []string{`^([A-Za-z0-9][-A-Za-z0-9_.]*)?$`}},
		{name: "k8s-long-name", patterns: []string{subdomain}},
		{name: "k8s-short-name", patterns: []string{label}},
	}
}

// unfitFormat reports a format that is unknown, or that names or their beginnings cannot have.
func unfitFormat(v *markers.Value, permitted []string) diag.Diagnostic {
	if _, ok := findFormat(nameFormats(), v.Text); ok {
		return diag.Errorf(v.At, markers.BadValue,
			"format %q does not apply to generateName, which is only the beginning of a name", v.Text).
			Help("limit the whole name instead: +%s:format=%s", markObjectName, v.Text)
	}
	if _, ok := formatOf(v.Text); ok {
		return diag.Errorf(v.At, markers.BadValue, "format %q needs a slash, which names of objects cannot have",
			v.Text).
			Help("write one of %s", strings.Join(permitted, ", "))
	}
	return unknownFormat(v, permitted)
}
