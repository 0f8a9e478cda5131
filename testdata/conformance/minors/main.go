// Command minors compares crdproof's verdict on CRDs for each minor version of Kubernetes with that of the API server's
// code of that minor.
//
// The CRDs are those in the files and directories of the command line, random mutations of them, and random rules. A
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

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/testdata/conformance/expressions"
	"github.com/crdproof/crdproof/testdata/conformance/mutate"
)

type options struct {
	seed             uint64
	mutations, rules int
	only             string
	keep             string
}

func main() {
	var opts options
	flag.Uint64Var(&opts.seed, "seed", 1, "the `seed` of mutations and rules")
	flag.IntVar(&opts.mutations, "mutations", 0, "`how many` mutations to compare")
	flag.IntVar(&opts.rules, "rules", 0, "`how many` CRDs with random rules to compare")
	flag.StringVar(&opts.only, "kube", "", "only this `range` of minors")
	flag.StringVar(&opts.keep, "keep", "", "write the CRDs of disagreements to this `directory`")
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
	for _, minor := range all {
		o, err := start(ctx, minor)
		if err != nil {
			return 0, err
		}
		r := report{minor: minor, keep: opts.keep}
		for _, s := range samples {
			if err := r.compare(ctx, o, s); err != nil {
				return 0, fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if err := o.stop(); err != nil {
			return 0, err
		}
		r.print()
		total += r.disagreements
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
				if err != nil || crd.Object["kind"] != "CustomResourceDefinition" {
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
		b, err := expressions.Make(opts.seed, uint64(i), 4)
		if err != nil {
			return nil, err
		}
		out = append(out, sample{fmt.Sprintf("rules %d", i), b.CRD})
	}
	return out, nil
}

// A verdictReason is a field for which a CRD is rejected.
type verdictReason struct{ field, message string }

// ours are crdproof's reasons to reject a CRD for a minor.
func ours(ctx context.Context, minor kube.Minor, crd []byte) (out []verdictReason, err error) {
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: crd})
	for _, doc := range docs {
		object, err := kube.Decode(doc.JSON)
		if err != nil {
			return []verdictReason{{"", err.Error()}}, nil
		}
		opts := session.Options{Kube: kube.Range{First: minor, Last: minor}, ByVerdict: true}
		found = append(found, rules.Check(ctx, session.New(doc.CRD, object, opts))...)
	}
	for _, d := range found {
		if d.Severity == diag.Error {
			for _, path := range append([]string{d.Path}, d.AlsoPaths...) {
				out = append(out, verdictReason{path, d.Message + " [" + d.Check + "]"})
			}
		}
	}
	return out, nil
}

// A report collects the disagreements about one minor, by their kind.
type report struct {
	minor         kube.Minor
	keep          string
	judged        int
	accepted      int
	disagreements int
	kinds         []string
	first         map[string]string
	count         map[string]int
}

func (r *report) compare(ctx context.Context, o *oracle, s sample) error {
	body, err := yaml.YAMLToJSON(s.yaml)
	if err != nil {
		return nil // no server gets to see it
	}
	said, err := o.judge(body)
	if err != nil {
		return err
	}
	theirs := said.reasons()
	our, err := ours(ctx, r.minor, s.yaml)
	if err != nil {
		return err
	}
	r.judged++
	if len(theirs) == 0 {
		r.accepted++
	}
	switch {
	case len(theirs) > 0 && len(our) == 0:
		r.add("the server rejects, crdproof accepts", s, theirs[0])
	case len(theirs) == 0 && len(our) > 0:
		r.add("the server accepts, crdproof rejects", s, our[0])
	default:
		for _, t := range theirs {
			if t.field != "" && !slices.ContainsFunc(our, func(v verdictReason) bool { return sameField(v.field, t.field) }) {
				r.add("both reject, but crdproof does not report a field", s, t)
				break
			}
		}
	}
	return nil
}

// lifted are the fields that the server looks at above the versions if all versions have them in common.
var lifted = map[string]string{
	"spec.validation": "spec.versions[0].schema", "spec.subresources": "spec.versions[0].subresources",
	"spec.additionalPrinterColumns": "spec.versions[0].additionalPrinterColumns",
	"spec.selectableFields":         "spec.versions[0].selectableFields",
}

func sameField(ours, theirs string) bool {
	for from, to := range lifted {
		if rest, ok := strings.CutPrefix(theirs, from); ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			theirs = to + rest
		}
	}
	return ours == theirs
}

func (r *report) add(what string, s sample, why verdictReason) {
	r.disagreements++
	kind := what + ": " + generic(why.message)
	if r.count == nil {
		r.count, r.first = map[string]int{}, map[string]string{}
	}
	if r.count[kind]++; r.count[kind] == 1 {
		r.kinds = append(r.kinds, kind)
		r.first[kind] = s.name + "\n      " + why.field + ": " + why.message
		if r.keep != "" {
			name := fmt.Sprintf("%s-%d.yaml", r.minor, len(r.kinds))
			if err := os.WriteFile(filepath.Join(r.keep, name), s.yaml, 0o666); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			r.first[kind] += "\n      " + name
		}
	}
}

// generic is a message without what differs between CRDs, so that equal causes are counted together.
func generic(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	var out []string
	for _, word := range strings.Fields(message) {
		if strings.ContainsAny(word, "0123456789\"'`") {
			word = "…"
		}
		out = append(out, word)
	}
	if len(out) > 25 {
		out = out[:25]
	}
	return strings.Join(out, " ")
}

func (r *report) print() {
	fmt.Printf("%s: %d CRDs, of which the server accepts %d; %d disagreements\n", r.minor, r.judged, r.accepted,
		r.disagreements)
	slices.SortStableFunc(r.kinds, func(a, b string) int { return r.count[b] - r.count[a] })
	for _, kind := range r.kinds {
		fmt.Printf("  %d × %s\n      %s\n", r.count[kind], kind, r.first[kind])
	}
}

