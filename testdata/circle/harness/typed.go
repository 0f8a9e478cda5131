package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// Counts say what Typed has compared.
type Counts struct {
	// Objects are all values, Valid those that are valid, and Fast those of them that typed code is certain about.
	Objects, Valid, Fast, Undecodable int
	// Different are results that differ.
	Different int
}

// Typed generates kinds, and compares the helpers for their Go types with those for JSON. The findings are texts.
func Typed(ctx context.Context, cfg Config) (total Counts, findings []byte, err error) {
	batches := batchesOf(cfg)
	var kinds []source.Kind
	for _, b := range batches {
		kinds = append(kinds, b.kinds...)
	}
	files, clean, err := temporary(cfg.Root, kinds)
	defer clean()
	if err != nil {
		return total, nil, err
	}
	outcomes, err := runProduct(ctx, files.Dir, batches)
	if err != nil {
		return total, nil, err
	}
	var accepted []source.Kind
	for _, b := range batches {
		b.kinds = slices.DeleteFunc(slices.Clone(b.kinds), func(k source.Kind) bool { return outcomes[k.Name].crd == nil })
		if len(b.kinds) == 0 {
			continue
		}
		accepted = append(accepted, b.kinds...)
		if err := writeHelpers(ctx, files.Dir, b); err != nil {
			return total, nil, err
		}
	}
	table, err := typedTable(files.Dir, accepted)
	if err != nil {
		return total, nil, err
	}
	sources := map[string][]byte{"kinds.go": table}
	for _, name := range []string{"main.go", "bench.go"} {
		text, err := os.ReadFile(filepath.Join(cfg.Root, "../conformance/typed/program", name+".txt"))
		if err != nil {
			return total, nil, err
		}
		sources[name] = text
	}
	for name, data := range sources {
		if err := os.WriteFile(filepath.Join(files.Dir, name), data, 0o666); err != nil {
			return total, nil, err
		}
	}
	if err := files.Build(ctx); err != nil {
		return total, nil, err
	}
	var in, out bytes.Buffer
	lines := json.NewEncoder(&in)
	for i, k := range accepted {
		for v := range cfg.Values {
			line := map[string]any{"Kind": k.Name, "Seed": cfg.Seed<<32 + uint64(i)<<16 + uint64(v)}
			if err := lines.Encode(line); err != nil {
				return total, nil, err
			}
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(files.Dir, "program"))
	cmd.Stdin, cmd.Stderr = &in, &out
	answer, err := cmd.Output()
	if err != nil {
		return total, out.Bytes(), err
	}
	var counts map[string]Counts
	if err := json.Unmarshal(answer, &counts); err != nil {
		return total, out.Bytes(), err
	}
	for _, c := range counts {
		total.Objects += c.Objects
		total.Valid += c.Valid
		total.Fast += c.Fast
		total.Different += c.Different
	}
	return total, out.Bytes(), nil
}

// writeHelpers writes the helpers of a package beside its types.
func writeHelpers(ctx context.Context, dir string, b batch) error {
	made, err := generator.Run(ctx, generator.Config{Dir: dir, Paths: []string{"./" + b.kinds[0].Package},
		Helpers: &helpers.Options{Copy: true}, CRD: generator.Options{Options: lower.Options{
			AllowDangerousTypes:        b.options.AllowDangerousTypes,
			GenerateEmbeddedObjectMeta: b.options.GenerateEmbeddedObjectMeta,
			Extra:                      optional(b.options),
		}}})
	if err != nil {
		return err
	}
	for _, d := range made.Diagnostics {
		if d.Severity == diag.Error {
			return fmt.Errorf("%s [%s]", d.Message, d.Check)
		}
	}
	for _, p := range made.Helpers {
		for _, f := range p.Files {
			if err := os.WriteFile(filepath.Join(p.Dir, f.Path), f.Data, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// typedKind is the declaration of the helpers of a kind with a Go type, and its comment.
var typedKind = regexp.MustCompile(`\n((?://.*\n)*)var (\w+)Helpers = crdKind\[(\w+)\]`)

// cannotHold finds the defaults that a Go type cannot hold in a paragraph of such a comment.
var cannotHold = regexp.MustCompile(`^The type cannot hold these defaults: (.*)\.$`)

// unheld returns these defaults as the arguments of a Go function.
func unheld(comment string) string {
	for paragraph := range strings.SplitSeq(comment, "\n//\n") {
		text := strings.Join(strings.Fields(strings.ReplaceAll("\n"+paragraph, "\n//", " ")), " ")
		if m := cannotHold.FindStringSubmatch(text); m != nil {
			return `"` + strings.Join(strings.Split(m[1], ", "), `", "`) + `"`
		}
	}
	return ""
}

// typedTable writes the table of kinds, and opens the typed code of the helpers for it.
func typedTable(dir string, kinds []source.Kind) ([]byte, error) {
	certain, without := map[string]*bytes.Buffer{}, map[string]string{}
	for _, k := range kinds {
		if certain[k.Package] != nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, k.Package, gocode.FileName))
		if err != nil {
			return nil, err
		}
		text := &bytes.Buffer{}
		certain[k.Package] = text
		fmt.Fprintf(text, "package %s\n", k.Package)
		for _, m := range typedKind.FindAllSubmatch(data, -1) {
			fmt.Fprintf(text, "\n// Certain%[1]s reports whether typed code is certain.\n"+
				"func Certain%[1]s(obj *%[2]s) bool { return %[1]sHelpers.isCertain(obj, nil, nil) }\n", m[2], m[3])
			without[k.Package+"."+string(m[2])] = unheld(string(m[1]))
		}
		if err := os.WriteFile(filepath.Join(dir, k.Package, "certain.go"), text.Bytes(), 0o666); err != nil {
			return nil, err
		}
	}
	var packages []string
	var list, enums strings.Builder
	for _, k := range kinds {
		packages = append(packages, k.Package)
		if !strings.Contains(certain[k.Package].String(), "func Certain"+k.Name+"(") {
			return nil, fmt.Errorf("%s has no helpers for its Go type", k.Name)
		}
		fmt.Fprintf(&list, "\t%[1]q: kindOf(&%[2]s.%[1]sHelpers, %[2]s.%[1]sHelpers.JSON, %[2]s.Certain%[1]s).without(%[3]s).filledBy("+
			"func(seed uint64) any {\n\t\treturn fill.Make(fill.Kind{Name: %[1]q, APIVersion: "+
			"\"%[2]s.circle.example.com/v1\", New: func() any { return new(%[2]s.%[1]s) }}, seed, enums)\n\t}),\n",
			k.Name, k.Package, without[k.Package+"."+k.Name])
		for _, e := range k.Enums {
			pkg, _, _ := strings.Cut(e.Type, ".")
			packages = append(packages, pkg)
			fmt.Fprintf(&enums, "\treflect.TypeFor[%s](): {%s},\n", e.Type, strings.Join(e.Values, ", "))
		}
	}
	slices.Sort(packages)
	imports := ""
	for _, p := range slices.Compact(packages) {
		imports += fmt.Sprintf("\t%q\n", source.Module+"/"+p)
	}
	return []byte("package main\n\nimport (\n\t\"reflect\"\n\n" + imports +
		"\n\t\"github.com/crdproof/crdproof/testdata/circle/fill\"\n)\n\n" +
		"var enums = map[reflect.Type][]any{\n" + enums.String() + "}\n\nvar kinds = map[string]kind{\n" + list.String() +
		"}\n"), nil
}
