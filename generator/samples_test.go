package generator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/write"
)

// trySamples validates the objects of the case against its CRDs, with the API server's library. The expected answers
// are those of a real API server, as TestSamples of testdata/conformance makes sure.
func (c *testCase) trySamples(t *testing.T, files []emit.File) {
	t.Helper()
	var samples []writetest.Sample
	for _, f := range c.archive.Files {
		if !strings.HasPrefix(f.Name, "samples/") {
			continue
		}
		list, err := writetest.Samples(f)
		if err != nil {
			t.Error(err)
		}
		samples = append(samples, list...)
	}
	if len(samples) == 0 {
		return
	}
	resources := resourcesOf(t, files)
	for _, s := range samples {
		reasons, err := c.try(t, resources, s)
		if err != nil {
			t.Errorf("%s: %v\n%s", s.File, err, s.Text)
		} else if problem := s.Differs(reasons); problem != "" {
			t.Errorf("%s: %s\n%s", s.File, problem, s.Text)
		}
	}
}

// resourcesOf are the resources of CRDs, by apiVersion and kind.
func resourcesOf(t *testing.T, files []emit.File) map[string]*write.Resource {
	t.Helper()
	out := map[string]*write.Resource{}
	for _, f := range files {
		crd := &apiext.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(f.Data, crd); err != nil {
			t.Fatal(err)
		}
		resource, err := write.New(t.Context(), crd)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range crd.Spec.Versions {
			out[crd.Spec.Group+"/"+v.Name+" "+crd.Spec.Names.Kind] = resource
		}
	}
	return out
}

// try returns the reasons for which the sample is rejected.
func (c *testCase) try(t *testing.T, resources map[string]*write.Resource, s writetest.Sample) ([]string, error) {
	t.Helper()
	if s.Old == nil {
		_, reasons, err := c.write(t, resources, s.New, nil)
		return reasons, err
	}
	stored, reasons, err := c.write(t, resources, s.Old, nil)
	if err == nil && len(reasons) > 0 {
		err = fmt.Errorf("the old object is not created: %s", reasons)
	}
	if err != nil {
		return nil, err
	}
	_, reasons, err = c.write(t, resources, s.New, stored)
	return reasons, err
}

// write creates an object, or updates an old one, and returns what is stored or why it is rejected. It fills in what
// samples leave out.
func (c *testCase) write(
	t *testing.T, resources map[string]*write.Resource, data json.RawMessage, old map[string]any,
) (map[string]any, []string, error) {
	t.Helper()
	object := map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "spec": data}
	if c.declaresKind() {
		object = map[string]any{}
		if err := yaml.Unmarshal(data, &object); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case old != nil:
		object["metadata"] = old["metadata"]
	case object["metadata"] == nil:
		object["metadata"] = map[string]any{"name": "sample"}
	}
	body, err := json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	resource := resources[fmt.Sprint(object["apiVersion"], " ", object["kind"])]
	if resource == nil {
		return nil, nil, errors.New("no CRD has its kind")
	}
	answer, err := resource.Write(t.Context(), write.Request{Object: body, Old: old, Validation: "Strict"})
	return answer.Stored, reasonsOf(answer), err
}

// reasonsOf are the reasons of a rejection, with their paths.
func reasonsOf(a write.Answer) (out []string) {
	if a.Rejection == nil {
		return nil
	}
	details := a.Rejection.ErrStatus.Details
	if details == nil || len(details.Causes) == 0 {
		return []string{a.Rejection.Error()}
	}
	for _, cause := range details.Causes {
		// The server picks these at random where rules cost the same.
		if !strings.Contains(cause.Message, "contributed to estimated rule cost total") {
			out = append(out, cause.Field+": "+cause.Message)
		}
	}
	return out
}
