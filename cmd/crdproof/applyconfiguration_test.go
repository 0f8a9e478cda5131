package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/moduletest"
)

// metaConfigurations is as much of k8s.io/client-go/applyconfigurations/meta/v1 as generated files use.
const metaConfigurations = `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type TypeMetaApplyConfiguration struct{ Kind, APIVersion *string }

type OwnerReferenceApplyConfiguration struct{}

type ObjectMetaApplyConfiguration struct {
	Name, GenerateName, Namespace, ResourceVersion *string
	UID                                            *types.UID
	Generation, DeletionGracePeriodSeconds         *int64
	CreationTimestamp, DeletionTimestamp           *metav1.Time
	Labels, Annotations                            map[string]string
	OwnerReferences                                []OwnerReferenceApplyConfiguration
	Finalizers                                     []string
}

func ObjectMeta() *ObjectMetaApplyConfiguration { return &ObjectMetaApplyConfiguration{} }
`

// TestApplyConfigurationCompiles generates apply configurations of types for which controller-tools writes Go that does
// not compile: nothing is written, and the errors are at the types.
func TestApplyConfigurationCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("controller-tools loads all of the module's imports")
	}
	const (
		head = "package v1\n\nimport (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n" +
			"\t\"k8s.io/apimachinery/pkg/runtime/schema\"\n" +
			"\t_ \"k8s.io/client-go/applyconfigurations/meta/v1\"\n)\n\n"
		version = "var SchemeGroupVersion = schema.GroupVersion{Group: \"example.com\", Version: \"v1\"}\n"
		kind    = "\n// +genclient\n// +kubebuilder:object:root=true\ntype Widget struct {\n" +
			"\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n" +
			"\tSpec Spec `json:\"spec\"`\n}\n"
		good = "\ntype Spec struct {\n\tSize int `json:\"size\"`\n}\n"
		bad  = "\ntype Spec struct {\n\tSize int `json:\"size\"`\n\tWithSize int `json:\"withSize\"`\n}\n"
	)
	for _, c := range []struct{ name, types, want string }{
		{"compiles", head + version + kind + good, ""},
		{"conflict", head + version + kind + bad,
			"types.go:19:6: error: the apply configuration of Spec does not compile: field and method with the same name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			moduletest.Write(t, dir, "example.com/op", map[string]string{
				"api/v1/doc.go":   "// +groupName=example.com\n// +kubebuilder:ac:generate=true\npackage v1\n",
				"api/v1/types.go": c.types,
			})
			replaceClient(t, dir)
			t.Chdir(dir)
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), []string{"applyconfiguration", "paths=./api/..."}, nil, &stdout, &stderr)
			_, err := os.Stat("api/v1/applyconfiguration")
			if isWritten := err == nil; isWritten != (c.want == "") || (code == 0) != (c.want == "") ||
				!strings.Contains(stderr.String(), c.want) {
				t.Errorf("exit code %d, written: %v\n%s", code, isWritten, &stderr)
			}
		})
	}
}

// replaceClient makes a module use metaConfigurations in place of k8s.io/client-go.
func replaceClient(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"go.mod": "\nreplace k8s.io/client-go => ./client-go\n", "client-go/go.mod": "module k8s.io/client-go\n\ngo 1.26.0\n",
		"client-go/applyconfigurations/meta/v1/meta.go": metaConfigurations,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		before, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777),
			os.WriteFile(path, append(before, text...), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}
