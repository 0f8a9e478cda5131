// Package program builds one Go program of generated kinds and exchanges JSON with it.
package program

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/testdata/circle/source"
)

// A Program is a directory with a module of kinds.
type Program struct {
	// Dir is the module's directory, without symbolic links.
	Dir    string
	binary string
}

// Write writes the module into an empty directory. Root is the directory of the module circle, whose requirements it
// shares.
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
	requirements = strings.ReplaceAll(requirements, "=> ../..", "=> "+strconv.Quote(filepath.Join(root, "../..")))
	files := map[string]string{
		"go.mod": fmt.Sprintf("module %s\n%s\nrequire %s v0.0.0\n\nreplace %[3]s => %q\n", source.Module, requirements,
			circle, root),
		"go.sum": string(sum), "main.go": mainFile(kinds),
	}
	for _, k := range kinds {
		files[k.Package+"/doc.go"] = source.PackageFile(k.Package)
		for _, f := range Files(k) {
			files[f.Name] = f.Source
		}
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

// A File is one of a kind's.
type File struct {
	// Name is its path in the module.
	Name, Source string
	// Helper is whether it is the one in the other package.
	Helper bool
}

// Files are a kind's.
func Files(k source.Kind) []File {
	name := "/" + strings.ToLower(k.Name) + ".go"
	list := []File{{Name: k.Package + name, Source: k.Source}}
	if k.Helper != "" {
		list = append(list, File{Name: source.HelperPackage(k.Package) + name, Source: k.Helper, Helper: true})
	}
	return list
}

// mainFile lists the kinds and the constants of enums for fill.Main.
func mainFile(kinds []source.Kind) string {
	var packages []string
	var list, enums strings.Builder
	for _, k := range kinds {
		packages = append(packages, k.Package)
		fmt.Fprintf(&list, "\t\t{Name: %q, APIVersion: \"%s.circle.example.com/v1\", New: func() any { return "+
			"new(%[2]s.%[1]s) }},\n", k.Name, k.Package)
		for _, e := range k.Enums {
			pkg, _, _ := strings.Cut(e.Type, ".")
			packages = append(packages, pkg)
			fmt.Fprintf(&enums, "\t\treflect.TypeFor[%s](): {%s},\n", e.Type, strings.Join(e.Values, ", "))
		}
	}
	slices.Sort(packages)
	imports := ""
	for _, p := range slices.Compact(packages) {
		imports += fmt.Sprintf("\t%q\n", source.Module+"/"+p)
	}
	return fmt.Sprintf("package main\n\nimport (\n\t\"reflect\"\n\n%s\n"+
		"\t\"github.com/crdproof/crdproof/testdata/circle/fill\"\n)\n\n"+
		"func main() {\n\tfill.Main([]fill.Kind{\n%s\t}, map[reflect.Type][]any{\n%s\t})\n}\n", imports, list.String(),
		enums.String())
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
