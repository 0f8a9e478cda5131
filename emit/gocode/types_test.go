package gocode_test

import (
	"encoding/json"
	"maps"
	"os/exec"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
	"github.com/crdproof/crdproof/rules/kube"
)

// TestTypes compares the structures that generated code has with those that the API server's code makes of the
// schemas.
func TestTypes(t *testing.T) {
	p := gocode.Package{Name: "main"}
	want := map[string]*exchange.Type{}
	for _, crd := range slices.Concat(readCRDs(t, "testdata/crds/processing.yaml"),
		readCRDs(t, "testdata/crds/types.yaml")) {
		name := crd.Kind.V
		k := gocode.Kind{Name: name, CRD: crd}
		p.Kinds = append(p.Kinds, k)
		s, err := kube.Structural(crd.Versions[0].Schema)
		if err != nil {
			t.Fatal(err)
		}
		want[name] = describe(&model.Structural{Structural: s})
		want[name+"Resource"] = describe((&model.Structural{Structural: s}).WithTypeAndObjectMeta())
	}
	out, err := exec.Command(build(t, "testdata/types", gocode.TypeFiles(p))).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]*exchange.Type
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !reflect.DeepEqual(got[name], want[name]) {
			g, _ := json.MarshalIndent(got[name], "", " ")
			w, _ := json.MarshalIndent(want[name], "", " ")
			t.Errorf("%s\ngot  %s\nwant %s", name, g, w)
		}
	}
}

// describe is the structure of a schema as the API server's code gives it.
func describe(s common.Schema) *exchange.Type {
	out := &exchange.Type{
		Name: s.Type(), Format: s.Format(), ListType: s.XListType(), ListKeys: s.XListMapKeys(),
		Nullable: s.Nullable(), Preserve: s.IsXPreserveUnknownFields(), IntOrString: s.IsXIntOrString(),
	}
	properties := s.Properties()
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		out.Fields = append(out.Fields, exchange.Field{Name: name, Type: describe(properties[name])})
	}
	if s.Items() != nil {
		out.Items = describe(s.Items())
	}
	if values := s.AdditionalProperties(); values != nil && values.Schema() != nil {
		out.Values = describe(values.Schema())
	}
	if s.IsXEmbeddedResource() {
		if with := s.WithTypeAndObjectMeta(); !reflect.DeepEqual(with, s) {
			out.Resource = describe(embedded{with})
		}
	}
	return out
}

// embedded is a schema of an embedded resource that describes its type and metadata.
type embedded struct{ common.Schema }

func (embedded) IsXEmbeddedResource() bool { return false }
