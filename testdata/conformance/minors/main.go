// Command minors compares crdproof's verdict on CRDs for each minor version of Kubernetes with that of the API server's
// code of that minor.
//
// The CRDs are those in the files and directories of the command line, random mutations of them, and random rules.
// Answers to random writes of their objects are compared too, with those of objects/write. A
// disagreement is printed with the first CRD that shows it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/testdata/conformance/expressions"
	"github.com/crdproof/crdproof/testdata/conformance/mutate"
)

type options struct {
	seed             uint64
	mutations, rules int
	objects          int
	only             string
	keep             string
	ranges           bool
	record           string
	each             int
	recordWrites     string
}

func main() {
	var opts options
	flag.Uint64Var(&opts.seed, "seed", 1, "the `seed` of mutations and rules")
	flag.IntVar(&opts.mutations, "mutations", 0, "`how many` mutations to compare")
	flag.IntVar(&opts.rules, "rules", 0, "`how many` CRDs with random rules to compare")
	flag.IntVar(&opts.objects, "objects", 0, "`how many` writes of objects to compare, of each CRD")
	flag.StringVar(&opts.only, "kube", "", "only this `range` of minors")
	flag.StringVar(&opts.keep, "keep", "", "write the CRDs of disagreements to this `directory`")
	flag.BoolVar(&opts.ranges, "ranges", false, "validate for all versions from a minor on")
	flag.StringVar(&opts.record, "record", "", "write the oracles' answers to this `directory`, and compare nothing")
	flag.IntVar(&opts.each, "each", 4, "`how many` rules a random CRD has")
	flag.StringVar(&opts.recordWrites, "record-writes", "", "write the writes that minors answer differently to this "+
		"`file`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	n, err := compare(ctx, opts, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "minors:", err)
		os.Exit(2)
	}
	if n > 0 {
		os.Exit(1)
	}
}

// A sample is a CRD to compare.
type sample struct {
	name string
	yaml []byte
}

// compare returns the number of disagreements.
func compare(ctx context.Context, opts options, files []string) (total int, err error) {
	all, err := minors()
	if err != nil {
		return 0, err
	}
	if opts.only != "" {
		r, err := kube.ParseRange(opts.only)
		if err != nil {
			return 0, err
		}
		all = slices.DeleteFunc(all, func(m kube.Minor) bool { return m < r.First || m > r.Last })
	}
	samples, err := corpus(opts, files)
	if err != nil {
		return 0, err
	}
	if opts.record != "" {
		return 0, record(ctx, all, samples, opts.record)
	}
	writes, err := allWrites(ctx, opts, samples)
	if err != nil {
		return 0, err
	}
	for _, minor := range all {
		o, err := start(ctx, minor)
		if err != nil {
			return 0, err
		}
		r := report{minor: minor, last: minor, keep: opts.keep}
		if opts.ranges {
			r.last = kube.Newest
		}
		for _, s := range samples {
			if err := r.compare(ctx, o, s); err != nil {
				return 0, fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if err := r.compareObjects(ctx, o, writes); err != nil {
			return 0, err
		}
		if err := o.stop(); err != nil {
			return 0, err
		}
		r.print()
		total += r.disagreements
	}
	if opts.recordWrites != "" {
		return total, recordWrites(opts.recordWrites, writes, all)
	}
	return total, nil
}

// corpus returns the CRDs in the files, then mutations of them, then random rules.
func corpus(opts options, files []string) (out []sample, err error) {
	var crds []mutate.CRD
	for _, root := range files {
		err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, text := range strings.Split(string(data), "\n---\n") {
				crd, err := mutate.Read(path, []byte(text))
				if err != nil || crd.Object["kind"] != "CustomResourceDefinition" ||
					crd.Object["apiVersion"] != "apiextensions.k8s.io/v1" {
					continue
				}
				out = append(out, sample{fmt.Sprintf("%s#%d", path, i), []byte(text)})
				crds = append(crds, crd)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i := range opts.mutations {
		m, err := mutate.New(opts.seed, i, crds)
		if err != nil {
			return nil, err
		}
		out = append(out, sample{fmt.Sprintf("mutation %d", i), m.YAML})
	}
	for i := range opts.rules {
		b, err := expressions.Make(opts.seed, uint64(i), opts.each)
		if err != nil {
			return nil, err
		}
		out = append(out, sample{fmt.Sprintf("rules %d", i), b.CRD})
	}
	return out, nil
}
