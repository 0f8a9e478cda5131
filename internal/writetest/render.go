package writetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/objects/write"
)

// State begins the deprecation warning that shows that a real server serves the CRD of a step.
const State = "state of the CRD: "

// Render formats an answer so that it is the same for all servers: without generated values, and sorted, since the
// server iterates over maps.
func Render(a write.Answer) (string, error) {
	var out struct {
		Refused  string         `json:"refused,omitempty"`
		Code     int32          `json:"code,omitempty"`
		Reason   string         `json:"reason,omitempty"`
		Causes   []string       `json:"causes,omitempty"`
		Warnings []string       `json:"warnings,omitempty"`
		Object   map[string]any `json:"object,omitempty"`
	}
	var warnings []string
	for _, text := range a.Warnings {
		if !strings.HasPrefix(text, State) {
			warnings = append(warnings, text)
		}
	}
	slices.Sort(warnings)
	out.Warnings = warnings
	if a.Rejection != nil {
		status := a.Rejection.ErrStatus
		out.Refused, out.Code, out.Reason = status.Message, status.Code, string(status.Reason)
		if d := status.Details; d != nil {
			for _, c := range d.Causes {
				out.Causes = append(out.Causes, fmt.Sprintf("%s: %s: %s", c.Type, c.Field, c.Message))
			}
			slices.Sort(out.Causes)
			if i := strings.Index(out.Refused, " is invalid: "); i >= 0 && len(out.Causes) > 0 {
				out.Refused = out.Refused[:i] + " is invalid" // the causes say the rest
			}
		}
	}
	var err error
	if out.Object, err = comparable(a.Object); err != nil {
		return "", err
	}
	data, err := yaml.Marshal(out)
	return string(data), err
}

// comparable is an object without generated values.
func comparable(object map[string]any) (out map[string]any, err error) {
	data, err := json.Marshal(object)
	if err != nil || object == nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, err
	}
	meta, ok := out["metadata"].(map[string]any)
	if !ok {
		return out, nil
	}
	for _, name := range []string{"uid", "creationTimestamp", "resourceVersion", "managedFields"} {
		delete(meta, name)
	}
	return out, nil
}

// Real makes the answer of a real server comparable: it replaces the random suffix of a generated name, and the uid,
// with those of objects/write.
func Real(a write.Answer, madeUp, uid string) (write.Answer, error) {
	data, err := json.Marshal(struct {
		Object map[string]any `json:"object"`
		Status *metav1.Status `json:"status"`
	}{a.Object, status(a)})
	if err != nil {
		return a, err
	}
	text := string(data)
	if n := len(madeUp) - len(write.Suffix); n > 0 {
		text = strings.ReplaceAll(text, madeUp, madeUp[:n]+write.Suffix)
	}
	if uid != "" {
		text = strings.ReplaceAll(text, uid, write.UID)
	}
	// A server that serves only custom resources stores them under another prefix.
	text = strings.ReplaceAll(text, "/registry/apiextensions.kubernetes.io/", "/registry/")
	var out struct {
		Object map[string]any `json:"object"`
		Status *metav1.Status `json:"status"`
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return a, err
	}
	a.Object = out.Object
	if a.Rejection != nil {
		a.Rejection.ErrStatus = *out.Status
	}
	return a, nil
}

func status(a write.Answer) *metav1.Status {
	if a.Rejection == nil {
		return nil
	}
	return &a.Rejection.ErrStatus
}
