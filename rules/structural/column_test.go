package structural

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

const columnSchema = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            properties:
              list:
                type: array
                maxItems: 3
                items:
                  type: object
                  properties:
                    type: {type: string, enum: [Ready, Synced]}
                    word: {type: string, pattern: '^[a-z]+$'}
                    count: {type: integer}
                    isOn: {type: boolean}
                    tags: {type: array, items: {type: string}}
              names: {type: array, items: {type: string}}
              map: {type: object, additionalProperties: {type: string}}
              text: {type: string}
              count: {type: integer}
              open: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// columnObject has all fields of columnSchema, and in its lists all values that columnPath compares with.
func columnObject() map[string]any {
	item := func(kind, word string, count int64, isOn bool) any {
		return map[string]any{"type": kind, "word": word, "count": count, "isOn": isOn, "tags": []any{"a", "b", "c"}}
	}
	return map[string]any{
		"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "thing"},
		"status": map[string]any{
			"list":  []any{item("Ready", "ready", 1, true), item("Synced", "b", 5, false), item("Ready", "c", 9, true)},
			"names": []any{"a", "b", "c"}, "map": map[string]any{"text": "x"}, "text": "x", "count": int64(5),
			"open": map[string]any{"text": "x", "list": []any{map[string]any{"type": "Ready"}}},
		},
	}
}

// columnPath returns a random path, most of which lead somewhere.
func columnPath(r *rand.Rand) string {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	var out strings.Builder
	out.WriteString(one(".status", ".status", ".status", ".", ".spec", ".metadata.name", ".status['list','text']"))
	for range r.IntN(4) {
		switch r.IntN(8) {
		case 0, 1, 2:
			out.WriteString("." + one("list", "names", "map", "text", "count", "type", "open", "nothing", "length()", "*"))
		case 3:
			out.WriteString(one("[0]", "[-1]", "[*]", "[1:2]", "[2:1]", "[0:0]", "[5]", "[0:5]", "[::0]", "[0,1]", "['text']"))
		case 4:
			out.WriteString("." + one(".type", ".text", ".nothing", ".list", ".tags"))
		default:
			left := one("@.type", "@.word", "@.count", "@.isOn", "@.kind", "@.tags", "@")
			right := one(`"Ready"`, `"Reddy"`, `'b'`, "5", "1.5", "true", "Ready", "@.type", `"5"`)
			out.WriteString(one(".list", "") + "[?(" + left + one("==", "==", "==", "!=", "<", ">=", "=", "") + right + ")]")
		}
	}
	return out.String()
}

// TestColumnPaths compares what is reported of random paths with the cell that the API server's code shows for an object
// that has everything.
func TestColumnPaths(t *testing.T) {
	docs, _ := read.Documents(&diag.Source{Path: "crd.yaml", Data: []byte(columnSchema)})
	root := docs[0].CRD.Versions[0].Schema
	r := rand.New(rand.NewPCG(1, 1))
	counts := map[bool]int{}
	for range 20_000 {
		path := columnPath(r)
		if !isReadable(path) {
			continue
		}
		_, f := readColumn(root, path)
		cell := cellOf(t, columnObject(), "string", path)
		if isSilent := f == nil && cell == nil; f != nil && cell != nil || isSilent && !leadsAnywhere(path) {
			why := "nothing"
			if f != nil {
				why = f.why
			}
			t.Errorf("%s: reported %q, but the API server shows %v", path, why, cell)
		}
		if f != nil && (f.start >= f.end || f.end > len(path)) {
			t.Errorf("%s: %d to %d is not in the path", path, f.start, f.end)
		}
		counts[f != nil]++
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("too few of both kinds: %v", counts)
	}
}

// leadsAnywhere reports whether a path goes through values that the schema leaves open, or through several at once.
func leadsAnywhere(path string) bool {
	open := []string{".open", ".map", ".metadata", "..", ".*", ",", "<", ">", "==@.type", "!=@.type",
		"1.5"}
	return slices.ContainsFunc(open, func(part string) bool { return strings.Contains(path, part) })
}

// TestColumnDates compares which formats are reported for columns of type date with what the API server's code shows for
// valid values of them.
func TestColumnDates(t *testing.T) {
	for _, format := range kube.Formats() {
		s := &schema.Schema{Type: schema.Text{V: "string"}, Format: schema.Text{V: format.Name}}
		isShown := slices.ContainsFunc(format.Valid, func(text string) bool {
			object := map[string]any{"metadata": map[string]any{"name": "thing"}, "text": text}
			return text != "" && cellOf(t, object, "date", ".text") != "<invalid>"
		})
		if got := notATime(&session.Pass{}, s); (got == "") != isShown {
			t.Errorf("%s: reported %q, but shown: %v", format.Name, got, isShown)
		}
	}
}

// cellOf returns what the API server shows in a column; nil if it shows nothing.
func cellOf(t *testing.T, object map[string]any, columnType, path string) any {
	t.Helper()
	convertor, err := tableconvertor.New([]apiext.CustomResourceColumnDefinition{
		{Name: "A", Type: columnType, JSONPath: path}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := convertor.ConvertToTable(context.Background(), &unstructured.Unstructured{Object: object}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table.Rows[0].Cells[1]
}
