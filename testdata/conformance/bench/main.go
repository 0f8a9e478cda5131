// Bench measures helpers and the API server's library side by side. It writes the helpers of kinds from real API
// modules, builds them, and runs both in one process on the same objects, which are in measure/samples. Times depend
// on the machine. The exit code is 1 if the helpers miss a goal, or if the results differ.
//
//	go run ./bench [-rounds n] [-run regexp] [-profile operation] [-crdproof binary]
//
// Run it in testdata/conformance.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
	"github.com/crdproof/crdproof/testdata/conformance/harness"
	parity "github.com/crdproof/crdproof/testdata/parity/harness"
)

// kinds are what is measured, each from the module of a case of parity.
var kinds = []struct{ module, kind string }{
	{"gateway-api", "HTTPRoute"}, {"cert-manager", "Certificate"}, {"prometheus-operator", "Prometheus"},
	{"cluster-api", "Cluster"},
}

func main() {
	run := flag.String("run", "", "measure only the kinds whose name matches this `regexp`")
	rounds := flag.Int("rounds", 20, "measured rounds of each operation")
	profile := flag.String("profile", "",
		"profile the helpers of one `operation` instead, into files in this directory")
	crdproof := flag.String("crdproof", os.Getenv("CRDPROOF"),
		"generate the CRDs with this `binary` instead of building crdproof")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	selected, err := regexp.Compile(*run)
	if err == nil {
		err = bench(ctx, selected, *crdproof, "-rounds", fmt.Sprint(*rounds), "-profile", *profile)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench makes the program that measures, and runs it with the arguments.
func bench(ctx context.Context, selected *regexp.Regexp, crdproof string, args ...string) error {
	work, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	files, err := generate(ctx, work, crdproof)
	if err != nil {
		return err
	}
	p := program{work: work, overlay: map[string]string{}}
	for _, k := range kinds {
		if !selected.MatchString(k.kind) {
			continue
		}
		if err := p.add(k.module, k.kind, files); err != nil {
			return err
		}
	}
	if err := p.compile(ctx, files); err != nil {
		return err
	}
	binary := filepath.Join(work, "program")
	if err := p.build(ctx, binary); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// generate writes the CRDs of the modules.
func generate(ctx context.Context, work, crdproof string) ([]harness.File, error) {
	const parityDir = "../parity"
	cases := slices.DeleteFunc(parity.Cases(), func(c parity.Case) bool {
		return !slices.ContainsFunc(kinds, func(k struct{ module, kind string }) bool { return k.module == c.Name })
	})
	tools, err := parity.Build(ctx, parityDir, work, crdproof)
	if err != nil {
		return nil, err
	}
	return harness.Generate(ctx, parityDir, tools.Crdproof, work, cases)
}

// A program is what measures: a main package, and a package of helpers for each kind, none of which is ever written
// into the module that they belong to.
type program struct {
	work string
	// overlay are the places of files in the module.
	overlay map[string]string
	// imports and table are parts of the main package.
	imports, table []string
}

const module = "github.com/crdproof/crdproof/testdata/conformance/bench/"

// add adds a kind.
func (p *program) add(name, kind string, files []harness.File) error {
	for _, f := range files {
		if f.Case != name {
			continue
		}
		crds := crdsOf(f)
		if len(crds) != 1 || crds[0].Kind.V != kind {
			continue
		}
		pkg := strings.ToLower(kind)
		if err := p.helpers(pkg, crds); err != nil {
			return err
		}
		path := filepath.Join(p.work, pkg+".yaml")
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			return err
		}
		p.imports = append(p.imports, fmt.Sprintf("%q", module+"program/"+pkg))
		p.table = append(p.table, fmt.Sprintf(
			"{CRD: %q, Helpers: measure.Helpers{Prune: %[2]s.%[3]sHelpers.Prune, Default: %[2]s.%[3]sHelpers.Default, "+
				"Validate: %[2]s.%[3]sHelpers.Validate, Update: %[2]s.%[3]sHelpers.ValidateUpdate}},", path, pkg, kind))
		return nil
	}
	return fmt.Errorf("there is no %s in %s", kind, name)
}

func crdsOf(f harness.File) (crds []*schema.CRD) {
	docs, _ := read.Documents(&diag.Source{Path: f.Name, Data: f.Data})
	for _, d := range docs {
		crds = append(crds, d.CRD)
	}
	return crds
}

// helpers writes a package of helpers.
func (p *program) helpers(pkg string, crds []*schema.CRD) error {
	dir := filepath.Join(p.work, "helpers", pkg)
	var sessions []*session.Session
	for _, c := range crds {
		sessions = append(sessions, session.New(c, nil, session.Options{}))
	}
	packages, found := helpers.Write(context.Background(), sessions, helpers.Options{Dir: dir, Package: pkg, Copy: true})
	if diag.HasErrors(found) {
		return fmt.Errorf("%s: %s", pkg, found[0].Message)
	}
	for _, f := range packages[0].Files {
		if err := p.write("program/"+pkg+"/"+f.Path, f.Data); err != nil {
			return err
		}
	}
	return nil
}

// write adds a file to the module.
func (p *program) write(name string, data []byte) error {
	path := filepath.Join(p.work, "overlay", name)
	here, err := filepath.Abs(filepath.Join("bench", name))
	if err != nil {
		return err
	}
	p.overlay[here] = path
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// build compiles the program.
func (p *program) build(ctx context.Context, binary string) error {
	err := p.write("program/main.go",
		fmt.Appendf(nil, "package main\n\nimport (\n%s\n%q\n)\n\nfunc main() {\nmeasure.Main([]measure.Kind{\n"+
			"%s\n})\n}\n",
			strings.Join(p.imports, "\n"), module+"measure", strings.Join(p.table, "\n")))
	if err != nil {
		return err
	}
	_, err = p.goBuild(ctx, binary, "./bench/program")
	return err
}

// goBuild compiles a package and returns the processor time that it took.
func (p *program) goBuild(ctx context.Context, out, pkg string) (time.Duration, error) {
	overlay, err := json.Marshal(map[string]any{"Replace": p.overlay})
	if err != nil {
		return 0, err
	}
	path := filepath.Join(p.work, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", path, "-o", out, pkg)
	if output, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, output)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// compile measures how long the helpers of all kinds of Gateway API take to compile, as one package.
func (p *program) compile(ctx context.Context, files []harness.File) error {
	var crds []*schema.CRD
	for _, f := range files {
		if f.Case == "gateway-api" {
			crds = append(crds, crdsOf(f)...)
		}
	}
	if err := p.helpers("gateway", crds); err != nil {
		return err
	}
	// What the helpers import is compiled before, together with a first build of theirs; a comment that no build has
	// seen makes the second one compile the helpers again, and nothing else.
	for i := range 2 {
		if err := p.write("program/gateway/again.go",
			fmt.Appendf(nil, "package gateway\n\n// %d %d\n", i, time.Now().UnixNano())); err != nil {
			return err
		}
		start := time.Now()
		processor, err := p.goBuild(ctx, os.DevNull, "./bench/program/gateway")
		if err != nil {
			return err
		}
		if i == 1 {
			fmt.Printf("the helpers of %d CRDs of Gateway API compile in %.1f s; with the go command, that takes "+
				"%.1f s of processor time\n\n",
				len(crds), time.Since(start).Seconds(), processor.Seconds())
		}
	}
	return nil
}
