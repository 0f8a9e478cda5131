// Package program makes one Go program of generated kinds, and talks with it.
package program

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/testdata/circle/source"
)

// module is the path of the program's module.
const module = "circle.example.com/kinds"

// A Program is a directory with a module of kinds.
type Program struct {
	// Dir is the module's directory, without symbolic links.
	Dir    string
	binary string
}

// Write writes the module into an empty directory. Root is the directory of the module circle, whose requirements it shares.
func Write(dir, root string, kinds []source.Kind) (*Program, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	const circle = "github.com/crdproof/crdproof/testdata/circle"
	_, requirements, _ := strings.Cut(string(mod), "\n")
	requirements = strings.ReplaceAll(requirements, "=> ../..", "=> "+filepath.Join(root, "../.."))
	files := map[string]string{
		"go.mod": fmt.Sprintf("module %s\n%s\nrequire %s v0.0.0\n\nreplace %[3]s => %s\n", module, requirements, circle, root),
		"go.sum": string(sum), "main.go": mainFile(kinds),
	}
	for _, k := range kinds {
		files[k.Package+"/doc.go"] = source.PackageFile(k.Package)
		files[FileName(k)] = k.Source
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			return nil, err
		}
	}
	return &Program{Dir: dir, binary: filepath.Join(dir, "program")}, nil
}

// FileName is the path of a kind's file in the module.
func FileName(k source.Kind) string { return k.Package + "/" + strings.ToLower(k.Name) + ".go" }

// mainFile lists the kinds and the constants of enums for fill.Main.
func mainFile(kinds []source.Kind) string {
	var packages []string
	var list, enums strings.Builder
	for _, k := range kinds {
		packages = append(packages, k.Package)
		fmt.Fprintf(&list, "\t\t{Name: %q, APIVersion: \"%s.circle.example.com/v1\", New: func() any { return new(%[2]s.%[1]s) }},\n", k.Name, k.Package)
		for _, e := range k.Enums {
			values := ""
			for _, v := range e.Values {
				values += k.Package + "." + v + ", "
			}
			fmt.Fprintf(&enums, "\t\treflect.TypeFor[%s.%s](): {%s},\n", k.Package, e.Type, strings.TrimSuffix(values, ", "))
		}
	}
	slices.Sort(packages)
	imports := ""
	for _, p := range slices.Compact(packages) {
		imports += fmt.Sprintf("\t%q\n", module+"/"+p)
	}
	return fmt.Sprintf("package main\n\nimport (\n\t\"reflect\"\n\n%s\n\t\"github.com/crdproof/crdproof/testdata/circle/fill\"\n)\n\n"+
		"func main() {\n\tfill.Main([]fill.Kind{\n%s\t}, map[reflect.Type][]any{\n%s\t})\n}\n", imports, list.String(), enums.String())
}

// Build compiles the program.
func (p *Program) Build(ctx context.Context) error {
	// Without debug information it links in half the time.
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", p.binary, ".")
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the generated kinds: %w\n%s", err, out)
	}
	return nil
}
