package generator_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/internal/moved"
)

// TestMovedTypes gives a field the same schema, and finds the same mistakes, whichever path of its moved package the
// source imports. The module with the later path is a copy of the linked package.
func TestMovedTypes(t *testing.T) {
	paths := moved.Paths(moved.ExtV1)
	if len(paths) != 2 {
		t.Fatal(paths)
	}
	for name, typ := range map[string]string{
		"any value": "x.JSON", "a pointer": "*x.JSON", "a list": "[]x.JSON", "a map": "map[string]x.JSON",
		"a schema": "x.JSONSchemaProps", "a map of schemas": "map[string]x.JSONSchemaProps",
		"a schema or a bool": "x.JSONSchemaPropsOrBool", "names": "x.CustomResourceDefinitionNames",
		"a CRD": "x.CustomResourceDefinitionSpec", "a condition": "x.CustomResourceDefinitionCondition",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			former, later := movedField(t, typ, paths[0], false), movedField(t, typ, paths[1], true)
			if former != later {
				t.Errorf("with %s:\n%s\nwith %s:\n%s", paths[0], former, paths[1], later)
			}
			if isRaw := strings.HasSuffix(typ, ".JSON"); isRaw != strings.Contains(former, "preserve-unknown-fields") {
				t.Errorf("%s becomes\n%s", typ, former)
			}
		})
	}
}

// movedField returns the CRD of a field, or the checks that report it.
func movedField(t *testing.T, typ, path string, copied bool) string {
	t.Helper()
	dir := t.TempDir()
	moduletest.Write(t, dir, "crd.test", map[string]string{
		"v1/kind.go": moduletest.Kind("example"),
		"v1/types.go": "package v1\n\nimport x \"" + path + "\"\n\ntype Spec struct {\n\tField " + typ +
			" `json:\"field,omitempty\"`\n}\n",
	})
	if copied {
		copyModule(t, dir, path)
	}
	config := generator.Config{Dir: dir, Paths: []string{"./v1"}, Env: moduletest.Env()}
	result, err := generator.Run(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, f := range result.Files {
		out.Write(f.Data)
	}
	// Neither warnings nor messages are compared: the code of a replaced module is the user's own.
	var found []string
	for _, d := range result.Diagnostics {
		if d.Severity == diag.Error {
			found = append(found, d.Check)
		}
	}
	slices.Sort(found)
	for _, check := range slices.Compact(found) {
		out.WriteString(check + "\n")
	}
	return out.String()
}

// copyModule replaces the module of a moved package by a directory that has the files of the linked one.
func copyModule(t *testing.T, dir, path string) {
	t.Helper()
	module, inside, _ := strings.Cut(path, "/pkg/")
	to := filepath.Join(dir, "later", "pkg", filepath.FromSlash(inside))
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	from, err := exec.Command("go", "list", "-f", "{{.Dir}}", moved.Former(path)).Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(from)), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if name := filepath.Base(file); err == nil && !strings.HasSuffix(name, "_test.go") {
			err = os.WriteFile(filepath.Join(to, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	mod := "module " + module + "\n\ngo 1.26.0\n"
	if err := os.WriteFile(filepath.Join(dir, "later", "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	edit := exec.Command("go", "mod", "edit", "-require="+module+"@v0.38.0", "-replace="+module+"=./later")
	edit.Dir = dir
	if out, err := edit.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
