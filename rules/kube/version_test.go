package kube

import "testing"

func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{
		"1.31": "1.31", "1.30..1.37": "1.30..1.37", "v1.30": "1.30", "1.30..1.30": "1.30",
		"1.30-1.37":  "1.30..1.37",
		"1.28..1.38": "1.28..1.38", "1.38": "1.38",
		"1.39":       "crdproof compares its verdicts up to Kubernetes 1.38 (beta.0), got 1.39; write 1.38",
		"1.27":       "crdproof compares its verdicts from Kubernetes 1.28 on, got 1.27; write 1.28",
		"1.27..1.35": "crdproof compares its verdicts from Kubernetes 1.28 on, got 1.27..1.35; write 1.28..1.35",
		"v1.25-1.99": "crdproof compares its verdicts from Kubernetes 1.28 on, got v1.25-1.99; write 1.28..1.38",
		"1.25..1.27": "crdproof compares its verdicts from Kubernetes 1.28 on, got 1.25..1.27; write 1.28",
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

func TestRanges(t *testing.T) {
	got := Ranges([]Range{{30, 30}, {32, 33}, {35, 38}})
	if want := "1.30, 1.32 and 1.33 and 1.35 to 1.38 (beta.0)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
