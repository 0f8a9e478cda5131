package diff

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A patch is an operation of RFC 6902.
type patch struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// restore returns the patches of a new CRD that give its versions what the old ones do with objects.
func restore(old, now *schema.CRD) (out []patch) {
	before, after := tree(old), tree(now)
	indexes := map[string]int{}
	for i := range old.Versions {
		indexes[old.Versions[i].Name.V] = i
	}
	for i := range now.Versions {
		j, ok := indexes[now.Versions[i].Name.V]
		if !ok {
			continue
		}
		for _, key := range []string{"schema", "subresources"} {
			at := fmt.Sprintf("/spec/versions/%d/%s", i, key)
			out = append(out, patches(at, member(after[i], key), member(before[j], key), false)...)
		}
	}
	return out
}

// tree returns the versions of a CRD as JSON.
func tree(crd *schema.CRD) (out []map[string]any) {
	data, err := json.Marshal(kube.Object(crd).Spec.Versions)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		panic(err) // CRDs are JSON
	}
	return out
}

// absent is the value of a key that a mapping does not have.
type absent struct{}

func member(mapping map[string]any, key string) any {
	if value, ok := mapping[key]; ok {
		return value
	}
	return absent{}
}

// patches turn a part of a CRD into another one. Descriptions stay. If the part has names, its keys are those of
// properties, not keywords.
func patches(at string, from, to any, hasNames bool) (out []patch) {
	before, isMap := from.(map[string]any)
	after, isBoth := to.(map[string]any)
	switch {
	case isMap && isBoth && !strings.HasSuffix(at, "/default"):
		for _, key := range keysOf(before, after) {
			if key != "description" || hasNames {
				below := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
				out = append(out, patches(below, member(before, key), member(after, key),
					!hasNames && key == "properties")...)
			}
		}
		return out
	case reflect.DeepEqual(from, to):
		return nil
	case from == absent{}:
		return []patch{{Op: "add", Path: at, Value: to}}
	case to == absent{}:
		return []patch{{Op: "remove", Path: at}}
	}
	return []patch{{Op: "replace", Path: at, Value: to}}
}

// keysOf returns the keys of maps, sorted.
func keysOf(mappings ...map[string]any) (out []string) {
	for _, m := range mappings {
		out = slices.AppendSeq(out, maps.Keys(m))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
