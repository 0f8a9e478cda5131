package structural

import (
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
)

// checkSelectableFields asks the API server's code whether a path leads anywhere, and finds out itself why it does
// not. It does not explain rejections: the server's code panics on some paths, and rejects all of them if the schema
// has no structural form.
func checkSelectableFields(p *session.Pass) {
	fields := p.Version.SelectableFields
	if len(fields) == 0 {
		return
	}
	if p.Version.Schema == nil {
		p.Reportf(p.At(fields[0].At), p.Key("selectableFields"),
			"a version without a schema has no fields to select by")
		return
	}
	root, err := p.Version.Structure()
	seen := map[string]diag.Span{}
	for i, f := range fields {
		at, key := p.At(f.At), p.Key(fmt.Sprintf("selectableFields[%d].jsonPath", i))
		if f.V == "" {
			p.Reportf(at, key, "a selectable field has no path").Help("write a path such as .spec.color")
			continue
		}
		if err != nil {
			continue // the API server does not come this far
		}
		s, fault := kube.FieldPath(root, f.V, false)
		if fault != nil {
			reportUnselectable(p, key, f, fault)
			continue
		}
		if f.V == ".metadata" || strings.HasPrefix(f.V, ".metadata.") {
			reportMetadata(p, key, f)
		} else if s == nil || s.Type != "string" && s.Type != "boolean" && s.Type != "integer" {
			is := "of no type"
			if s != nil {
				is = typePhrase(s.Type)
			}
			p.Reportf(at, key, "objects are selected by strings, booleans and integers, but %s is %s", f.V, is).
				Help("name another field")
		}
		if first, ok := seen[f.V]; ok {
			p.Reportf(at, key, "selectable field %s is listed twice", f.V).Help("remove one of them").
				See(first, "first listed here")
		}
		seen[f.V] = f.At
	}
	if len(seen) > validation.MaxSelectableFields {
		p.Reportf(p.At(fields[0].At), p.Key("selectableFields"), "there are %d selectable fields, and the most is 8",
			len(seen)).
			Help("remove some")
	}
}

// reportUnselectable says why a path leads to no field.
func reportUnselectable(p *session.Pass, key string, f schema.Text, fault error) {
	at, t := p.At(f.At), follow(p.Version.Schema, f.V)
	switch {
	case f.V[0] != '.':
		p.Reportf(at, key, "selectable field %q does not begin with a dot", f.V).Help("write .%s", f.V)
	case strings.Contains(f.V, "["):
		p.Reportf(at, key, "selectable field %q has brackets: items of lists cannot be selected by", f.V).
			Help("name a field by its names alone, such as .spec.color")
	case strings.HasPrefix(f.V, ".metadata."):
		reportMetadata(p, key, f)
	case t.missing != nil:
		p.Reportf(p.At(f.Range(t.missing.Start, t.missing.End)), key, "selectable field leads nowhere: %s",
			nowhere(t, "the object")).
			Help("%s", near(t.missing.Name, names(t.in), "name a field of the schema"))
	default:
		p.Reportf(at, key, "selectable field %q is refused: %v", f.V, fault).Help("name a field of the schema")
	}
}

func reportMetadata(p *session.Pass, key string, f schema.Text) {
	p.Reportf(p.At(f.At), key, "fields of metadata are no selectable fields").
		Help("remove it: objects can be selected by name and namespace anyway")
}
