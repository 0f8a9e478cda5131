package rules

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// A location is what a field path of the API server leads to in the IR.
type location struct {
	// place is the schema node, nil outside schemas.
	place *schema.Place
	// at is the nearest position.
	at diag.Span
	// rule is the rule that the path leads into, if any.
	rule *schema.Rule
}

// locate follows a path in the API server's notation as far as the IR goes.
func locate(s *session.Session, path string) location {
	crd := s.CRD
	i, place, rest := s.Find(path)
	if i < 0 {
		return location{at: diag.Nearest(crdField(crd, rest), crd.At)}
	}
	v := &crd.Versions[i]
	if place == nil {
		return location{at: diag.Nearest(versionField(v, rest), v.At, crd.At)}
	}
	at := keyword(place.Schema, rest)
	rule, part := ruleOf(place.Schema, rest)
	if rule != nil {
		at = diag.Nearest(ruleField(rule, part), rule.At)
	}
	return location{place, diag.Nearest(at, place.At(), v.At, crd.At), rule}
}

// ruleOf is the rule that the rest of a path leads into, or nil, and what the path says besides.
func ruleOf(s *schema.Schema, rest string) (rule *schema.Rule, part string) {
	name, below := cutName(rest)
	if i, part, ok := index(below); ok && name == "x-kubernetes-validations" && i < len(s.Rules) {
		return &s.Rules[i], part
	}
	return nil, ""
}

// crdField is the position of a field outside the versions.
func crdField(c *schema.CRD, path string) diag.Span {
	for prefix, list := range map[string][]schema.Text{
		"spec.names.shortNames": c.ShortNames, "spec.names.categories": c.Categories,
	} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			return element(list, rest)
		}
	}
	for prefix, list := range map[string][]schema.KeyValue{
		"metadata.annotations": c.Annotations, "metadata.labels": c.Labels,
	} {
		rest, ok := strings.CutPrefix(path, prefix)
		for _, kv := range list {
			if ok && (rest == "["+kv.Key+"]" || rest == "") {
				return kv.At
			}
		}
	}
	if strings.HasPrefix(path, "spec.conversion") && c.Conversion != nil {
		return c.Conversion.At
	}
	if path == "spec.preserveUnknownFields" && c.PreserveUnknownFields != nil {
		return c.PreserveUnknownFields.At
	}
	at, ok := map[string]diag.Span{
		"metadata.name": diag.Nearest(c.Name.At, c.Plural.At), "spec.group": c.Group.At, "spec.scope": c.Scope.At,
		"spec.names.kind": c.Kind.At, "spec.names.listKind": diag.Nearest(c.ListKind.At, c.Kind.At),
		"spec.names.plural": c.Plural.At, "spec.names.singular": c.Singular.At,
	}[path]
	if !ok {
		return metadataField(c, path)
	}
	return at
}

// metadataField is the position of a field of the metadata that is of no further interest.
func metadataField(c *schema.CRD, path string) diag.Span {
	rest, ok := strings.CutPrefix(path, "metadata.")
	name, _ := cutName(rest)
	for i := range c.Metadata {
		if ok && c.Metadata[i].Name == name {
			return c.Metadata[i].At
		}
	}
	return diag.Span{}
}

// versionField is the position of a field of a version outside its schema.
func versionField(v *schema.Version, rest string) diag.Span {
	switch {
	case rest == ".name":
		return v.Name.At
	case strings.HasPrefix(rest, ".deprecationWarning") && v.DeprecationWarning != nil:
		return v.DeprecationWarning.At
	case strings.HasPrefix(rest, ".selectableFields"):
		return element(v.SelectableFields, strings.TrimPrefix(rest, ".selectableFields"))
	case strings.HasPrefix(rest, ".additionalPrinterColumns"):
		i, rest, ok := index(strings.TrimPrefix(rest, ".additionalPrinterColumns"))
		if !ok || i >= len(v.Columns) {
			return diag.Span{}
		}
		c := &v.Columns[i]
		at := map[string]diag.Span{
			".name": c.Name.At, ".type": c.Type.At, ".JSONPath": c.JSONPath.At, ".format": c.Format.At,
			".description": c.Description.At,
		}[rest]
		return diag.Nearest(at, c.At)
	case strings.HasPrefix(rest, ".subresources.scale") && v.Subresources != nil && v.Subresources.Scale != nil:
		s := v.Subresources.Scale
		at := map[string]diag.Span{
			".specReplicasPath": s.SpecReplicasPath.At, ".statusReplicasPath": s.StatusReplicasPath.At,
		}
		if s.LabelSelectorPath != nil {
			at[".labelSelectorPath"] = s.LabelSelectorPath.At
		}
		return diag.Nearest(at[strings.TrimPrefix(rest, ".subresources.scale")], s.At)
	}
	return diag.Span{}
}

// keyword is the position of a keyword of a node, the rest of a path; of a default or an enum also that of an entry of
// it. Keywords that hold schemas have none: a path leads into these, and into rules.
func keyword(s *schema.Schema, rest string) diag.Span {
	name, below := cutName(rest)
	k := schema.KeywordOf(name)
	if k == nil || k.HoldsSchemas() || name == "x-kubernetes-validations" {
		return diag.Span{}
	}
	i, _, _ := index(below)
	return k.ItemAt(s, i)
}

// ruleField is the position of a part of a rule.
func ruleField(r *schema.Rule, part string) diag.Span {
	if part == ".optionalOldSelf" && r.OptionalOldSelf != nil {
		return r.OptionalOldSelf.At
	}
	return map[string]diag.Span{
		".rule": r.Rule.At, ".message": r.Message.At, ".messageExpression": r.MessageExpression.At,
		".reason": r.Reason.At, ".fieldPath": r.FieldPath.At,
	}[part]
}

// cutName takes the name of a keyword off a path.
func cutName(rest string) (name, below string) {
	rest = strings.TrimPrefix(rest, ".")
	if i := strings.IndexAny(rest, ".["); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, ""
}

// index takes a position off a path.
func index(rest string) (i int, below string, ok bool) {
	n, err := fmt.Sscanf(rest, "[%d]", &i)
	if n != 1 || err != nil || i < 0 {
		return 0, rest, false
	}
	_, below, _ = strings.Cut(rest, "]")
	return i, below, true
}

// element is the position of an entry of a list, of the first one where the path names none.
func element(list []schema.Text, rest string) diag.Span {
	i, _, ok := index(rest)
	switch {
	case ok && i < len(list):
		return list[i].At
	case len(list) > 0:
		return list[0].At
	}
	return diag.Span{}
}
