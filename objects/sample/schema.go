package sample

import (
	"cmp"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdproof/crdproof/schema"
)

// schemasAlong returns the schemas of the values along a path, from the root. The list ends before the first value
// without a schema.
func schemasAlong(root *schema.Schema, way schema.Path) (out []*schema.Schema) {
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

// namePath names a value in a sentence: spec.ports[0].name, or "the object" for the root.
func namePath(way schema.Path) string { return cmp.Or(way.String(), "the object") }

// metadataFields returns the fields of metadata.
func metadataFields() (out []string) {
	t := reflect.TypeFor[metav1.ObjectMeta]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}
