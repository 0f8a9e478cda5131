package webhook_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	v1 "github.com/crdproof/crdproof/testdata/clients/v1"
	"github.com/crdproof/crdproof/webhook"
)

// The handlers are what main registers: one line each.
var (
	validating http.Handler = webhook.Validating(v1.Kinds())
	defaulting http.Handler = webhook.Defaulting(v1.Kinds())
)

// send sends a review to a handler, and returns its answer. The operation may name a subresource: UPDATE/status.
func send(t *testing.T, h http.Handler, operation admissionv1.Operation, kind, obj, old string) *admissionv1.AdmissionResponse {
	t.Helper()
	verb, subresource, _ := strings.Cut(string(operation), "/")
	request := &admissionv1.AdmissionRequest{UID: "7", Operation: admissionv1.Operation(verb), SubResource: subresource,
		Kind: metav1.GroupVersionKind{Group: "example.com", Version: "v1", Kind: kind}}
	request.Object.Raw, request.OldObject.Raw = []byte(obj), []byte(old)
	if obj == "" {
		request.Object.Raw = nil
	}
	if old == "" {
		request.OldObject.Raw = nil
	}
	review := admissionv1.AdmissionReview{Request: request}
	review.APIVersion, review.Kind = "admission.k8s.io/v1", "AdmissionReview"
	body, err := json.Marshal(review)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var out admissionv1.AdmissionReview
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || out.Response == nil {
		t.Fatalf("%v: %d %s", err, w.Code, w.Body)
	}
	if out.APIVersion != "admission.k8s.io/v1" || out.Response.UID != "7" {
		t.Errorf("%s", w.Body)
	}
	return out.Response
}

func garden(spec string) string {
	return `{"apiVersion":"example.com/v1","kind":"Garden","metadata":{"name":"g","namespace":"a"},"spec":` + spec + `}`
}

// withStatus returns an object with a status.
func withStatus(obj, status string) string {
	return strings.TrimSuffix(obj, "}") + `,"status":` + status + "}"
}

// message is what a client sees, "" if the request is allowed.
func message(r *admissionv1.AdmissionResponse) string {
	if r.Allowed {
		return ""
	}
	return r.Result.Message
}

// TestValidating sends objects that a server accepts and rejects.
func TestValidating(t *testing.T) {
	const invalid, noRoom = `Garden.example.com "g" is invalid: `, "there is no room for the beds"
	const crowded = `{"size":0,"beds":[{"name":"a"}]}`
	for _, test := range []struct {
		operation      admissionv1.Operation
		kind, obj, old string
		want, warning  string
	}{
		{"CREATE", "Garden", garden(`{"size":1}`), "", "", ""},
		// A zero that Go types drop is kept: the pattern allows it, the enum does not.
		{"CREATE", "Garden", garden(`{"owner":"","soil":""}`), "",
			invalid + `[spec.soil: Unsupported value: "": supported values: "clay", "loam", "sand", ` +
				`<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ` +
				`correct the existing errors to complete validation]`, ""},
		{"CREATE", "Garden", garden(crowded), "",
			invalid + `spec: Invalid value: ` + noRoom, ""},
		{"CREATE", "Garden", garden(`{"length":1}`), "", "", `unknown field "spec.length"`},
		{"UPDATE", "Garden", garden(`{"soil":"sand"}`), garden(`{"soil":"clay"}`),
			invalid + `spec.soil: Invalid value: "sand": the soil cannot be changed`, ""},
		{"UPDATE", "Garden", garden(crowded), garden(crowded), "", noRoom},
		// The status of a new object is dropped, and an update keeps the old one. A write of the status changes nothing else.
		{"CREATE", "Garden", withStatus(garden(`{}`), `{"flowers":-1}`), "", "", ""},
		{"UPDATE", "Garden", withStatus(garden(`{}`), `{"flowers":-1}`), garden(`{}`), "", ""},
		{"UPDATE/status", "Garden", withStatus(garden(`{"size":-1}`), `{"flowers":-1}`), garden(`{}`),
			invalid + `status.flowers: Invalid value: -1: flowers in body should be greater than or equal to 0`, ""},
		{"UPDATE/status", "Garden", withStatus(garden(`{"size":-1}`), `{"flowers":1}`), garden(`{}`), "", ""},
		{"DELETE", "Garden", "", garden(`{"owner":"A"}`), "", ""},
		{"CREATE", "Region", `{"apiVersion":"example.com/v1","kind":"Region","metadata":{"name":"r"},"climate":"hot"}`, "",
			`Region.example.com "r" is invalid: climate: Unsupported value: "hot": supported values: "dry", "wet"`, ""},
		// A rule of the webhook configuration that names too much.
		{"CREATE", "House", `{}`, "", "no helpers for example.com/v1 House; there are helpers for example.com/v1 Garden, " +
			"example.com/v1 Region: name only these in the rules of the webhook configuration", ""},
		{"CREATE", "Garden", `[]`, "", "Garden cannot be decoded: ", ""},
	} {
		r := send(t, validating, test.operation, test.kind, test.obj, test.old)
		got := message(r)
		isPart := strings.HasSuffix(test.want, ": ") && strings.HasPrefix(got, test.want)
		if got != test.want && !isPart {
			t.Errorf("%s of %s\ngot  %s\nwant %s", test.operation, test.obj, got, test.want)
		}
		if text := strings.Join(r.Warnings, "\n"); !strings.Contains(text, test.warning) || test.warning == "" && text != "" {
			t.Errorf("%s of %s warns %q, want %q", test.operation, test.obj, r.Warnings, test.warning)
		}
	}
	r := send(t, validating, "CREATE", "Garden", garden(`{"size":-1}`), "")
	if d := r.Result.Details; r.Result.Code != 422 || d == nil || len(d.Causes) != 1 || d.Causes[0].Field != "spec.size" {
		t.Errorf("the answer lacks the causes: %v", r.Result)
	}
}

// TestDefaulting sets defaults, and nothing where there is nothing to set.
func TestDefaulting(t *testing.T) {
	r := send(t, defaulting, "CREATE", "Garden", garden(`{"beds":[{"name":"a"},{"name":"b","plant":"rose"}]}`), "")
	var patch []map[string]any
	if err := json.Unmarshal(r.Patch, &patch); err != nil || !r.Allowed || len(patch) != 2 {
		t.Fatalf("%v: %s", err, r.Patch)
	}
	for _, op := range patch {
		set := map[any]any{"/spec/size": 2., "/spec/beds/0/plant": "grass"}
		if op["op"] != "add" || set[op["path"]] != op["value"] {
			t.Errorf("%v", op)
		}
	}
	for _, test := range []struct {
		operation admissionv1.Operation
		obj, old  string
	}{{"CREATE", garden(`{"size":1,"owner":""}`), ""}, {"DELETE", "", garden(`{}`)}} {
		if r := send(t, defaulting, test.operation, "Garden", test.obj, test.old); len(r.Patch) > 0 || !r.Allowed {
			t.Errorf("%s of %s: %s", test.operation, test.obj, r.Patch)
		}
	}
	if got := message(send(t, defaulting, "UPDATE", "Garden", `[]`, garden(`{}`))); !strings.Contains(got, "cannot be decoded") {
		t.Errorf("%q", got)
	}
}

// TestTyped uses the adapters for Go types, in the webhooks of controller-runtime.
func TestTyped(t *testing.T) {
	s := runtime.NewScheme()
	if err := v1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	validate := admission.WithValidator(s, webhook.Validator(&v1.GardenHelpers))
	set := admission.WithDefaulter(s, webhook.Defaulter(&v1.GardenHelpers))
	const soil = `Garden.example.com "g" is invalid: spec.soil: Invalid value: "sand": the soil cannot be changed`
	for _, test := range []struct {
		operation admissionv1.Operation
		obj, old  string
		want      string
	}{
		{"CREATE", garden(`{}`), "", ""},
		{"CREATE", garden(`{"size":-1}`), "", `Garden.example.com "g" is invalid: spec.size: Invalid value: -1: ` +
			`spec.size in body should be greater than or equal to 0`},
		{"UPDATE", garden(`{"soil":"sand"}`), garden(`{"soil":"clay"}`), soil},
		{"DELETE", "", garden(`{"size":-1}`), ""},
		{"CREATE", withStatus(garden(`{}`), `{"flowers":-1}`), "", ""},
		{"UPDATE", withStatus(garden(`{}`), `{"flowers":-1}`), garden(`{}`), ""},
		{"UPDATE/status", withStatus(garden(`{"size":-1}`), `{"flowers":-1}`), garden(`{}`), `Garden.example.com "g" is ` +
			`invalid: status.flowers: Invalid value: -1: flowers in body should be greater than or equal to 0`},
		{"UPDATE/status", withStatus(garden(`{"size":-1}`), `{"flowers":1}`), garden(`{}`), ""},
	} {
		if got := message(send(t, validate, test.operation, "Garden", test.obj, test.old)); got != test.want {
			t.Errorf("%s of %s: %s, want %s", test.operation, test.obj, got, test.want)
		}
	}
	crowded := garden(`{"size":0,"beds":[{"name":"a","plant":"rose"}]}`)
	r := send(t, validate, "UPDATE", "Garden", crowded, crowded)
	if !r.Allowed || len(r.Warnings) != 1 {
		t.Errorf("an error that is stored is not a warning: %v", r)
	}
	if r := send(t, set, "CREATE", "Garden", garden(`{}`), ""); !strings.Contains(string(r.Patch), `{"op":"add","path":"/spec/size","value":2}`) {
		t.Errorf("%s", r.Patch)
	}
	if _, err := webhook.Validator(&v1.GardenHelpers).ValidateCreate(t.Context(),
		&v1.Garden{Spec: v1.GardenSpec{Owner: "A"}}); err == nil || !strings.Contains(err.Error(), "spec.owner") {
		t.Errorf("an object without a kind: %v", err)
	}
}
