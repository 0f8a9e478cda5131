package crd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/validation"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// described is a CRD with a description of that text, and an annotation.
func described(t *testing.T, description string) read.Document {
	t.Helper()
	text := `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "widgets.example.com",
"annotations": {"a": "b", "kubectl.kubernetes.io/last-applied-configuration": "{}\n"}},
"spec": {"group": "example.com", "scope": "Cluster", "names": {"kind": "Widget", "plural": "widgets"}, "versions": [
{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
"spec": {"type": "object", "description": "` + description + `"}}}}}]}}`
	docs, found := read.Documents(&diag.Source{Path: "widget.json", Data: []byte(text)})
	if len(docs) != 1 || len(found) > 0 {
		t.Fatal(found)
	}
	return docs[0]
}

// TestSizeLimit compares the warning with the API server's own check, byte by byte around the limit. The annotation of
// kubectl apply does not contain its old value.
func TestSizeLimit(t *testing.T) {
	empty, err := size.OfJSON(described(t, "").JSON, 0)
	if err != nil {
		t.Fatal(err)
	}
	room := size.AnnotationLimit - empty.Annotations
	for _, more := range []int{-1, 0, 1} {
		doc := described(t, strings.Repeat("x", room+more))
		s, err := size.OfJSON(doc.JSON, 0)
		if err != nil {
			t.Fatal(err)
		}
		annotations := map[string]string{"a": "b",
			"kubectl.kubernetes.io/last-applied-configuration": strings.Repeat("x", s.JSON)}
		rejected := validation.ValidateAnnotationsSize(annotations) != nil
		if s.Annotations != size.AnnotationLimit+more || rejected != (more > 0) ||
			rejected != (len(size.NewWeights().Check(doc.CRD, s)) > 0) {
			t.Errorf("%+d bytes: %+v, and rejected: %t", more, s, rejected)
		}
	}
}

// TestSizeBound makes sure that no CRD above the limit is skipped, however much longer its JSON is than its YAML.
func TestSizeBound(t *testing.T) {
	for _, text := range []string{"<", "&", ">", `\u0001`, `\u0007`, `\u2028`, `\u2029`, `\u0085`, "é", "'", `\"`, `\\`,
		"a b", `\n`, `\t\u0001`} {
		for _, room := range []int{0, 8, 200, 5000} {
			doc := described(t, strings.Repeat(text, (size.AnnotationLimit-room)/jsonLen(t, text)))
			file := crd.Encode(doc.CRD, crd.Options{})
			if s := ofCRD(doc.CRD, len(file)); s.Annotations > size.AnnotationLimit && !size.MayBeLarge(doc.CRD, file) {
				t.Errorf("%q: %d bytes of YAML are %d of JSON", text, len(file), s.JSON)
			}
		}
	}
}

// jsonLen is how many bytes a part of a string in JSON takes as Go writes it.
func jsonLen(t *testing.T, part string) int {
	var text string
	if err := json.Unmarshal([]byte(`"`+part+`"`), &text); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return len(out) - len(`""`)
}

func ofCRD(c *schema.CRD, file int) size.Sizes {
	return size.NewWeights().OfCRD(c, kube.Object(c), file)
}

// TestSizeSpread makes sure that nothing is counted twice or lost: the schemas have exactly the bytes that the JSON
// would lack without them.
func TestSizeSpread(t *testing.T) {
	c := described(t, "about <the> widget").CRD
	without := *c
	without.Versions = append([]schema.Version(nil), c.Versions...)
	without.Versions[0].Schema = &schema.Schema{}
	spread := size.NewWeights().SpreadOf(c, 20)
	if got, want := spread.Schemas.Bytes, ofCRD(c, 0).JSON-ofCRD(&without, 0).JSON+len("{}"); got != want {
		t.Errorf("the schemas have %d bytes, want %d", got, want)
	}
	total := 0
	for _, p := range spread.Packages {
		total += p.Bytes
	}
	if total != spread.Schemas.Bytes {
		t.Errorf("the packages have %d bytes together, the schemas %d", total, spread.Schemas.Bytes)
	}
	if got, want := spread.Schemas.Descriptions, len(`"description":"about \u003cthe\u003e widget",`); got != want {
		t.Errorf("the descriptions have %d bytes, want %d", got, want)
	}
}

// TestSizeNumbers makes sure that numbers are as long as kubectl writes them, which reads them as ones of 64 bits.
func TestSizeNumbers(t *testing.T) {
	for number, length := range map[string]int{
		"1.5": 3, "9007199254740993": 16, "1e-07": len("1e-7"), "1.234567890123456789": len("1.2345678901234568"),
		"1e+40": 5, "12345678901234567890123": len("1.2345678901234568e+22"),
	} {
		with := func(text string) size.Sizes {
			value := schema.Value{Kind: schema.Array, Items: []schema.Value{{Kind: schema.NumberKind, Text: text}}}
			c := *described(t, "").CRD
			c.Versions = append([]schema.Version(nil), c.Versions...)
			c.Versions[0].Schema = &schema.Schema{Default: &value}
			return ofCRD(&c, 0)
		}
		if got := with(number).JSON - with("1").JSON + 1; got != length {
			t.Errorf("%s has %d bytes, want %d", number, got, length)
		}
	}
}
