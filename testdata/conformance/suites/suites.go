// Package suites runs suites of test cases on a real API server, as the API repository of OpenShift does, and compares
// the results with those of objects/suite.
package suites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/suite"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/testdata/conformance/server"
	"github.com/crdproof/crdproof/testdata/conformance/writes"
)

// Module is the API repository of OpenShift, which go.mod in the folder openshift pins.
const Module = "github.com/openshift/api"

// Download downloads the module, and returns where it is.
func Download(ctx context.Context) (string, error) {
	for _, args := range [][]string{{"mod", "download", Module}, {"list", "-m", "-f", "{{.Dir}}", Module}} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = "openshift"
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CRDPROOF_CACHE=off")
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
		}
		if err != nil {
			return "", err
		}
		if dir := strings.TrimSpace(string(out)); args[0] == "list" {
			return dir, nil
		}
	}
	panic("unreachable")
}

// Read reads all suites of a directory.
func Read(ctx context.Context, dir string) ([]*suite.Suite, []diag.Diagnostic) {
	sources, problems := suite.Files().Sources(ctx, []string{filepath.Join(dir, "...")}, nil)
	suites, found := suite.ParseAll(ctx, sources)
	return suites, append(problems, found...)
}

// A Selection is the result of objects/suite for the cases of a suite and one of the variants of its CRD.
type Selection struct {
	CRD    *apiext.CustomResourceDefinition
	Report *suite.Report
}

// Select takes the first variant of its CRD that a suite is about. Some of the cases expect something else than they
// did, so that not all pass.
func Select(ctx context.Context, s *suite.Suite) (*Selection, error) {
	dir := filepath.Dir(s.Source.Path)
	paths := []string{filepath.Join(dir, s.CRDFile.V)}
	if s.CRDFile.V == "" {
		var err error
		if paths, err = filepath.Glob(filepath.Join(dir, "..", "..", "zz_generated.crd-manifests",
			"*.yaml")); err != nil {
			return nil, err
		}
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		crd := &apiext.CustomResourceDefinition{}
		if err := yaml.Unmarshal(data, crd); err != nil || s.CRDName.V != "" && crd.Name != s.CRDName.V {
			continue
		}
		r := suite.Run(ctx, []*suite.Suite{spoilt(s)}, suite.Options{Where: crds.Where{Files: []string{path}}})
		if len(r.Outcomes) > 0 {
			return &Selection{CRD: prepared(crd), Report: r}, nil
		}
	}
	return nil, fmt.Errorf("%s: there is no CRD", s.Source.Path)
}

// spoilt is a suite some of whose cases expect what does not happen.
func spoilt(s *suite.Suite) *suite.Suite {
	out := *s
	out.Cases = nil
	for i, c := range s.Cases {
		other := *c
		rejected := c.Error != nil || c.StatusError != nil
		switch {
		case i%5 == 3 && rejected:
			other.Error, other.StatusError = nil, nil
		case i%5 == 3:
			other.Error = &suite.Field{}
		case i%5 == 4 && c.Expected != nil:
			expected := *c.Expected
			expected.Fields = maps.Clone(expected.Fields)
			expected.Fields["unexpected"] = true
			other.Expected = &expected
		}
		out.Cases = append(out.Cases, &other)
	}
	return &out
}

// prepared is a CRD as a server without webhooks serves it.
func prepared(crd *apiext.CustomResourceDefinition) *apiext.CustomResourceDefinition {
	crd.Spec.Conversion = nil
	crd.Status = apiext.CustomResourceDefinitionStatus{}
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Served = true
	}
	return crd
}

// A Verdict is what came of a case.
type Verdict struct {
	// Passed says that the server did what the case expects, but for the words of errors.
	Passed bool
	// Why says what it did instead.
	Why string
	// Differences are what objects/write answers otherwise than the server.
	Differences []string
}

// A Runner runs the cases of one CRD on both sides.
type Runner struct {
	real    *writes.Real
	library *writetest.Library
	crd     *apiext.CustomResourceDefinition
	cases   int
}

// NewRunner creates the CRD.
func NewRunner(ctx context.Context, s *server.Server, crd *apiext.CustomResourceDefinition) (*Runner, error) {
	real, err := writes.Create(ctx, s, crd, true)
	if err != nil {
		return nil, err
	}
	r := &Runner{real: real, crd: crd, library: &writetest.Library{}}
	return r, r.library.Use(ctx, crd)
}

// Use replaces the CRD on both sides.
func (r *Runner) Use(ctx context.Context, crd *apiext.CustomResourceDefinition) error {
	if r.crd == crd {
		return nil
	}
	r.crd = crd
	return errors.Join(r.real.Replace(ctx, crd), r.real.Await(ctx), r.library.Use(ctx, crd))
}

// A run is that of one case.
type run struct {
	*Runner
	name string
	out  Verdict
	// answer is the one to the last write.
	answer write.Answer
}

// Run runs a case.
func (r *Runner) Run(ctx context.Context, c *suite.Case) (Verdict, error) {
	r.cases++
	do := &run{Runner: r, name: fmt.Sprintf("case-%d", r.cases)}
	r.library.Stored = nil
	err := do.run(ctx, c)
	return do.out, errors.Join(err, r.real.Delete(ctx))
}

func (r *run) run(ctx context.Context, c *suite.Case) error {
	sent := c.Initial
	if c.OnUpdate {
		sent = c.Updated
		tested := r.crd
		patched, err := patch(tested, c.Patches)
		if err != nil {
			return err
		}
		if err := r.Use(ctx, patched); err != nil {
			return err
		}
		if err := r.write(ctx, "create", c.Initial.Fields); err != nil {
			return err
		}
		if err := r.writeStatus(ctx, c.Initial.Fields); err != nil {
			return err
		}
		if r.answer.Rejection != nil {
			r.out.Why = "the initial object is rejected: " + r.answer.Rejection.Error()
			return r.Use(ctx, tested)
		}
		if err := r.Use(ctx, tested); err != nil {
			return err
		}
	}
	return r.judge(ctx, c, sent.Fields)
}

// judge does the write that the case is about, and the one of its status.
func (r *run) judge(ctx context.Context, c *suite.Case, sent map[string]any) error {
	do := "create"
	if c.OnUpdate {
		do = "update"
	}
	if err := r.write(ctx, do, sent); err != nil || r.rejected(c.Error) {
		return err
	}
	if c.OnUpdate {
		if err := r.writeStatus(ctx, sent); err != nil || r.rejected(c.StatusError) {
			return err
		}
	}
	want := sent
	if c.Expected != nil {
		want = c.Expected.Fields
	}
	r.out.Passed = reflect.DeepEqual(bare(want), bare(r.answer.Object))
	if !r.out.Passed {
		r.out.Why = fmt.Sprintf("it is %v, not %v", bare(r.answer.Object), bare(want))
	}
	return nil
}

// rejected reports whether the case ends here, and with what.
func (r *run) rejected(expected *suite.Field) bool {
	rejected := r.answer.Rejection != nil
	switch {
	case !rejected && expected == nil:
		return false
	case rejected && expected != nil:
		r.out.Passed = true
	case rejected:
		r.out.Why = "it is rejected: " + r.answer.Rejection.Error()
	default:
		r.out.Why = "it is accepted"
	}
	return true
}

// writeStatus writes the status of an object where there is one that is written by itself.
func (r *run) writeStatus(ctx context.Context, fields map[string]any) error {
	version := version(fields)
	for _, v := range r.crd.Spec.Versions {
		if v.Name == version && v.Subresources != nil && v.Subresources.Status != nil && fields["status"] != nil &&
			r.answer.Rejection == nil {
			object := maps.Clone(r.answer.Object)
			object["status"] = fields["status"]
			return r.write(ctx, "status", object)
		}
	}
	return nil
}

func version(fields map[string]any) string {
	apiVersion, _ := fields["apiVersion"].(string)
	_, version, _ := strings.Cut(apiVersion, "/")
	return version
}

// write does a write on both sides. The answer is the server's.
func (r *run) write(ctx context.Context, do string, fields map[string]any) error {
	object := runtime.DeepCopyJSON(fields)
	meta, ok := object["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		object["metadata"] = meta
	}
	for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
		delete(meta, name)
	}
	if meta["name"] == nil || do != "create" {
		meta["name"] = r.name
	}
	r.name = fmt.Sprint(meta["name"])
	step := writetest.Step{Do: do, Version: version(fields)}
	var err error
	if step.Written, err = json.Marshal(object); err != nil {
		return err
	}
	if do != "create" {
		meta["resourceVersion"] = writetest.ResourceVersion
	}
	if step.Object, err = json.Marshal(object); err != nil {
		return err
	}
	answer, differences, err := writes.Compare(ctx, r.real, r.library, step)
	if differences != "" {
		r.out.Differences = append(r.out.Differences, fmt.Sprintf("%s %s\n%s", do, step.Written, differences))
	}
	r.answer = answer
	return err
}

// bare is an object without what neither side says, and without metadata.
func bare(object map[string]any) map[string]any {
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // it is JSON already
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	delete(out, "metadata")
	return out
}

// patch applies patches to a CRD.
func patch(crd *apiext.CustomResourceDefinition, patches []suite.Patch) (*apiext.CustomResourceDefinition, error) {
	if len(patches) == 0 {
		return crd, nil
	}
	document, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	for _, p := range patches {
		operation, err := jsonpatch.DecodePatch([]byte("[" + string(p.JSON) + "]"))
		if err != nil {
			return nil, err
		}
		if document, err = operation.Apply(document); err != nil {
			return nil, err
		}
	}
	out := &apiext.CustomResourceDefinition{}
	return out, json.Unmarshal(document, out)
}
