package translate_test

import (
	"testing"

	"github.com/crdproof/crdproof/internal/cli/translate"
)

// TestWithOverlay names an overlay in settings of different layouts. What they have stays as it is.
func TestWithOverlay(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"an empty file", "", "crd:\n  overlay: o.yaml\n"},
		{"only a comment", "# mine", "# mine\ncrd:\n  overlay: o.yaml\n"},
		{"no options of crd", "kube: \"1.34\"", "kube: \"1.34\"\ncrd:\n  overlay: o.yaml\n"},
		{"options of crd", "crd: # mine\n    # why\n    compat: x\n\nkube: y\n",
			"crd: # mine\n    overlay: o.yaml\n    # why\n    compat: x\n\nkube: y\n"},
		{"options on one line", "crd: {compat: x}\n", ""},
		{"all on one line", "{crd: {compat: x}}\n", ""},
		{"crd without options", "crd:\n", ""},
	} {
		if got := string(translate.WithOverlay([]byte(c.before), "o.yaml")); got != c.after {
			t.Errorf("%s: got %q, want %q", c.name, got, c.after)
		}
	}
}
