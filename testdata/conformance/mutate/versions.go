package mutate

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// versionOperators change versions and the conversion between them.
func versionOperators() []operator {
	version := func(key string, values ...any) operator {
		return operator{"version: " + key, nil, func(r *rand.Rand, n *node) string {
			list := versions(n.crd)
			if len(list) == 0 {
				return ""
			}
			i := r.IntN(len(list))
			return text(list[i]["name"]) + ": " + set(list[i], key, pick(r, values...))
		}}
	}
	return []operator{
		version("name", "v1", "v1alpha1", "V1", "1", "", "v1.1", "v-1", strings.Repeat("v", 64), "foo"),
		version("served", true, false, false, absent{}, nil, "true"),
		version("storage", true, false, absent{}, nil, "yes"),
		version("deprecated", true, false, nil),
		version("deprecationWarning", "use v2", "", strings.Repeat("x", 257), strings.Repeat("x", 256), "tab\t", "ž",
			"new\nline", nil,
			true),
		version("schema", absent{}, nil, object{}, object{"openAPIV3Schema": nil}, object{"openAPIV3Schema": object{}},
			object{"openAPIV3Schema": object{"type": "object"}},
			object{"openAPIV3Schema": object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
			object{"openAPIV3Schema": object{"x-kubernetes-preserve-unknown-fields": true}}),
		version(unknownKey, "a"),
		{"version: deprecated with a warning", nil, func(r *rand.Rand, n *node) string {
			for _, v := range versions(n.crd) {
				v["deprecated"] = true
				set(v, "deprecationWarning", pick[any](r, "use v2", "", strings.Repeat("ž", 129), "tab\t", absent{}))
			}
			return "all versions"
		}},
		{"version: copied", nil, copyVersion},
		{"version: list", nil, func(r *rand.Rand, n *node) string {
			return set(child(n.crd, "spec"), "versions", pick[any](r, []any{}, nil, absent{}, object{}, []any{object{}},
				[]any{nil}))
		}},
		{"version: second, another schema", nil, func(r *rand.Rand, n *node) string {
			return add(child(n.crd, "spec"), "versions",
				object{"name": "v0", "served": r.IntN(2) == 0, "storage": r.IntN(4) == 0,
					"schema": object{"openAPIV3Schema": someSchema(r, 3)}})
		}},
		{"version: v1beta1 fields", nil, func(r *rand.Rand, n *node) string {
			key := pick(r, "version", "validation", "subresources", "additionalPrinterColumns", "selectableFields")
			return set(child(n.crd, "spec"), key, pick[any](r, "v1", object{}, []any{}, nil))
		}},
		{"version: preserveUnknownFields", nil, func(r *rand.Rand, n *node) string {
			return set(child(n.crd, "spec"), "preserveUnknownFields", pick[any](r, true, true, false, nil, "false"))
		}},
		{"version: conversion", nil, func(r *rand.Rand, n *node) string {
			return set(child(n.crd, "spec"), "conversion", conversion(r))
		}},
		{"version: conversion, good but for one thing", nil, func(r *rand.Rand, n *node) string {
			c := goodConversion(r)
			spoilConversion(r, c)
			return set(child(n.crd, "spec"), "conversion", c)
		}},
	}
}

// copyVersion adds the last version again, under another name or the same.
func copyVersion(r *rand.Rand, n *node) string {
	list := versions(n.crd)
	if len(list) == 0 {
		return ""
	}
	v := clone(list[len(list)-1]).(object)
	v["name"] = pick[any](r, v["name"], "v0", "v99")
	v["storage"] = r.IntN(4) == 0
	if r.IntN(2) == 0 {
		v["additionalPrinterColumns"] = []any{object{"name": "a", "type": "string", "jsonPath": ".spec.a"}}
	}
	add(child(n.crd, "spec"), "versions", v)
	return "the last version once more, as " + text(v["name"]) + ", storage " + text(v["storage"])
}

func goodConversion(r *rand.Rand) object {
	config := object{"service": object{"namespace": "a", "name": "b", "path": "/c", "port": json.Number("443")}}
	if r.IntN(2) == 0 {
		config = object{"url": "https://example.com/convert"}
	}
	return object{"strategy": "Webhook",
		"webhook": object{"clientConfig": config, "conversionReviewVersions": []any{"v1", "v1beta1"}}}
}

func conversion(r *rand.Rand) any {
	return pick[any](r, nil, object{}, object{"strategy": "None"}, object{"strategy": "none"},
		object{"strategy": "Webhook"},
		object{"strategy": ""}, "None",
		object{"strategy": "None", "webhook": goodConversion(r)["webhook"]},
		object{"strategy": "None", "webhook": object{}},
		object{"strategy": "None", "webhook": nil},
		object{"strategy": "Webhook", "webhookClientConfig": object{}}, object{"strategy": "None",
			"conversionReviewVersions": []any{"v1"}}, goodConversion(r))
}

func spoilConversion(r *rand.Rand, c object) {
	webhook := child(c, "webhook")
	config := child(webhook, "clientConfig")
	switch r.IntN(6) {
	case 0:
		set(webhook, "conversionReviewVersions", pick[any](r, absent{}, []any{}, []any{"v2"}, []any{"v1", "v1"},
			[]any{"V1", "v1"}, "v1",
			[]any{"v1beta1"}, []any{"v2", "v1"}))
	case 1:
		set(config, "url", pick[any](r, "http://example.com", "https://", "https://example.com?a=b",
			"https://u:p@example.com",
			"https://example.com#a", "", ":", "https://example.com/"))
	case 2:
		set(child(config, "service"), "port", json.Number(pick(r, "0", "1", "65535", "65536", "-1", "1.5")))
	case 3:
		set(child(config, "service"), pick(r, "name", "namespace", "path"),
			pick[any](r, "", "a", "/", "//", "/a//b", "/A", "a b",
				absent{}, nil))
	case 4:
		set(config, "caBundle", pick[any](r, "YQ==", "not base64", "", nil, strings.Repeat("YWJj", 100)))
	default:
		set(webhook, "clientConfig", pick[any](r, absent{}, nil, object{}))
	}
}
