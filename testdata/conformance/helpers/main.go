// Helpers compares what generated helpers return for objects with what the API server answers. Run it in the directory
// above, testdata/conformance:
//
//	go run ./helpers [-seed number] [-objects n] [-bodies n] [-expressions n] [-sample n] [-first n] [-run regexp]
//		[-details n]
//
// The objects belong to the CRDs of parity's modules and to those in the directory crds. The flag -small uses only the
// latter, and -crds uses other files. Expressions and their schemas are random. A sample of the objects is also sent
// to an API server.
//
// To reproduce an object, use its seed and number, with the same -run. The exit code is 1 if a result differs.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/crdproof/crdproof/testdata/conformance/answers"
	"github.com/crdproof/crdproof/testdata/conformance/harness"
	"github.com/crdproof/crdproof/testdata/conformance/server"
	parity "github.com/crdproof/crdproof/testdata/parity/harness"
)

// options are those of the command line.
type options struct {
	answers.Config
	run, crds, keep string
	small           bool
	bodies          int
	expressions     int
	sample          int
	details         int
}

func main() {
	var opts options
	flag.Uint64Var(&opts.Seed, "seed", 1, "make objects from this `number`")
	flag.IntVar(&opts.Objects, "objects", 10000, "`how many` objects to try")
	flag.IntVar(&opts.bodies, "bodies", 0, "`how many` bodies of requests to try as well")
	flag.IntVar(&opts.expressions, "expressions", 0, "`about how many` expressions to try as well")
	flag.IntVar(&opts.sample, "sample", 0, "ask an API server about this `number` of objects of each kind as well")
	flag.IntVar(&opts.First, "first", 0, "the `number` of the first object")
	flag.StringVar(&opts.run, "run", "",
		"take only the CRDs whose name, such as keda/keda.sh_scaledobjects.yaml, matches this `regexp`")
	flag.StringVar(&opts.crds, "crds", "",
		"take the CRDs in the folders of this `directory` instead of making those of parity's modules")
	flag.StringVar(&opts.keep, "keep", "", "leave the program of helpers in this `directory`")
	flag.BoolVar(&opts.small, "small", false, "take only the CRDs of the folder crds")
	flag.IntVar(&opts.details, "details", 20, "`how many` findings to explain")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := try(ctx, opts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "helpers:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// try compares, and reports whether all is the same.
func try(ctx context.Context, opts options) (bool, error) {
	work, err := os.MkdirTemp("", "helpers")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	ok := true
	if opts.Objects+opts.bodies > 0 {
		if ok, err = opts.tryObjects(ctx, work); err != nil {
			return false, err
		}
	}
	if opts.expressions > 0 {
		same, err := opts.tryExpressions(ctx, work)
		if err != nil {
			return false, err
		}
		ok = ok && same
	}
	return ok, nil
}

// root is crdproof's own directory.
const root = "../.."

func (o options) tryObjects(ctx context.Context, work string) (bool, error) {
	files, err := o.files(ctx, work)
	if err != nil {
		return false, err
	}
	start := time.Now()
	program, kinds, rejections, err := answers.Compile(ctx, cmp.Or(o.keep, filepath.Join(work, "program")), root, files)
	if err != nil {
		return false, err
	}
	fmt.Printf("%d kinds of %d CRDs in %.0f s\n", len(kinds), len(files), time.Since(start).Seconds())
	o.explain(rejections)
	o.Kinds = kinds
	if same, err := o.tryBodies(ctx, program); err != nil || !same {
		return false, err
	}
	start = time.Now()
	report, err := answers.Run(ctx, program, o.Config)
	if err != nil {
		return false, err
	}
	report.Details(os.Stdout, o.details)
	report.Summary(os.Stdout)
	fmt.Printf("in %.0f s\n", time.Since(start).Seconds())
	sampled, err := o.trySample(ctx, program, kinds)
	return len(report.Findings)+len(rejections) == 0 && sampled, err
}

// tryBodies asks about bodies of requests.
func (o options) tryBodies(ctx context.Context, program *answers.Program) (bool, error) {
	if o.bodies == 0 {
		return true, nil
	}
	start := time.Now()
	of := o.Config
	of.Objects = o.bodies
	report, err := answers.RunBodies(ctx, program, of)
	if err != nil {
		return false, err
	}
	for _, f := range report.Findings[:min(o.details, len(report.Findings))] {
		fmt.Printf("--- %s\n", f)
	}
	fmt.Printf("%d bodies: %d accepted, %d invalid, %d not read, %d with warnings, %d whose metadata are rejected; "+
		"%d findings, in %.0f s\n", report.Bodies, report.Accepted, report.Invalid, report.Unread, report.Warned,
		report.Skipped, len(report.Findings), time.Since(start).Seconds())
	return len(report.Findings) == 0, nil
}

// trySample asks an API server.
func (o options) trySample(ctx context.Context, program *answers.Program, kinds []*answers.Kind) (bool, error) {
	if o.sample == 0 {
		return true, nil
	}
	start := time.Now()
	s, err := server.Start()
	if err != nil {
		return false, err
	}
	defer s.Stop()
	report, err := answers.RunSample(ctx, s, program, answers.Config{Kinds: kinds, Seed: o.Seed, Objects: o.sample})
	if err != nil {
		return false, err
	}
	for _, f := range report.Findings[:min(o.details, len(report.Findings))] {
		fmt.Printf("--- %s\n", f)
	}
	fmt.Printf("the API server was asked about %d objects: %d accepted, %d rejected, %d with warnings, %d not read "+
		"that far; %d findings, in %.0f s\n",
		report.Objects, report.Accepted, report.Rejected, report.Warned, report.Skipped, len(report.Findings),
		time.Since(start).Seconds())
	return len(report.Findings) == 0, nil
}

func (o options) tryExpressions(ctx context.Context, work string) (bool, error) {
	start := time.Now()
	report, err := answers.RunExpressions(ctx, filepath.Join(work, "expressions"), root, answers.ExpressionConfig{
		Seed: o.Seed, Expressions: o.expressions, First: o.First, Objects: 60,
	})
	if err != nil {
		return false, err
	}
	o.explain(report.Rejections)
	report.Details(os.Stdout, o.details)
	report.Summary(os.Stdout)
	fmt.Printf("%d expressions, %d more that the server does not compile, %d rejections, in %.0f s\n",
		report.Rules, report.Discarded, len(report.Rejections), time.Since(start).Seconds())
	return len(report.Findings)+len(report.Rejections) == 0, nil
}

// explain prints which CRDs or rules have no helpers.
func (o options) explain(rejections []answers.Rejection) {
	for _, r := range rejections[:min(o.details, len(rejections))] {
		fmt.Printf("--- no helpers for %s\n    %s\n", r.File, strings.Join(r.Reason, "\n    "))
	}
	if len(rejections) > o.details {
		fmt.Printf("and %d more\n", len(rejections)-o.details)
	}
}

// files are the CRDs that are selected.
func (o options) files(ctx context.Context, work string) ([]answers.File, error) {
	selected, err := regexp.Compile(o.run)
	if err != nil {
		return nil, err
	}
	var files []answers.File
	switch {
	case o.small:
	case o.crds != "":
		files, err = readFiles(o.crds)
	default:
		files, err = generated(ctx, work)
	}
	if err != nil {
		return nil, err
	}
	small, err := answers.SmallFiles()
	files = append(files, small...)
	return slices.DeleteFunc(files, func(f answers.File) bool { return !selected.MatchString(f.Name) }), err
}

func readFiles(dir string) ([]answers.File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.yaml"))
	if err != nil {
		return nil, err
	}
	var files []answers.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := newFile(filepath.Base(filepath.Dir(path)), filepath.Base(path), data)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// newFile fixes and names a CRD; those of one group share a package.
func newFile(module, name string, data []byte) (answers.File, error) {
	group, _, _ := strings.Cut(name, "_")
	fixed, _, err := harness.Fix(data)
	return answers.File{Name: module + "/" + name, Package: module + "/" + group, Data: fixed}, err
}

// generated are the CRDs of parity's modules.
func generated(ctx context.Context, work string) ([]answers.File, error) {
	const parityDir = "../parity"
	tools, err := parity.Build(ctx, parityDir, work, os.Getenv("CRDPROOF"))
	if err != nil {
		return nil, err
	}
	crds, err := harness.Generate(ctx, parityDir, tools.Crdproof, work, parity.Cases())
	if err != nil {
		return nil, err
	}
	var files []answers.File
	for _, f := range crds {
		if f.Repeats {
			continue
		}
		file, err := newFile(f.Case, f.Name, f.Data)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
