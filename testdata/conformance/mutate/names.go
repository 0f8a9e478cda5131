package mutate

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// nameOperators change the group and the names. Those that belong to metadata.name are changed there too, half of the
// time.
func nameOperators() []operator {
	name := func(key string, values ...any) operator {
		return operator{"name: " + key, nil, func(r *rand.Rand, n *node) string {
			what := set(child(child(n.crd, "spec"), "names"), key, pick(r, values...))
			return what + follow(r, n.crd)
		}}
	}
	long := strings.Repeat("x", 64)
	return []operator{
		name("plural", "Widgets", "", "a.b", long, long[:63], "widgets", "0abc", "a_b", absent{}, nil,
			json.Number("1")),
		name("singular", "Widget", "", "a.b", long, "widget", absent{}, nil, "a b"),
		name("kind", "widget", "", "WIDGET", "a.b", "0Kind", long, "Wid get", absent{}, nil, "WidgetList"),
		name("listKind", "widgetlist", "", "Wid-getList", "a.b", long, absent{}, nil, "List", true),
		name("shortNames", []any{"W"}, []any{"w"}, []any{"w", "w"}, []any{""}, []any{"a.b"}, []any{}, nil, "w",
			[]any{json.Number("1")},
			[]any{long}, []any{nil}),
		name("categories", []any{"All"}, []any{"all"}, []any{"all", "all"}, []any{""}, []any{"a.b"}, []any{}, nil,
			"all", []any{long}),
		{"name: kind = listKind", nil, func(r *rand.Rand, n *node) string {
			names := child(child(n.crd, "spec"), "names")
			return set(names, "listKind", names["kind"])
		}},
		{"name: group", nil, func(r *rand.Rand, n *node) string {
			group := pick[any](r, "example", "Example.com", "example.com", "widgets.k8s.io", "a.kubernetes.io",
				"k8s.io", "", "x-k8s.io",
				"example.com.", "-a.b", "a..b", strings.Repeat("a.", 130)+"b",
				absent{}, nil, "ex_ample.com", "a.x-k8s.io")
			return set(child(n.crd, "spec"), "group", group) + follow(r, n.crd)
		}},
		{"name: scope", nil, func(r *rand.Rand, n *node) string {
			return set(child(n.crd, "spec"), "scope", pick[any](r, "Cluster", "Namespaced", "cluster", "", "Global",
				absent{}, nil, true))
		}},
	}
}

// follow gives the CRD the name that its plural and group make.
func follow(r *rand.Rand, crd object) string {
	spec := child(crd, "spec")
	plural, ok := child(spec, "names")["plural"].(string)
	group, hasGroup := spec["group"].(string)
	if !ok || !hasGroup || r.IntN(4) == 0 {
		return ""
	}
	return "; metadata." + set(child(crd, "metadata"), "name", plural+"."+group)
}

// metadataOperators change the metadata of the CRD itself, and its status.
func metadataOperators() []operator {
	meta := func(key string, values ...any) operator {
		return operator{"metadata: " + key, nil, func(r *rand.Rand, n *node) string {
			return "metadata." + set(child(n.crd, "metadata"), key, pick(r, values...))
		}}
	}
	approval := func(values ...any) operator {
		return operator{"metadata: api-approved", nil, func(r *rand.Rand, n *node) string {
			return set(child(child(n.crd, "metadata"), "annotations"), "api-approved.kubernetes.io", pick(r, values...))
		}}
	}
	owner := object{"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b"}
	return []operator{
		meta("name", "widgets", "", absent{}, "Widgets.example.com", "a/b", nil, "..", json.Number("1")),
		meta("generateName", "a-", "A-", "", "a/"),
		meta("namespace", "default", "", "Default"),
		meta("labels", object{"a": "b"}, object{"a b": "c"}, object{"a": "b c"}, object{"a": strings.Repeat("x", 64)},
			object{"a": nil},
			object{"a": json.Number("1")}, nil, []any{}, object{"": ""}, object{"a/b/c": ""}),
		meta("annotations", object{"a": "b c"}, object{"a b": "c"}, object{"A/b": ""}, object{"a": true},
			object{"a": strings.Repeat("x",
				262144)}, object{"a": strings.Repeat("x", 262143)}, nil, object{"": "a"}, absent{}),
		meta("finalizers", []any{"example.com/a"}, []any{"a"}, []any{"a b"}, []any{"orphan", "foregroundDeletion"},
			[]any{""}, "a",
			[]any{"orphan"}),
		meta("ownerReferences", []any{owner}, []any{object{}}, []any{owner, owner},
			[]any{object{"apiVersion": "v1", "kind": "Event",
				"name": "a", "uid": "b"}}, []any{object{"kind": "Pod"}}),
		meta("managedFields", []any{}, []any{object{}},
			[]any{object{"manager": "a", "operation": "Apply", "apiVersion": "v1",
				"fieldsType": "FieldsV1", "fieldsV1": object{}}}, []any{object{"operation": "Nope"}},
			[]any{object{"manager": strings.Repeat("x", 200), "operation": "Update",
				"apiVersion": "apiextensions.k8s.io/v1",
				"fieldsType": "FieldsV1", "fieldsV1": object{"f:spec": object{}}}}, nil),
		meta("creationTimestamp", nil, "2024-01-01T00:00:00Z", "yesterday", json.Number("1")),
		meta("deletionTimestamp", nil, "2024-01-01T00:00:00Z", "tomorrow"),
		meta("generation", json.Number("1"), json.Number("-1"), json.Number("1.5"), "1"),
		meta("uid", "a", json.Number("1"), ""),
		meta("selfLink", "/a", json.Number("1")),
		meta("deletionGracePeriodSeconds", json.Number("5"), json.Number("-1"), "5"),
		meta(unknownKey, "a", nil),
		approval("https://github.com/kubernetes/kubernetes/pull/1", "unapproved, experimental-only", "", "yes",
			"unapproved", absent{},
			true, "http://"),
		{"metadata: status", nil, func(r *rand.Rand, n *node) string {
			return set(n.crd, "status", pick[any](r, object{}, nil, object{"storedVersions": []any{"nope"}},
				object{"conditions": []any{},
					"storedVersions": []any{}, "acceptedNames": object{"kind": "", "plural": ""}},
				object{"acceptedNames": object{"kind": "a b", "plural": "A"}},
				object{"conditions": []any{object{"type": "Established"}}},
				"a", object{"storedVersions": "v1"}, object{unknownKey: "a"}))
		}},
	}
}
