package rules

import (
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
	i, place, end := s.Find(path)
	rest, _ := schema.ParsePath(end)
	if i < 0 {
		return location{at: diag.Nearest(crdField(crd, rest), crd.At)}
	}
	v := &crd.Versions[i]
	if place == nil {
		return location{at: diag.Nearest(versionField(v, rest), v.At, crd.At)}
	}
	at, rule := keyword(place.Schema, rest)
	return location{place, diag.Nearest(at, place.At(), v.At, crd.At), rule}
}

// withoutItems returns the names of a path with dots between them, and the index of its first item, -1 if it has none.
func withoutItems(path schema.Path) (names string, item int) {
	item = -1
	for _, step := range path {
		switch {
		case !step.IsItem():
			names += "." + step.Name
		case item < 0:
			item = step.Index
		}
	}
	return strings.TrimPrefix(names, "."), item
}

// crdField returns the position of a field outside the versions.
func crdField(c *schema.CRD, path schema.Path) diag.Span {
	names, item := withoutItems(path)
	switch {
	case names == "spec.names.shortNames":
		return element(c.ShortNames, item)
	case names == "spec.names.categories":
		return element(c.Categories, item)
	case strings.HasPrefix(names, "spec.conversion") && c.Conversion != nil:
		return c.Conversion.At
	case names == "spec.preserveUnknownFields" && c.PreserveUnknownFields != nil:
		return c.PreserveUnknownFields.At
	case strings.HasPrefix(names, "metadata.") && names != "metadata.name":
		return metadataField(c, strings.TrimPrefix(names, "metadata."))
	}
	return map[string]diag.Span{
		"metadata.name": diag.Nearest(c.Name.At, c.Plural.At), "spec.group": c.Group.At, "spec.scope": c.Scope.At,
		"spec.names.kind": c.Kind.At, "spec.names.listKind": diag.Nearest(c.ListKind.At, c.Kind.At),
		"spec.names.plural": c.Plural.At, "spec.names.singular": c.Singular.At,
	}[names]
}

// metadataField returns the position of an annotation, of a label, or of another field of the metadata.
func metadataField(c *schema.CRD, names string) diag.Span {
	for prefix, list := range map[string][]schema.KeyValue{"annotations": c.Annotations, "labels": c.Labels} {
		for _, kv := range list {
			if names == prefix || names == prefix+"."+kv.Key {
				return kv.At
			}
		}
	}
	for i := range c.Metadata {
		if name, _, _ := strings.Cut(names, "."); c.Metadata[i].Name == name {
			return c.Metadata[i].At
		}
	}
	return diag.Span{}
}

// versionField returns the position of a field of a version outside its schema.
func versionField(v *schema.Version, path schema.Path) diag.Span {
	names, item := withoutItems(path)
	first, rest, _ := strings.Cut(names, ".")
	switch {
	case names == "name":
		return v.Name.At
	case first == "deprecationWarning" && v.DeprecationWarning != nil:
		return v.DeprecationWarning.At
	case first == "selectableFields":
		return element(v.SelectableFields, item)
	case first == "additionalPrinterColumns" && item >= 0 && item < len(v.Columns):
		c := &v.Columns[item]
		at := map[string]diag.Span{
			"name": c.Name.At, "type": c.Type.At, "JSONPath": c.JSONPath.At, "format": c.Format.At,
			"description": c.Description.At,
		}[rest]
		return diag.Nearest(at, c.At)
	case strings.HasPrefix(names, "subresources.scale") && v.Subresources != nil && v.Subresources.Scale != nil:
		s := v.Subresources.Scale
		at := map[string]diag.Span{
			"specReplicasPath": s.SpecReplicasPath.At, "statusReplicasPath": s.StatusReplicasPath.At,
		}
		if s.LabelSelectorPath != nil {
			at["labelSelectorPath"] = s.LabelSelectorPath.At
		}
		return diag.Nearest(at[strings.TrimPrefix(rest, "scale.")], s.At)
	}
	return diag.Span{}
}

// keyword returns the position of a keyword of a node, of an entry of a default or an enum, or of a part of a rule,
// which it also returns. Keywords that hold schemas have none: a path leads into these.
func keyword(s *schema.Schema, path schema.Path) (diag.Span, *schema.Rule) {
	if len(path) == 0 {
		return diag.Span{}, nil
	}
	k, item := schema.KeywordOf(path[0].Name), 0
	if len(path) > 1 && path[1].Index >= 0 {
		item = path[1].Index
	}
	switch {
	case k == nil || k.HoldsSchemas():
		return diag.Span{}, nil
	case k.Name != "x-kubernetes-validations":
		return k.ItemAt(s, item), nil
	case len(path) == 1 || !path[1].IsItem() || item >= len(s.Rules):
		return diag.Span{}, nil
	}
	rule := &s.Rules[item]
	return diag.Nearest(ruleField(rule, path[2:].String()), rule.At), rule
}

// ruleField returns the position of a part of a rule.
func ruleField(r *schema.Rule, part string) diag.Span {
	if part == "optionalOldSelf" && r.OptionalOldSelf != nil {
		return r.OptionalOldSelf.At
	}
	return map[string]diag.Span{
		"rule": r.Rule.At, "message": r.Message.At, "messageExpression": r.MessageExpression.At,
		"reason": r.Reason.At, "fieldPath": r.FieldPath.At,
	}[part]
}

// element returns the position of an item of a list, of the first one if the index is -1 or too large.
func element(list []schema.Text, item int) diag.Span {
	switch {
	case len(list) == 0:
		return diag.Span{}
	case item < 0 || item >= len(list):
		item = 0
	}
	return list[item].At
}
