package rules

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
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
func locate(crd *schema.CRD, path string) location {
	i, place, rest := crd.Find(path)
	if i < 0 {
		return location{at: nearest(crdField(crd, rest), crd.At)}
	}
	v := &crd.Versions[i]
	if place == nil {
		return location{at: nearest(versionField(v, rest), nearest(v.At, crd.At))}
	}
	return location{
		place: place, at: nearest(keyword(place.Schema, rest), nearest(place.At(), nearest(v.At, crd.At))),
		rule: ruleOf(place.Schema, rest),
	}
}

// ruleOf is the rule that the rest of a path leads into, or nil.
func ruleOf(s *schema.Schema, rest string) *schema.Rule {
	name, below := cutName(rest)
	if i, _, ok := index(below); ok && name == "x-kubernetes-validations" && i < len(s.Rules) {
		return &s.Rules[i]
	}
	return nil
}

// nearest is the first of two spans that is valid.
func nearest(at, otherwise diag.Span) diag.Span {
	if at.IsValid() {
		return at
	}
	return otherwise
}

// crdField is the position of a field outside the versions.
func crdField(c *schema.CRD, path string) diag.Span {
	switch {
	case strings.HasPrefix(path, "spec.names.shortNames"):
		return element(c.ShortNames, strings.TrimPrefix(path, "spec.names.shortNames"))
	case strings.HasPrefix(path, "spec.names.categories"):
		return element(c.Categories, strings.TrimPrefix(path, "spec.names.categories"))
	case path == "spec.names.singular":
		return c.Singular.At
	case path == "spec.names.plural":
		return c.Plural.At
	case path == "metadata.name":
		return nearest(c.Name.At, c.Plural.At)
	case path == "spec.names.kind":
		return c.Kind.At
	case path == "spec.names.listKind":
		return nearest(c.ListKind.At, c.Kind.At)
	case path == "spec.group":
		return c.Group.At
	case path == "spec.scope":
		return c.Scope.At
	case path == "spec.preserveUnknownFields" && c.PreserveUnknownFields != nil:
		return c.PreserveUnknownFields.At
	case strings.HasPrefix(path, "spec.conversion") && c.Conversion != nil:
		return c.Conversion.At
	}
	for _, group := range []struct {
		prefix string
		list   []schema.KeyValue
	}{{"metadata.annotations", c.Annotations}, {"metadata.labels", c.Labels}} {
		if rest, ok := strings.CutPrefix(path, group.prefix); ok {
			for _, kv := range group.list {
				if rest == "["+kv.Key+"]" || rest == "" {
					return kv.At
				}
			}
		}
	}
	return metadataField(c, path)
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
		return nearest(at, c.At)
	case strings.HasPrefix(rest, ".subresources.scale") && v.Subresources != nil && v.Subresources.Scale != nil:
		s := v.Subresources.Scale
		switch strings.TrimPrefix(rest, ".subresources.scale") {
		case ".specReplicasPath":
			return nearest(s.SpecReplicasPath.At, s.At)
		case ".statusReplicasPath":
			return nearest(s.StatusReplicasPath.At, s.At)
		case ".labelSelectorPath":
			if s.LabelSelectorPath != nil {
				return nearest(s.LabelSelectorPath.At, s.At)
			}
		}
		return s.At
	}
	return diag.Span{}
}

// keyword is the position of a keyword of a node, the rest of a path; of a node with rules, defaults or enums also that
// of an entry of them. Keywords that hold schemas have none: a path leads into these.
func keyword(s *schema.Schema, rest string) diag.Span {
	name, below := cutName(rest)
	k := schema.KeywordOf(name)
	if k == nil || k.HoldsSchemas() {
		return diag.Span{}
	}
	if _, isRule := k.Field.(schema.Many[schema.Rule]); isRule {
		return ruleField(s, below)
	}
	i, _, _ := index(below)
	return k.ItemAt(s, i)
}

// ruleField is the position of a part of a rule.
func ruleField(s *schema.Schema, rest string) diag.Span {
	i, rest, ok := index(rest)
	if !ok || i >= len(s.Rules) {
		return diag.Span{}
	}
	r := &s.Rules[i]
	at := diag.Span{}
	switch rest {
	case ".rule":
		at = r.Rule.At
	case ".message":
		at = r.Message.At
	case ".messageExpression":
		at = r.MessageExpression.At
	case ".reason":
		at = r.Reason.At
	case ".fieldPath":
		at = r.FieldPath.At
	case ".optionalOldSelf":
		if r.OptionalOldSelf != nil {
			at = r.OptionalOldSelf.At
		}
	}
	return nearest(at, r.At)
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
