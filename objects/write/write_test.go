package write_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/objects/write"
)

// TestWrite compares answers with those of a real API server, which testdata/conformance/writes records.
func TestWrite(t *testing.T) {
	all, err := writetest.Read("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			library := &writetest.Library{}
			if err := library.Use(t.Context(), c.CRD); err != nil {
				t.Fatal(err)
			}
			for i, step := range c.Steps {
				if step.CRD != nil {
					if err := library.Use(t.Context(), step.CRD); err != nil {
						t.Fatal(err)
					}
					continue
				}
				answer, err := library.Do(t.Context(), step)
				if err != nil {
					t.Errorf("step %d, %s: %v\n%s", i+1, step.Do, err, step.Written)
					continue
				}
				got, err := writetest.Render(answer)
				if err != nil {
					t.Fatal(err)
				}
				if want := c.Want(step); got != want {
					t.Errorf("step %d, %s\n%s\ngot:\n%s\nwant:\n%s", i+1, step.Do, step.Written, got, want)
				}
			}
		})
	}
}

// widget is the CRD of the case decoding, changed.
func widget(t *testing.T, change func(*apiext.CustomResourceDefinition)) *apiext.CustomResourceDefinition {
	t.Helper()
	all, err := writetest.Read("testdata")
	if err != nil {
		t.Fatal(err)
	}
	crd := all[slices.IndexFunc(all, func(c *writetest.Case) bool { return c.Name == "decoding" })].CRD
	change(crd)
	return crd
}

func TestNewRejects(t *testing.T) {
	crd := widget(t, func(crd *apiext.CustomResourceDefinition) { crd.Spec.Names.Plural = "gadgets" })
	_, err := write.New(t.Context(), crd)
	var rejected *write.Rejected
	if !errors.As(err, &rejected) || len(rejected.Reasons) == 0 || !strings.Contains(err.Error(), "metadata.name") {
		t.Errorf("%v", err)
	}
	if _, err := write.Accepted(crd); err != nil {
		t.Errorf("a CRD that is known to be valid is validated: %v", err)
	}
}

// twoVersions has v1, which is stored, v2, and v3, which is not served.
func twoVersions(t *testing.T, strategy apiext.ConversionStrategyType) *write.Resource {
	t.Helper()
	r, err := write.Accepted(widget(t, func(crd *apiext.CustomResourceDefinition) {
		crd.Spec.Conversion = &apiext.CustomResourceConversion{Strategy: strategy}
		for _, name := range []string{"v2", "v3"} {
			v := *crd.Spec.Versions[0].DeepCopy()
			v.Name, v.Storage, v.Served = name, false, name == "v2"
			crd.Spec.Versions = append(crd.Spec.Versions, v)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAddress shows which version an object is sent to that says so itself.
func TestAddress(t *testing.T) {
	for _, c := range []struct{ apiVersion, want string }{
		{"decoding.example.com/v1", "decoding.example.com/v1"},
		{"decoding.example.com/v2", "decoding.example.com/v2"},
		{"decoding.example.com/v3", "the server could not find the requested resource"},
		{"decoding.example.com/v4", "the server could not find the requested resource"},
		{"other.example.com/v2", "does not match the expected API version (decoding.example.com/v1)"},
		{"", "does not match the expected API version (decoding.example.com/v1)"},
	} {
		object := fmt.Sprintf(`{"apiVersion":%q,"kind":"Widget","metadata":{"name":"a"},"unknown":1}`, c.apiVersion)
		a, err := twoVersions(t, apiext.NoneConverter).Write(t.Context(), write.Request{Object: []byte(object)})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(a.Object["apiVersion"])
		if a.Rejection != nil {
			got = a.Rejection.Error()
		} else if a.Stored["apiVersion"] != "decoding.example.com/v1" || !slices.Equal(a.Unknown, []string{"unknown"}) {
			t.Errorf("stored as %s, without %q", a.Stored["apiVersion"], a.Unknown)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.apiVersion, got, c.want)
		}
	}
}

// TestWebhook checks that objects that a webhook would convert are not converted.
func TestWebhook(t *testing.T) {
	r := twoVersions(t, apiext.WebhookConverter)
	for version, want := range map[string]bool{"v1": true, "v2": false} {
		object := fmt.Sprintf(`{"apiVersion":"decoding.example.com/%s","kind":"Widget","metadata":{"name":"a"}}`,
			version)
		a, err := r.Write(t.Context(), write.Request{Object: []byte(object)})
		var webhook *write.WebhookError
		if want != (err == nil) || !want && !errors.As(err, &webhook) {
			t.Errorf("%s: %v", version, err)
		}
		if a.Stored == nil {
			continue
		}
		if _, err := r.Read(a.Stored, "v2"); !errors.As(err, &webhook) {
			t.Errorf("%s is read in v2: %v", version, err)
		}
	}
}

func TestNoObject(t *testing.T) {
	for _, body := range []string{"", "null", "[]", `"text"`, "{", `{"a":1}}`} {
		if a, err := twoVersions(t, apiext.NoneConverter).Write(t.Context(),
			write.Request{Object: []byte(body)}); err == nil {
			t.Errorf("%s: %v", body, a)
		}
	}
}

// TestPanic shows that a bug is not taken for what the server says: what is stored can only be JSON.
func TestPanic(t *testing.T) {
	request := write.Request{
		Object: []byte(`{"apiVersion":"decoding.example.com/v1","kind":"Widget","metadata":{"name":"a"}}`),
		Old:    map[string]any{"metadata": map[string]any{"name": "a", "namespace": "default"}, "spec": struct{}{}},
	}
	var answer write.Answer
	caught := stage.Catch(func() { answer, _ = twoVersions(t, apiext.NoneConverter).Write(t.Context(), request) })
	if caught == nil || answer.Rejection != nil {
		t.Errorf("caught %v, rejected with %v", caught, answer.Rejection)
	}
}

// TestParallel uses a resource from several goroutines.
func TestParallel(t *testing.T) {
	r := twoVersions(t, apiext.NoneConverter)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for i := range 20 {
				object := fmt.Sprintf(`{"apiVersion":"decoding.example.com/v%d","kind":"Widget",`+
					`"metadata":{"name":"a"},"spec":{"nested":{}}}`, 1+i%2)
				if a, err := r.Write(t.Context(), write.Request{Object: []byte(object)}); err != nil ||
					a.Rejection != nil {
					t.Error(err, a.Rejection)
				}
			}
		})
	}
}

// TestOrder checks that the order of errors is always the same, although the server iterates over maps.
func TestOrder(t *testing.T) {
	r := twoVersions(t, apiext.NoneConverter)
	object := `{"apiVersion":"decoding.example.com/v1","kind":"Widget",
		"metadata":{"name":"a","labels":{"a b":"","c d":"","e f":""}},
		"spec":{"size":"a","ratio":"a","text":1,"color":1,
			"items":[{"num":"a"},{},{"num":"b"},{},{},{},{},{},{},{},{"num":"c"}]}}`
	want := []string{
		"metadata.labels", "metadata.labels", "metadata.labels",
		"spec.color", "spec.items[0].num", "spec.items[2].num", "spec.items[10].num", "spec.ratio", "spec.size",
		"spec.text",
	}
	first := ""
	for range 20 {
		a, err := r.Write(t.Context(), write.Request{Object: []byte(object)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range a.Errors {
			got = append(got, e.Field)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if first = cmp.Or(first, a.Rejection.Error()); a.Rejection.Error() != first {
			t.Fatalf("%s\n%s", a.Rejection, first)
		}
	}
}
