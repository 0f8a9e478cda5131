package harness

import (
	"fmt"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/generator"
)

const namedKinds = `// +groupName=names.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +crdproof:objectName:format=dns1123Label,maxLength=12
type Label struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

// +crdproof:objectName:pattern="^web-"
// +crdproof:objectGenerateName:format=dns1123Label,maxLength=5
type Web struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}
`

// TestNames shows that the server enforces the markers for names, after it has generated the names.
func TestNames(t *testing.T) {
	root := t.TempDir()
	kinds := &fault{name: "names", files: []txtar.File{{Name: "v1/types.go", Data: []byte(namedKinds)}}}
	writeFaults(t, root, []*fault{kinds})
	result := kinds.generate(t, filepath.Join(root, kinds.name), generator.Options{})
	if len(result.Files) != 2 {
		t.Fatal(rendered(result.Diagnostics))
	}
	s := start(t)
	for _, f := range result.Files {
		if v, err := s.Create(t.Context(), f.Data); err != nil || !v.Accepted {
			t.Fatal(v.Message, err)
		}
	}
	for _, c := range []struct {
		kind, metadata string
		accepted       bool
	}{
		{"Label", "name: web", true},
		{"Label", "name: web.1", false},
		{"Label", "name: a-longer-name", false},
		{"Label", "generateName: web-", true},
		{"Label", "generateName: web.", false},
		{"Label", "generateName: longer-", true}, // seven characters, and five are added
		{"Label", "generateName: longest-", false},
		{"Label", "name: both, generateName: longest-", true}, // nothing is generated
		{"Web", "name: web-1", true},
		{"Web", "name: web-2, generateName: ''", true},
		{"Web", "name: app", false},
		{"Web", "generateName: web-", true},
		{"Web", "generateName: app-", false},
		{"Web", "generateName: web-ui-", false},
		{"Web", "name: web-3, generateName: Web-", false},
	} {
		collection := map[string]string{"Label": "labels", "Web": "webs"}[c.kind]
		object := fmt.Sprintf("{apiVersion: names.example.com/v1, kind: %s, metadata: {%s}}", c.kind, c.metadata)
		v, err := s.CreateObject(t.Context(), "/apis/names.example.com/v1/namespaces/default/"+collection,
			[]byte(object))
		if err != nil {
			t.Fatal(err)
		}
		if v.Accepted != c.accepted {
			t.Errorf("%s %s: accepted %t, want %t: %s", c.kind, c.metadata, v.Accepted, c.accepted, v.Message)
		}
	}
}
