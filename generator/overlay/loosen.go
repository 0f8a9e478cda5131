package overlay

import (
	"context"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/schema"
)

// This file decides whether a change accepts values that were rejected before. Documentation, and fields that are
// dropped, do neither: API servers prune a dropped field, and never rejected an unknown one. If it is not certain that
// a change accepts nothing new, it loosens.

// loosened returns the names of the keywords of a schema, and of those below it, that accept more than before.
// isRequired is set for a schema of a required field.
func loosened(before, after *schema.Schema, isRequired bool) (out []string) {
	if before == after {
		return nil
	}
	rows := schema.Keywords()
	for i := range rows {
		k := &rows[i]
		if k.HoldsSchemas() || !k.IsSet(before) && !k.IsSet(after) {
			continue // most keywords, and to compare their values takes longer
		}
		if !k.SameIn(before, after) && loosens(k, before, after, isRequired) {
			out = append(out, k.Name)
		}
	}
	for i := range rows {
		if k := &rows[i]; isJunctor(k) && k.IsSet(before) && !k.SameIn(before, after) && !isKept(k, before, after) {
			out = append(out, k.Name)
		}
	}
	for _, p := range before.Properties {
		switch now := after.Property(p.Name); {
		case now != nil:
			out = append(out, loosened(p.Schema, now, hasName(before.Required, p.Name))...)
		case after.PreserveUnknownFields.True() && !before.PreserveUnknownFields.True():
			out = append(out, "properties")
		}
	}
	out = append(out, loosenedElements("items", before.Items, after.Items)...)
	if before.AdditionalAllowed != after.AdditionalAllowed && after.AdditionalAllowed {
		out = append(out, "additionalProperties")
	} else {
		out = append(out, loosenedElements("additionalProperties", before.AdditionalProperties,
			after.AdditionalProperties)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// loosenedElements does what loosened does for the items of lists, or the values of maps.
func loosenedElements(keyword string, before, after *schema.Schema) []string {
	switch {
	case before == nil:
		return nil
	case after == nil:
		return []string{keyword}
	}
	return loosened(before, after, false)
}

// isJunctor reports whether the value of a keyword consists of schemas for the same value.
func isJunctor(k *schema.Keyword) bool {
	switch k.Field.(type) {
	case schema.Many[*schema.Schema], schema.One[schema.Schema]:
		return true
	}
	return false
}

// isKept reports whether a junctor that changes still requires what it did: only an allOf with further schemas does, or
// one that gets what the schema itself required.
func isKept(k *schema.Keyword, before, after *schema.Schema) bool {
	return k.Name == "allOf" && !slices.ContainsFunc(before.AllOf, func(s *schema.Schema) bool {
		return !slices.ContainsFunc(after.AllOf, func(t *schema.Schema) bool { return schema.Same(s, t) })
	})
}

// loosens reports whether a keyword that differs accepts more than before.
func loosens(k *schema.Keyword, before, after *schema.Schema, isRequired bool) bool {
	had, has := k.IsSet(before), k.IsSet(after)
	switch k.Name {
	case "default":
		// An absent field gets the default, and is not missing.
		return isRequired && !had
	case "nullable":
		return has && !had
	case "type":
		return had && !(before.Type.V == "number" && after.Type.V == "integer")
	case "x-kubernetes-int-or-string":
		return has && !had && before.Type.V != ""
	case "x-kubernetes-preserve-unknown-fields", "x-kubernetes-map-type", "title", "description", "example",
		"externalDocs":
		return false // API servers prune an unknown field or keep it, and do not reject it
	case "x-kubernetes-list-type":
		return isKeyed(before) && before.ListType.V != after.ListType.V
	case "x-kubernetes-list-map-keys":
		return had
	case "enum":
		return had && (!has || slices.ContainsFunc(after.Enum, func(v schema.Value) bool {
			return !slices.ContainsFunc(before.Enum, v.Equal)
		}))
	case required:
		return slices.ContainsFunc(before.Required, func(t schema.Text) bool {
			return !hasName(after.Required, t.V) && after.Property(t.V) != nil
		})
	case validations:
		return slices.ContainsFunc(before.Rules, func(r schema.Rule) bool {
			return !slices.ContainsFunc(after.Rules, func(s schema.Rule) bool { return s.Rule.V == r.Rule.V })
		})
	case "pattern":
		return had && (!has || !isNarrower(before.Pattern.V, after.Pattern.V))
	}
	switch low, high := k.Bound(before), k.Bound(after); {
	case !had:
		return false
	case !has:
		return true
	case k.Merge == schema.MergeSmallest:
		return schema.CompareNumbers(high.V, low.V) > 0
	case k.Merge == schema.MergeLargest:
		return schema.CompareNumbers(high.V, low.V) < 0
	}
	return true
}

// isKeyed reports whether API servers reject duplicate items of a list.
func isKeyed(s *schema.Schema) bool { return s.ListType.V == "set" || s.ListType.V == "map" }

// isNarrower reports whether it is certain that each string that a pattern matches, another one matched too.
func isNarrower(before, after string) bool {
	total := effort.New(context.Background(), effort.PatternText)
	was, err := regular.Compile(before, total)
	if err != nil {
		return false
	}
	now, err := regular.Compile(after, total)
	if err != nil {
		return false
	}
	query := regular.Query{Match: []*regular.Pattern{now}, Avoid: []*regular.Pattern{was}, MaxLength: -1}
	_, answer := regular.Find(query, effort.PatternText.N(), total)
	return answer == regular.None
}
