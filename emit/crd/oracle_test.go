package crd

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	toolscrd "sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// The oracle is controller-gen's own code for everything after the schema is built: the conversion to the internal
// version and back, the removal of status and creationTimestamp, and the YAML. Only the way from our IR to the API
// type is written here.

// oracle returns what controller-gen writes for a CRD.
func oracle(c *schema.CRD, opts Options) ([]byte, error) {
	converted, err := toolscrd.AsVersion(*apiCRD(c, opts), apiext.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	transforms := []*genall.WriteYAMLOptions{
		genall.WithTransform(func(obj map[string]any) error { delete(obj, "status"); return nil }),
		genall.WithTransform(genall.TransformRemoveCreationTimestamp),
	}
	if c.PreserveUnknownFields != nil {
		transforms = append(transforms, genall.WithTransform(func(obj map[string]any) error {
			obj["spec"].(map[string]any)["preserveUnknownFields"] = c.PreserveUnknownFields.V
			return nil
		}))
	}
	var out captured
	ctx := genall.GenerationContext{OutputRule: &out}
	err = ctx.WriteYAML("", string(opts.Header), []any{converted}, transforms...)
	return out.Bytes(), err
}

// captured is an output rule that keeps what is written.
type captured struct{ bytes.Buffer }

func (c *captured) Open(*loader.Package, string) (io.WriteCloser, error) { return c, nil }
func (c *captured) Close() error                                         { return nil }

// mustMatch compares Encode with the oracle.
func mustMatch(t *testing.T, c *schema.CRD, opts Options) {
	t.Helper()
	want, err := oracle(c, opts)
	if err != nil {
		t.Fatalf("the oracle rejects it: %v", err)
	}
	if got := Encode(c, opts); !bytes.Equal(got, want) {
		t.Fatal(difference(got, want))
	}
}

// difference shows the first line that differs, with those around it.
func difference(got, want []byte) string {
	g, w := bytes.SplitAfter(got, []byte("\n")), bytes.SplitAfter(want, []byte("\n"))
	i := 0
	for i < len(g) && i < len(w) && bytes.Equal(g[i], w[i]) {
		i++
	}
	around := func(lines [][]byte) string {
		var b strings.Builder
		for _, line := range lines[max(0, min(i-2, len(lines))):min(i+3, len(lines))] {
			fmt.Fprintf(&b, "\t%q\n", line)
		}
		return b.String()
	}
	return fmt.Sprintf("first difference in line %d\ngot\n%swant\n%s", i+1, around(g), around(w))
}

// apiCRD is the CRD as controller-gen holds it before it writes.
func apiCRD(c *schema.CRD, opts Options) *apiext.CustomResourceDefinition {
	out := kube.Object(c)
	out.Spec.PreserveUnknownFields = false // controller-gen adds it to the finished object
	if opts.ToolVersion != "" {
		if out.Annotations == nil {
			out.Annotations = map[string]string{}
		}
		out.Annotations[VersionAnnotation] = opts.ToolVersion
	}
	return out
}

// hasCycle reports whether the library's order runs in circles for these keys, so that its output depends on chance.
func hasCycle(keys []string) bool {
	sorted := slices.Clone(keys)
	slices.SortFunc(sorted, compareKeys)
	for i := range sorted {
		for j := i + 1; j < len(sorted); j++ {
			if compareKeys(sorted[i], sorted[j]) > 0 {
				return true
			}
		}
	}
	return false
}
