package kube

import "testing"

func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{
		"1.31": "1.31", "1.29..1.37": "1.29..1.37", "v1.30": "1.30", "1.30..1.30": "1.30",
		"1.29-1.37":  "1.29..1.37",
		"1.38":       "this crdproof supports Kubernetes up to 1.37, got 1.38",
		"1.24":       "rules in CRDs require Kubernetes 1.25 or later, got 1.24",
		"1.31..1.29": "the range 1.31..1.29 is reversed; write 1.29..1.31",
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
