package kube

import "testing"

func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{
		"1.31": "1.31", "1.30..1.37": "1.30..1.37", "v1.30": "1.30", "1.30..1.30": "1.30",
		"1.30-1.37":  "1.30..1.37",
		"1.38":       "crdproof supports Kubernetes 1.30 to 1.37, got 1.38; write 1.37",
		"1.29":       "crdproof supports Kubernetes 1.30 to 1.37, got 1.29; write 1.30",
		"1.29..1.35": "crdproof supports Kubernetes 1.30 to 1.37, got 1.29..1.35; write 1.30..1.35",
		"v1.25-1.99": "crdproof supports Kubernetes 1.30 to 1.37, got v1.25-1.99; write 1.30..1.37",
		"1.25..1.29": "crdproof supports Kubernetes 1.30 to 1.37, got 1.25..1.29; write 1.30",
		"1.33..1.31": "the range 1.33..1.31 is reversed; write 1.31..1.33",
		"31":         `invalid Kubernetes version "31": expected a version such as 1.37, or a range such as 1.34..1.37`,
		"":           `invalid Kubernetes version "": expected a version such as 1.37, or a range such as 1.34..1.37`,
		"1.31..":     `invalid Kubernetes version "": expected a version such as 1.37, or a range such as 1.34..1.37`,
	} {
		r, err := ParseRange(text)
		got := r.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
