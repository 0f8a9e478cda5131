package pattern

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation"
	generator "k8s.io/apiserver/pkg/storage/names"
)

// TestGenerateNameFormats generates names as an API server does: a valid generateName gives valid names, and an invalid
// one gives invalid names.
func TestGenerateNameFormats(t *testing.T) {
	isName := map[string]func(string) []string{
		dns1035Label:      validation.IsDNS1035Label,
		dns1123Label:      content.IsDNS1123Label,
		dns1123Subdomain:  content.IsDNS1123Subdomain,
		"k8s-label-value": content.IsLabelValue,
		"k8s-long-name":   content.IsDNS1123Subdomain,
		"k8s-short-name":  content.IsDNS1123Label,
	}
	for _, f := range GenerateNameFormats() {
		permits, accepted := f.matcher(t), 0
		for _, base := range append(formatTexts(), "web-", "web.", "web--", "-", "1-", "a_", "a.-") {
			if base == "" || len(base) > generator.MaxGeneratedNameLength && !permits(base) {
				continue // an empty text gives no name, and the invalid part may have been cut off
			}
			name := generator.SimpleNameGenerator.GenerateName(base)
			if want := len(isName[f.Name](name)) == 0; permits(base) != want {
				t.Errorf("%s: %q permitted: %t, but %q is a name: %t", f.Name, base, permits(base), name, want)
			} else if want {
				accepted++
			}
		}
		if accepted < 200 {
			t.Errorf("%s: only %d are accepted", f.Name, accepted)
		}
	}
}

// TestNameFormats compares the format that k8s:format does not have with apimachinery.
func TestNameFormats(t *testing.T) {
	f, ok := FindFormat(NameFormats(), dns1035Label)
	if !ok {
		t.Fatal("no such format")
	}
	permits := f.matcher(t)
	for _, s := range formatTexts() {
		if want := len(validation.IsDNS1035Label(s)) == 0; permits(s) != want {
			t.Errorf("%q: %t, Kubernetes says %t", s, !want, want)
		}
	}
}
