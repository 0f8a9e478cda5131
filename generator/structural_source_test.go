package generator_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/schema"
)

// structuralBody is the body of a kind, and kindFile is added if a case declares none: it declares its Spec.
const (
	structuralBody = "{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n" +
		"\tSpec   Spec   `json:\"spec\"`\n\tStatus Status `json:\"status,omitempty\"`\n}\n"
	sourceImports = "import (\n\tapiextensionsv1 \"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1\"\n" +
		"\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"k8s.io/apimachinery/pkg/runtime\"\n" +
		"\t\"k8s.io/apimachinery/pkg/util/intstr\"\n)\n\n" +
		"var _ = []any{apiextensionsv1.JSON{}, runtime.RawExtension{}, intstr.IntOrString{}}\n\n"
	statusType = "type Status struct {\n\tReplicas int32 `json:\"replicas,omitempty\"`\n}\n\n"
	specType   = "type Spec struct {\n\tMode string `json:\"mode,omitempty\"`\n" +
		"\tReplicas int32 `json:\"replicas,omitempty\"`\n\tPorts []Port `json:\"ports,omitempty\"`\n%s}\n\n" +
		"type Port struct {\n\tID int32 `json:\"id\"`\n}\n\n"
)

// sources are packages of Go, each in a folder of its own, that are read together: the go command takes most of the
// time.
type sources struct {
	root  string
	files map[string]string
}

func newSources(t *testing.T) *sources {
	return &sources{root: t.TempDir(), files: map[string]string{}}
}

// add adds a package of fields of Spec, of a kind or of a package clause, to which the rest is added.
func (s *sources) add(folder, code string) {
	var out strings.Builder
	// Kinds of one name and group would be one CRD.
	clause := "// +groupName=" + folder + ".example.com\npackage v1\n\n"
	const status = "// +kubebuilder:subresource:status\n"
	kind := status + "type Widget struct " + structuralBody
	switch {
	case strings.Contains(code, "package v1"):
		out.WriteString(code + "\n\n" + sourceImports + statusType + fmt.Sprintf(specType, "") + kind)
	case strings.Contains(code, "type Widget struct"):
		out.WriteString(clause + sourceImports + statusType + fmt.Sprintf(specType, "") +
			strings.Replace(code, "type Widget struct { … }", status+"type Widget struct "+structuralBody, 1))
	default:
		out.WriteString(clause + sourceImports + statusType + fmt.Sprintf(specType, code+"\n") + kind)
	}
	s.files[folder] = out.String()
}

// build makes the CRD of each folder. What the generator itself reports as an error is returned as well.
func (s *sources) build(t *testing.T) (map[string]*schema.CRD, map[string][]diag.Diagnostic) {
	t.Helper()
	files := map[string]string{}
	for folder, code := range s.files {
		files[folder+"/types.go"] = code
	}
	moduletest.Write(t, s.root, "example.com/cases", files)
	listing, err := load.List(context.Background(), load.Config{
		Dir: s.root, Paths: []string{"./..."}, Env: moduletest.Env(),
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := func(at diag.Span) string {
		if at.Source == nil {
			return ""
		}
		return filepath.Base(filepath.Dir(at.Source.Path))
	}
	program := listing.Load(t.Context(), lower.Policy(lower.Options{}))
	crds, errors := map[string]*schema.CRD{}, map[string][]diag.Diagnostic{}
	var found lower.Found
	for c := range lower.CRDs(t.Context(), program, lower.Options{Tolerate: true, MaxDescLen: new(int)}, nil, &found) {
		crds[folder(c.At)] = c
	}
	for _, d := range append(program.Diagnostics, found.Diagnostics...) {
		if d.Severity == diag.Error {
			errors[folder(d.Span)] = append(errors[folder(d.Span)], d)
		}
	}
	return crds, errors
}
