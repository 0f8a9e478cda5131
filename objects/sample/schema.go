package sample

import (
	"reflect"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdproof/crdproof/schema"
)

// schemas are the schemas of the values along a way, from the root. The list ends before the first value without a
// schema.
func schemas(root *schema.Schema, way []schema.PathStep) (out []*schema.Schema) {
	s := root
	for i := 0; s != nil; i++ {
		out = append(out, s)
		if i == len(way) {
			break
		}
		s = s.Below(way[i])
	}
	return out
}

// schemaAt is the schema of the value at the end of a way, nil if it has none.
func schemaAt(root *schema.Schema, way []schema.PathStep) *schema.Schema {
	if list := schemas(root, way); len(list) == len(way)+1 {
		return list[len(way)]
	}
	return nil
}

// written formats a way: spec.ports[0].name, or "the object" for the root.
func written(way []schema.PathStep) string {
	var out strings.Builder
	for _, step := range way {
		switch {
		case step.IsItem():
			out.WriteString("[" + strconv.Itoa(step.Index) + "]")
		case strings.ContainsAny(step.Name, "./"):
			out.WriteString("[" + step.Name + "]")
		default:
			out.WriteString("." + step.Name)
		}
	}
	if out.Len() == 0 {
		return "the object"
	}
	return strings.TrimPrefix(out.String(), ".")
}

// metadataFields are the fields of metadata.
func metadataFields() (out []string) {
	t := reflect.TypeFor[metav1.ObjectMeta]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}
