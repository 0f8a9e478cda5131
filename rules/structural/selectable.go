package structural

import (
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// checkSelectableFields asks the API server's code whether a path leads to a field, and finds out itself why it does
// not. It does not explain rejections: the server's code panics on some paths, and rejects all of them if the schema
// has no structural form.
func checkSelectableFields(p *session.Pass) {
	fields := p.Version.SelectableFields
	if len(fields) == 0 {
		return
	}
	if p.Version.Schema == nil {
		p.Reportf(p.At(fields[0].At), p.Key("selectableFields"),
			"selectableFields requires a schema").
			Help("add a schema to the version")
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
			continue // the API server does not get this far
		}
		s, fault := kube.FieldPath(root, f.V, false)
		if fault != nil {
			reportUnselectable(p, key, f, fault)
			continue
		}
		if f.V == ".metadata" || strings.HasPrefix(f.V, ".metadata.") {
			reportMetadata(p, key, f)
		} else if s == nil || s.Type != "string" && s.Type != "boolean" && s.Type != "integer" {
			typ := "untyped"
			if s != nil {
				typ = typePhrase(s.Type)
			}
			p.Reportf(at, key, "a selectable field must be a string, a boolean or an integer, but %s is %s", f.V, typ).
				Help("name another field")
		}
		if first, ok := seen[f.V]; ok {
			p.Reportf(at, key, "duplicate selectable field %s", f.V).Help("remove it").Do(diag.Remove, "").
				See(first, "first listed here")
		}
		seen[f.V] = f.At
	}
	if len(seen) > validation.MaxSelectableFields {
		p.Reportf(p.At(fields[0].At), p.Key("selectableFields"), "%d selectable fields; at most %d are allowed",
			len(seen), validation.MaxSelectableFields).
			Help("remove some of them")
	}
}

// reportUnselectable explains why a path leads to no field.
func reportUnselectable(p *session.Pass, key string, f schema.Text, fault error) {
	at, t := p.At(f.At), follow(p.Version.Schema, f.V)
	switch {
	case f.V[0] != '.':
		p.Reportf(at, key, "selectable field %q does not start with a dot", f.V).Help("write .%s", f.V)
	case strings.Contains(f.V, "["):
		p.Reportf(at, key, "selectable field %q contains brackets: list items are not selectable", f.V).
			Help("name a field without brackets, for example .spec.color")
	case strings.HasPrefix(f.V, ".metadata."):
		reportMetadata(p, key, f)
	case t.missing != nil:
		p.Reportf(p.At(f.Range(t.missing.Start, t.missing.End)), key, "invalid selectable field: %s",
			nowhere(t, "the object")).
			Help("%s", near(t.missing.Name, t.in.PropertyNames(), "name a field of the schema"))
	default:
		p.Reportf(at, key, "the API server rejects selectable field %q: %v", f.V, fault).Help("name a field of the " +
			"schema")
	}
}

func reportMetadata(p *session.Pass, key string, f schema.Text) {
	p.Reportf(p.At(f.At), key, "fields of metadata are not selectable").
		Help("remove it: objects can always be selected by name and namespace").Do(diag.Remove, "")
}
