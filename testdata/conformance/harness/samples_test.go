package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/cli/extensions"
	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

const casesDir = "../../generate"

// sampledDirs are the folders in which each case needs samples.
func sampledDirs() []string {
	return []string{"celrules", "declarative", "junctors", "kep2335", "names", "scalars"}
}

// unrejected are the cases whose markers reject no object, with the reason.
func unrejected() map[string]string {
	return map[string]string{
		"celrules/compat":               "the markers are comments there",
		"declarative/multi_line_compat": "the tags are comments there",
		"junctors/compat":               "the markers are comments there",
		"scalars/undecodable":           "API servers accept what Go cannot decode",
		"junctors/numbers": "the server's bounds are floating-point numbers, and one of these does not fit, " +
			"which is why the case is unproved",
	}
}

// A sampled is a case of testdata/generate, with objects to try on the CRD that crdproof makes of it. The groups of all
// cases are the same, so that here each is prefixed with the case.
type sampled struct {
	fault
	options string // those of crd:
	whole   bool   // the case has kinds of its own
	samples []writetest.Sample
}

// TestSamples shows that the server holds objects to what markers mean.
func TestSamples(t *testing.T) {
	sampled := readSampled(t)
	root := t.TempDir()
	var sources []*fault
	for _, c := range sampled {
		sources = append(sources, &c.fault)
	}
	writeFaults(t, root, sources)
	s := start(t)
	// All CRDs come first: for two seconds the server holds back objects of a CRD that is new.
	collections := createSampled(t, s, generateSampled(t, root, sampled))
	for _, c := range sampled {
		t.Run(c.name, func(t *testing.T) { c.run(t, s, collections) })
	}
}

// generateSampled returns the CRDs of the cases. Those of the same options are generated at once, since most of the
// time is that of the go command.
func generateSampled(t *testing.T, root string, cases []*sampled) (crds []emit.File) {
	t.Helper()
	paths := map[string][]string{}
	for _, c := range cases {
		options := strings.ReplaceAll(c.options, "$CASE", filepath.Join(root, filepath.FromSlash(c.name)))
		paths[options] = append(paths[options], "./"+c.name+"/...")
	}
	for _, options := range slices.Sorted(maps.Keys(paths)) {
		cfg := generator.Config{Dir: root, Paths: paths[options], Env: faultEnv(), CRD: sampledOptions(t, options)}
		result, err := generator.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Files) == 0 {
			t.Fatal(rendered(result.Diagnostics))
		}
		crds = append(crds, result.Files...)
	}
	return crds
}

// sampledOptions reads the options of cases that change what a schema says.
func sampledOptions(t *testing.T, text string) (opts generator.Options) {
	t.Helper()
	for _, option := range strings.Split(text, ",") {
		if file, ok := strings.CutPrefix(option, `declarativeFormats="`); ok {
			opts.Formats = declaredFormats(t, strings.TrimSuffix(file, `"`))
			continue
		}
		switch option {
		case "", "ignore=tag-unstable": // which changes no schema
		case "allowDangerousTypes=true":
			opts.AllowDangerousTypes = true
		case "compat=controller-gen":
			opts.Compat, opts.Tolerate, opts.Unproved = true, true, true
		case "declarative=all":
			opts.Declarative = true
		case `declarativePrefix="acme:"`:
			opts.DeclarativePrefix = "acme:"
		case "unproved=true":
			opts.Unproved = true
		case "with=time-patterns", "with=union-markers":
			opts.Extra = append(opts.Extra, strings.TrimPrefix(option, "with="))
		default:
			t.Errorf("cases with samples have no option %s", option)
		}
	}
	return opts
}

// declaredFormats reads the file of a case's own formats.
func declaredFormats(t *testing.T, file string) []lower.Format {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	formats, found := extensions.Read([]*diag.Source{{Path: file, Data: data}})
	if len(found) > 0 {
		t.Fatal(rendered(found))
	}
	return formats
}

// readSampled reads the cases that have samples, and complains of those that need some.
func readSampled(t *testing.T) []*sampled {
	t.Helper()
	var out []*sampled
	err := filepath.WalkDir(casesDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(casesDir, path)
		if err != nil {
			return err
		}
		c := newSampled(t, strings.TrimSuffix(filepath.ToSlash(rel), ".txtar"), archive)
		if len(c.samples) > 0 {
			out = append(out, c)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func newSampled(t *testing.T, name string, archive *txtar.Archive) *sampled {
	t.Helper()
	c := &sampled{fault: fault{name: name}}
	written := false
	for _, f := range archive.Files {
		switch folder, _, _ := strings.Cut(f.Name, "/"); folder {
		case "samples":
			samples, err := writetest.Samples(f)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			c.samples = append(c.samples, samples...)
		case "want":
			written = written || strings.HasSuffix(f.Name, ".yaml")
		default:
			c.whole = c.whole || bytes.Contains(f.Data, []byte("metav1.ObjectMeta"))
			f.Data = bytes.ReplaceAll(f.Data, []byte("+groupName="), []byte("+groupName="+c.label()+"."))
			c.files = append(c.files, f)
		}
	}
	known := bytes.Contains(archive.Comment, []byte("\nknown: "))
	if known {
		c.samples = nil
	}
	if dir, _, _ := strings.Cut(name, "/"); written && !known && slices.Contains(sampledDirs(), dir) {
		c.complain(t)
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if options, ok := strings.CutPrefix(line, "options: "); ok {
			c.options = strings.TrimSpace(options)
		}
	}
	return c
}

// complain makes sure that the case has samples of both kinds.
func (c *sampled) complain(t *testing.T) {
	t.Helper()
	has := func(rejected bool) bool {
		return slices.ContainsFunc(c.samples, func(s writetest.Sample) bool { return (len(s.Wants) > 0) == rejected })
	}
	if !has(false) {
		t.Errorf("%s has no sample that is accepted", c.name)
	}
	if reason := unrejected()[c.name]; has(true) == (reason != "") {
		t.Errorf("%s: samples that are rejected: %t, but the test says %q", c.name, has(true), reason)
	}
}

func (c *sampled) run(t *testing.T, s *server.Server, collections map[string]string) {
	for _, sample := range c.samples {
		v, err := c.try(t, s, collections, sample)
		if err != nil {
			t.Errorf("%s: %v\n%s", sample.File, err, sample.Text)
			continue
		}
		if problem := sample.Differs(reasons(v)); problem != "" {
			t.Errorf("%s: %s\n%sthe server: %s", sample.File, problem, sample.Text, verdict(reasons(v)))
		}
	}
}

// createSampled creates the CRDs, and returns where their objects are, by apiVersion and kind.
func createSampled(t *testing.T, s *server.Server, crds []emit.File) map[string]string {
	t.Helper()
	collections := map[string]string{}
	for _, f := range crds {
		if v, err := s.Create(t.Context(), f.Data); err != nil || !v.Accepted {
			t.Fatalf("%s is not created: %s %v", f.Path, v.Message, err)
		}
		var crd apiext.CustomResourceDefinition
		if err := yaml.Unmarshal(f.Data, &crd); err != nil {
			t.Fatal(err)
		}
		namespace := "namespaces/default/"
		if crd.Spec.Scope == apiext.ClusterScoped {
			namespace = ""
		}
		for _, v := range crd.Spec.Versions {
			apiVersion := crd.Spec.Group + "/" + v.Name
			collections[apiVersion+" "+crd.Spec.Names.Kind] = "/apis/" + apiVersion + "/" + namespace +
				crd.Spec.Names.Plural
		}
	}
	return collections
}

// try returns the server's answer to a sample. An error is I/O, or a sample that cannot be tried.
func (c *sampled) try(t *testing.T, s *server.Server, collections map[string]string,
	sample writetest.Sample) (server.Verdict, error) {
	kind, object, err := c.object(sample.New)
	if err != nil {
		return server.Verdict{}, err
	}
	collection, ok := collections[kind]
	if !ok {
		return server.Verdict{}, fmt.Errorf("no CRD has the kind %s", kind)
	}
	if sample.Old == nil {
		return s.CreateObject(t.Context(), collection, object)
	}
	_, old, err := c.object(sample.Old)
	if err != nil {
		return server.Verdict{}, err
	}
	v, err := s.CreateObject(t.Context(), collection, old)
	if err == nil && !v.Accepted {
		err = fmt.Errorf("the old object is not created: %s", v.Message)
	}
	if err != nil {
		return v, err
	}
	return s.UpdateObject(t.Context(), collection, v.Name, object)
}

// object completes an object, and returns its apiVersion and kind with it.
func (c *sampled) object(data []byte) (string, []byte, error) {
	fields := map[string]any{}
	if c.whole {
		if err := yaml.Unmarshal(data, &fields); err != nil {
			return "", nil, err
		}
	} else {
		fields = map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "spec": json.RawMessage(data)}
	}
	fields["apiVersion"] = fmt.Sprintf("%s.%v", c.label(), fields["apiVersion"])
	if fields["metadata"] == nil {
		fields["metadata"] = map[string]any{"generateName": "sample-"}
	}
	object, err := json.Marshal(fields)
	return fmt.Sprint(fields["apiVersion"], " ", fields["kind"]), object, err
}
