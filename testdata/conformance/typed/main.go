// Typed compares what generated helpers return for values of Go types with what they return for the JSON of these. Run
// it in the directory above, testdata/conformance:
//
//	go run ./typed [-seed number] [-objects n] [-run regexp] [-keep directory] [-show-slow] [-imported-as-data] [-bench]
//
// The types are those of parity's modules, and some with rules over all shapes of types. Their objects are random, and
// then changed in Go. The exit code is 1 if a result differs. With -bench it measures both on the samples of ./bench
// instead.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema/read"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
	"sigs.k8s.io/yaml"

	parity "github.com/crdproof/crdproof/testdata/parity/harness"
)

//go:embed program/main.go.txt
var program []byte

//go:embed program/bench.go.txt
var benchmarks []byte

// api has types with rules over all shapes of Go types. It is a module of its own.
//
//go:embed program/api.go.txt
var api []byte

// ownModule is the name of that module; its requirements are those of a module of parity.
const ownModule, ownRequires = "rules", "source-controller"

var (
	seed    = flag.Uint64("seed", 1, "make objects from this `number`")
	count   = flag.Int("objects", 20000, "`how many` objects to try")
	run     = flag.String("run", "", "take only the modules whose name matches this `regexp`")
	keep    = flag.String("keep", "", "leave the programs in this `directory`")
	slow    = flag.Bool("show-slow", false, "print valid objects that typed code is not certain about, or that need memory")
	tool    = flag.String("tool", "", "the crdproof to run; it is built by default")
	measure = flag.Bool("bench", false, "measure the kinds of ./bench instead")
	dialect = flag.String("crd", "compat=controller-gen", "the `options` of crd")
	asData  = flag.Bool("imported-as-data", false, "write the helpers with importedAsData")
)

func main() {
	flag.Parse()
	ok, err := try(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, "typed:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func try(ctx context.Context) (bool, error) {
	work := *keep
	if work == "" {
		dir, err := os.MkdirTemp("", "typed")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
		work = dir
	}
	pattern, err := regexp.Compile(*run)
	if err != nil {
		return false, err
	}
	crdproof := *tool
	if crdproof == "" {
		crdproof = filepath.Join(work, "crdproof")
		if out, err := command(ctx, "../..", "go", "build", "-o", crdproof, "./cmd/crdproof"); err != nil {
			return false, fmt.Errorf("%w\n%s", err, out)
		}
	}
	var cases []parity.Case
	for _, c := range append(parity.Cases(), parity.Case{Name: ownModule, Dir: ownModule, Paths: "./v1",
		Options: []string{"allowDangerousTypes=true"}}) {
		_, isMeasured := samples[c.Name]
		if !c.Repeats() && pattern.MatchString(c.Name) && (isMeasured || !*measure) {
			cases = append(cases, c)
		}
	}
	if *measure {
		fmt.Printf("medians of 20 rounds in turn, in one process, on the same objects\n\n%-12s %-9s %12s %12s %8s   %10s %8s\n",
			"kind", "operation", "for JSON", "helper", "faster", "allocs", "helper's")
	}
	same := true
	for _, c := range cases {
		fine, err := module(ctx, c, crdproof, filepath.Join(work, c.Name), max(*count/len(cases), 1))
		if err != nil {
			return false, fmt.Errorf("%s: %w", c.Name, err)
		}
		same = same && fine
	}
	return same, nil
}

func command(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CRDPROOF_CACHE=off")
	return cmd.CombinedOutput()
}

// module tries the kinds of one module.
func module(ctx context.Context, c parity.Case, crdproof, work string, n int) (bool, error) {
	work, err := filepath.Abs(work)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(work, 0o777); err != nil {
		return false, err
	}
	requires := c
	if c.Name == ownModule {
		requires.Dir = ownRequires
	}
	from := requires.WorkDir("../parity")
	mod, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return false, err
	}
	mod = regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(mod, []byte("module typed"))
	sum, err := os.ReadFile(filepath.Join(from, "go.sum"))
	if err != nil {
		return false, err
	}
	files := map[string][]byte{"go.mod": mod, "go.sum": sum}
	if c.Name == ownModule {
		from, files["v1/api.go"] = work, api
	}
	if err := write(work, files); err != nil {
		return false, err
	}
	crds := filepath.Join(work, "crds")
	options := append([]string{"mistakes=warn", "unproved=true", *dialect}, c.Options...)
	out, err := command(ctx, from, crdproof, "crd:"+strings.Join(options, ","),
		fmt.Sprintf("helpers:runtime=copy,importedAsData=%t", *asData), "paths="+c.Paths,
		"output:crd:dir="+crds, "output:helpers:dir="+filepath.Join(work, "helpers"))
	if err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	table, names, err := table(filepath.Join(work, "helpers"))
	if err != nil {
		return false, err
	}
	if err := write(work, map[string][]byte{"main.go": program, "bench.go": benchmarks,
		"kinds.go": table}); err != nil {
		return false, err
	}
	if out, err := command(ctx, work, "go", "vet", "./..."); err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	if out, err := command(ctx, work, "go", "build", "-o", "typed", "."); err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	if *measure {
		return true, bench(ctx, work, samples[c.Name])
	}
	in, err := inputs(ctx, crds, names, n)
	if err != nil {
		return false, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(work, "typed"))
	cmd.Stdin = bytes.NewReader(in)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	if *slow {
		cmd.Env = append(os.Environ(), "SLOW=1")
	}
	result, err := cmd.Output()
	if err != nil {
		return false, fmt.Errorf("%w\n%s", err, errors.Bytes())
	}
	var counts map[string]struct{ Objects, Valid, Fast, Undecodable, Different int }
	if err := json.Unmarshal(result, &counts); err != nil {
		return false, fmt.Errorf("%w\n%s", err, result)
	}
	os.Stderr.Write(errors.Bytes())
	total := counts[""]
	for _, k := range counts {
		total.Objects += k.Objects
		total.Valid += k.Valid
		total.Fast += k.Fast
		total.Undecodable += k.Undecodable
		total.Different += k.Different
	}
	fmt.Printf("%-20s %3d kinds, %6d objects, %6d valid, %5.1f %% of them for certain, %d not of the type, %d differences\n",
		c.Name, len(names), total.Objects, total.Valid, 100*float64(total.Fast)/float64(max(total.Valid, 1)),
		total.Undecodable, total.Different)
	return total.Different == 0, nil
}

// samples are the kinds that are measured, by the module of parity. Their objects are those of ./bench.
var samples = map[string]string{
	"gateway-api": "HTTPRoute", "cert-manager": "Certificate", "prometheus-operator": "Prometheus", "cluster-api": "Cluster",
}

// bench measures a kind.
func bench(ctx context.Context, work, kind string) error {
	data, err := os.ReadFile(filepath.Join("bench", "measure", "samples", strings.ToLower(kind)+".yaml"))
	if err != nil {
		return err
	}
	if data, err = yaml.YAMLToJSON(data); err != nil {
		return err
	}
	object := filepath.Join(work, "sample.json")
	if err := os.WriteFile(object, data, 0o666); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(work, "typed"), kind, object)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// write writes files into a directory.
func write(dir string, files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// table writes the table of kinds, and opens the typed code of the helpers for it.
func table(dir string) ([]byte, map[string]bool, error) {
	path := filepath.Join(dir, gocode.FileName)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	text := func(n ast.Node) string {
		return string(data[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
	}
	imports := map[string]string{}
	for _, i := range file.Imports {
		name := gocode.ImportName(i, strings.Trim(i.Path.Value, `"`))
		imports[name] = i.Path.Value
	}
	var kinds, certain bytes.Buffer
	names, used := map[string]bool{}, map[string]bool{}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		spec := decl.Specs[0].(*ast.ValueSpec)
		name, ok := strings.CutSuffix(spec.Names[0].Name, "Helpers")
		if !ok || len(spec.Values) == 0 {
			continue
		}
		literal, ok := spec.Values[0].(*ast.CompositeLit)
		if !ok {
			continue
		}
		kind, ok := literal.Type.(*ast.IndexExpr)
		if !ok {
			continue
		}
		of := text(kind.Index)
		names[name] = true
		pkg, _, _ := strings.Cut(of, ".")
		used[pkg] = true
		fmt.Fprintf(&certain, "\n// Certain%[1]s reports whether typed code is certain.\n"+
			"func Certain%[1]s(obj *%[2]s) bool { return %[1]sHelpers.isCertain(obj, nil, nil) }\n", name, of)
		fmt.Fprintf(&kinds, "\t%[1]q: kindOf(&helpers.%[1]sHelpers, helpers.%[1]sHelpers.JSON, helpers.Certain%[1]s).without(%[2]s),\n",
			name, quoted(unheld(decl.Doc.Text())))
	}
	var header bytes.Buffer
	for _, pkg := range slices.Sorted(func(yield func(string) bool) {
		for p := range used {
			if !yield(p) {
				return
			}
		}
	}) {
		fmt.Fprintf(&header, "import %s %s\n", pkg, imports[pkg])
	}
	certainFile := "package " + file.Name.Name + "\n\n" + header.String() + certain.String()
	if err := os.WriteFile(filepath.Join(dir, "certain.go"), []byte(certainFile), 0o666); err != nil {
		return nil, nil, err
	}
	return []byte("package main\n\nimport helpers \"typed/helpers\"\n\nvar kinds = map[string]kind{\n" + kinds.String() + "}\n"), names, nil
}

// unheld returns the defaults that a Go type cannot hold, from the comment of its helpers.
func unheld(comment string) []string {
	for paragraph := range strings.SplitSeq(comment, "\n\n") {
		if m := cannotHold.FindStringSubmatch(strings.Join(strings.Fields(paragraph), " ")); m != nil {
			return strings.Split(m[1], ", ")
		}
	}
	return nil
}

func quoted(list []string) string {
	var out []string
	for _, text := range list {
		out = append(out, strconv.Quote(text))
	}
	return strings.Join(out, ", ")
}

var cannotHold = regexp.MustCompile(`The type cannot hold these defaults: (.*)\.$`)

// inputs are the lines for the program.
func inputs(ctx context.Context, crds string, names map[string]bool, n int) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(crds, "*.yaml"))
	if err != nil {
		return nil, err
	}
	type source struct {
		name  string
		maker *objects.Maker
	}
	var sources []source
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		docs, _ := read.Documents(&diag.Source{Path: f, Data: data})
		for _, doc := range docs {
			crd := doc.CRD
			for _, v := range crd.Versions {
				name := gocode.GoName(crd.Kind.V)
				if len(crd.Versions) > 1 && !v.Storage {
					name += gocode.GoName(v.Name.V)
				}
				s, err := kube.Structural(v.Schema)
				if !names[name] || err != nil {
					continue
				}
				for _, calm := range []bool{true, false} {
					sources = append(sources, source{name, objects.NewMaker(s, crd.Group.V+"/"+v.Name.V, crd.Kind.V, calm)})
				}
			}
		}
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("no kinds in %s", crds)
	}
	var out bytes.Buffer
	for i := range n {
		s := sources[i%len(sources)]
		c := s.maker.Make(*seed, uint64(i))
		line := map[string]any{"Kind": s.name, "Seed": *seed*1000003 + uint64(i), "Object": c.Object}
		if c.Old != nil {
			line["Old"] = c.Old
		}
		data, err := json.Marshal(line)
		if err != nil {
			continue
		}
		out.Write(append(data, '\n'))
	}
	return out.Bytes(), ctx.Err()
}
