package structural

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// topologyRows returns the checks of how lists and maps are merged (KEP-1152, KEP-2332).
func topologyRows() []session.Row {
	return []session.Row{
		explainedOutside(diag.Check{ID: "list-type"},
			reason{"type", "", "must be array if x-kubernetes-list-type is specified", explainListTypeOfOther},
			reason{"x-kubernetes-list-type", notSupported, "", explainListType},
		),
		explainedOutside(diag.Check{ID: "list-map-keys"},
			reason{"x-kubernetes-list-type", "", "must be map if x-kubernetes-list-map-keys is non-empty",
				explainKeysWithoutMap},
			reason{"x-kubernetes-list-map-keys", required, "", explainMapWithoutKeys},
			reason{"x-kubernetes-list-map-keys", invalid, "entries must all be*", explainUnknownKeys},
			reason{"x-kubernetes-list-map-keys", invalid, "must not contain duplicate*", explainRepeatedKeys},
			reason{"type", invalid, "must be a scalar type if*", explainKeyNoScalar},
			reason{"nullable", forbidden, "this property is in x-kubernetes-list-map-keys*", explainKeyNullable},
			reason{"default", required, "this property is in x-kubernetes-list-map-keys*", explainKeyOptional},
		),
		explainedOutside(diag.Check{ID: "list-items"},
			reason{"nullable", forbidden, "cannot be nullable when x-kubernetes-list-type*", explainNullableItems},
			reason{"type", invalid, "must be object if parent array's x-kubernetes-list-type is map",
				explainMapOfOthers},
			reason{"x-kubernetes-map-type", invalid, "must be atomic as item of*", explainSetOfObjects},
			reason{"x-kubernetes-list-type", invalid, "must be atomic as item of*", explainSetOfLists},
		),
		{Check: diag.Check{ID: "set-items", Severity: diag.Warning}, Needs: session.EachSchema, Run: checkSetItems},
		explainedOutside(diag.Check{ID: "map-type"},
			reason{"type", "", "must be object if x-kubernetes-map-type is specified", explainMapTypeOfOther},
			reason{"x-kubernetes-map-type", notSupported, "", explainMapType},
		),
	}
}

// stated returns the list type or the map type of a schema, including an empty one.
func stated(s *schema.Schema, keyword string, t schema.Text) *schema.Text {
	if t.V != "" {
		return &t
	}
	if k := other(s, keyword); k != nil && k.Value.Kind == schema.String {
		return &schema.Text{At: k.At}
	}
	return nil
}

func listType(s *schema.Schema) *schema.Text { return stated(s, "x-kubernetes-list-type", s.ListType) }

func mapType(s *schema.Schema) *schema.Text { return stated(s, "x-kubernetes-map-type", s.MapType) }

func explainListTypeOfOther(r *rejection) {
	if lacksType(r.Schema) {
		return
	}
	f := r.errorf(listType(r.Schema).At, "%s applies to arrays; %s is %s",
		r.Write().Name("x-kubernetes-list-type"), what(r.Place), typePhrase(r.Schema.Type.V)).
		Help("%s", topologyHelp(r, "object", "x-kubernetes-map-type", "x-kubernetes-list-type"))
	if r.Schema.ListType.V == "map" && r.Schema.Items == nil {
		f.Also(r.Key("items"))
	}
}

func explainMapTypeOfOther(r *rejection) {
	if !lacksType(r.Schema) {
		r.errorf(mapType(r.Schema).At, "%s applies to objects; %s is %s",
			r.Write().Name("x-kubernetes-map-type"), what(r.Place), typePhrase(r.Schema.Type.V)).
			Help("%s", topologyHelp(r, "array", "x-kubernetes-list-type", "x-kubernetes-map-type"))
	}
}

// topologyHelp suggests the keyword that fits a type, or to remove the wrong one.
func topologyHelp(r *rejection, jsonType, keyword, instead string) string {
	if r.Schema.Type.V == jsonType {
		inYAML := "remove " + instead
		if slices.Contains([]string{r.Schema.ListType.V, r.Schema.MapType.V}, "atomic") { // which both can be
			inYAML = "write " + keyword + ": atomic"
		}
		return r.Write().Choose("did you mean "+r.Write().Name(keyword)+"?", inYAML)
	}
	return "remove " + r.Write().Name(instead)
}

func explainListType(r *rejection) { r.unknown("list type", *listType(r.Schema), r.supported()) }

func explainMapType(r *rejection) { r.unknown("map type", *mapType(r.Schema), r.supported()) }

func explainKeysWithoutMap(r *rejection) {
	r.errorf(r.Schema.ListMapKeys[0].At, "%s has list map keys, but is not a list of type map", what(r.Place)).
		AddKey(r.Write().Set("x-kubernetes-list-type", "map"))
}

func explainMapWithoutKeys(r *rejection) {
	key := "name"
	if s := r.Schema.Items; s != nil && s.Property(key) == nil && len(s.Required) > 0 {
		key = s.Required[0].V
	}
	r.errorf(r.Schema.ListType.At, "%s is a list of type map, but has no keys", what(r.Place)).
		AddKey(r.Write().Choose("+listMapKey="+key, "x-kubernetes-list-map-keys: ["+key+"]"))
}

func explainUnknownKeys(r *rejection) {
	fields := r.Schema.Items.PropertyNames()
	for _, key := range r.Schema.ListMapKeys {
		if r.Schema.Items.Property(key.V) != nil {
			continue
		}
		help := "use the JSON name of a field of the items"
		if len(fields) > 0 {
			help += ": " + strings.Join(fields, ", ")
		}
		r.errorf(key.At, "the items of %s have no field %q", what(r.Place), key.V).Help("%s", near(key.V, fields, help))
	}
}

func explainRepeatedKeys(r *rejection) {
	for i, key := range r.Schema.ListMapKeys {
		for _, earlier := range r.Schema.ListMapKeys[:i] {
			if earlier.V == key.V && r.Schema.Items.Property(key.V) != nil {
				r.errorf(key.At, "duplicate key %q", key.V).Help("remove it").Do(diag.Remove, "").
					See(earlier.At, "first listed here")
				break
			}
		}
	}
}

// keysOf returns the keys of a list that name the field that is rejected, and the list.
func keysOf(r *rejection) (keys []schema.Text, list string) {
	p := r.Above.Above
	for _, key := range p.Schema.ListMapKeys {
		if key.V == r.Name {
			keys = append(keys, key)
		}
	}
	return keys, what(p)
}

func explainKeyNoScalar(r *rejection) {
	keys, list := keysOf(r)
	for _, key := range keys {
		r.errorf(key.At, "key %q of %s must be a scalar, got %s", key.V, list, typePhrase(r.Schema.Type.V)).
			Help("use another field as the key").See(r.Schema.At, "the field")
	}
}

func explainKeyNullable(r *rejection) {
	keys, list := keysOf(r)
	for _, key := range keys {
		r.errorf(r.Schema.Nullable.At, "key %q of %s cannot be nullable", key.V, list).
			Help("remove %s from the field", r.Write().Name("nullable")).See(key.At, "the key")
	}
}

func explainKeyOptional(r *rejection) {
	keys, list := keysOf(r)
	for _, key := range keys {
		r.errorf(key.At, "key %q of %s may be missing: it is optional and has no default", key.V, list).
			Help("%s", r.Write().Choose("make the field required, or give it a default",
				"add "+key.V+" to required of the items, or give it a default")).See(r.Schema.At, "the field")
	}
}

func explainNullableItems(r *rejection) {
	list := r.Above.Schema.ListType
	r.errorf(r.Schema.Nullable.At, "items of a list of type %s cannot be nullable", list.V).See(list.At, "the list "+
		"type").
		Help("%s", r.Write().Choose("use values instead of pointers, or remove +nullable",
			"remove nullable from the items"))
}

func explainMapOfOthers(r *rejection) {
	if lacksType(r.Schema) || r.Schema.EmbeddedResource.True() {
		return
	}
	typ := r.Schema.Type.V
	if typ == "" {
		typ = "untyped"
	}
	r.errorf(r.Above.Schema.ListType.At, "items of a list of type map must be objects, but %s has %s items",
		what(r.Above), typ).
		Help("%s", r.setOfScalars(typ))
}

// setOfScalars says what to write instead of a list of type map, whose keys must go too. A set of lists is not atomic.
func (r *rejection) setOfScalars(items string) string {
	listType, keys := "set", ""
	if items == "array" || items == "untyped" {
		listType = "atomic"
	}
	if len(r.Above.Schema.ListMapKeys) > 0 {
		keys = " and remove " + r.Write().Name("x-kubernetes-list-map-keys")
	}
	return fmt.Sprintf("write %s%s, or change the items to objects", r.Write().Set("x-kubernetes-list-type", listType),
		keys)
}

func explainSetOfObjects(r *rejection) {
	r.errorf(r.Above.Schema.ListType.At, "items of a set must be atomic, but %s has granular objects", what(r.Above)).
		Help("%s", insteadOfSet(r.Write(), r.Schema))
}

// insteadOfSet says which list type to write for items that a set cannot have, or that server-side apply does not
// support in a set.
func insteadOfSet(w check.Writer, items *schema.Schema) string {
	help := "write " + w.Set("x-kubernetes-list-type", "atomic")
	if len(items.Properties) > 0 {
		help += ", or change the list type to map and add keys"
	}
	return help
}

func explainSetOfLists(r *rejection) {
	r.errorf(r.Above.Schema.ListType.At, "items of a set must be atomic, but %s has lists of type %s",
		what(r.Above), r.Schema.ListType.V).
		Help("remove %s of the items", r.Write().Name("x-kubernetes-list-type")).
		See(r.Schema.ListType.At, "the items")
}

func checkSetItems(p *session.Pass) {
	items, s := p.Schema.Items, p.Schema
	if p.Nested || items == nil || s.Type.V != "array" || s.ListType.V != "set" {
		return
	}
	if items.Type.V == "object" && items.MapType.V == "atomic" ||
		items.Type.V == "array" && (listType(items) == nil || items.ListType.V == "atomic") {
		p.Reportf(p.At(s.ListType.At), p.Key("x-kubernetes-list-type"),
			"%s is a set of %ss, which server-side apply and rules do not support", what(p.Place), items.Type.V).
			Help("%s", insteadOfSet(p.Write(), items)).Changes(diag.AcceptsMore, "lists with equal items")
	}
}
