package kube

import "testing"

func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{
		"1.31": "1.31", "1.29..1.37": "1.29..1.37", "v1.30": "1.30", "1.30..1.30": "1.30",
		"1.38":       "this crdproof knows Kubernetes up to 1.37",
		"1.24":       "rules in CRDs begin with Kubernetes 1.25; write 1.25 or later",
		"1.31..1.29": "the range 1.31..1.29 runs backwards; write 1.29..1.31",
		"31":         `"31" is no version of Kubernetes; write one such as 1.37, or a range such as 1.34..1.37`,
		"":           `"" is no version of Kubernetes; write one such as 1.37, or a range such as 1.34..1.37`,
		"1.31..":     `"" is no version of Kubernetes; write one such as 1.37, or a range such as 1.34..1.37`,
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
