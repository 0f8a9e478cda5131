package apply

import (
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/flatten"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

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
				Help("write a whole number, such as 1"))
		case i > maxObjectName:
			ap.Warn(diag.Errorf(v.At, checks.MarkerRange, "maxLength %d has no effect: the names of objects have at "+
				"most 253 characters", i).
				Help("write a whole number, such as 63"))
		}
		return &schema.Int{V: i, At: v.At}
	}
	s.MinLength, s.MaxLength = length("minLength"), length("maxLength")
	s.Pattern = read.TextOf(m.Arg("pattern"))
	if v := m.Arg("format"); v != nil {
		if f, ok := pattern.FindFormat(permitted, v.Text); ok {
			required := f.Schema(v.At)
			for _, k := range schema.Keywords() {
				flatten.Narrow(&k, s, required)
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
