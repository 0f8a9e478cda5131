package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admission "k8s.io/api/admission/v1"
)

// TestWebhook sends reviews of objects that are right and wrong.
func TestWebhook(t *testing.T) {
	const right, other = `{"command": "/bin/true", "machines": ["a"]}`, `{"command": "/bin/false", "machines": ["a"]}`
	const wrong = `{"machines": ["a"]}`
	const says = `MaintenanceNightlyJob.operations.example.com "job" is invalid: spec: Invalid value: exactly one of the fields in [command shell] must be set`
	for _, test := range []struct {
		operation, spec, old, want string
		warnings                   int
	}{
		{"CREATE", right, "", "", 0},
		{"CREATE", wrong, "", says, 0},
		{"UPDATE", right, other, "", 0},
		{"UPDATE", wrong, other, says, 0},
		{"UPDATE", wrong, wrong, "", 1},
		{"DELETE", "", right, "", 0},
	} {
		review := `{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "7", "operation": "` + test.operation + `",
			"name": "job", "kind": {"group": "operations.example.com", "version": "v1", "kind": "MaintenanceNightlyJob"},
			"object": ` + job(test.spec) + `, "oldObject": ` + job(test.old) + `}}`
		w := httptest.NewRecorder()
		validate(w, httptest.NewRequest(http.MethodPost, "/validate", strings.NewReader(review)))
		var answer admission.AdmissionReview
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Response == nil {
			t.Fatalf("%v: %d %s", err, w.Code, w.Body)
		}
		got := ""
		if !answer.Response.Allowed {
			got = answer.Response.Result.Message
		}
		if got != test.want || len(answer.Response.Warnings) != test.warnings || answer.Response.UID != "7" || answer.Kind != "AdmissionReview" {
			t.Errorf("%s of %s: %s", test.operation, test.spec, w.Body)
		}
	}
	w := httptest.NewRecorder()
	validate(w, httptest.NewRequest(http.MethodPost, "/validate", strings.NewReader("{}")))
	if w.Code != http.StatusBadRequest {
		t.Errorf("no review is answered by %d", w.Code)
	}
}

func job(spec string) string {
	if spec == "" {
		return "null"
	}
	return `{"apiVersion": "operations.example.com/v1", "kind": "MaintenanceNightlyJob", "metadata": {"name": "job"}, "spec": ` + spec + `}`
}
