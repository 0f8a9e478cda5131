package kube

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	kubeversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
)

// TestFormats compares the strings of each format with the code that API servers validate them with.
func TestFormats(t *testing.T) {
	names := func(a, b Format) int { return strings.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(Formats(), names) {
		t.Error("the formats are not sorted by name")
	}
	for _, f := range Formats() {
		for _, s := range f.Valid {
			if !strfmt.Default.Validates(f.Name, s) {
				t.Errorf("format %s rejects %q", f.Name, s)
			}
		}
		for _, s := range f.Invalid {
			if strfmt.Default.Validates(f.Name, s) {
				t.Errorf("format %s accepts %q", f.Name, s)
			}
		}
		if g, ok := FormatOf(strings.ReplaceAll(f.Name, "-", "")); !ok || g.Pattern != f.Pattern {
			t.Errorf("format %s is not found without dashes", f.Name)
		}
	}
	if f, ok := FormatOf("int32"); ok {
		t.Errorf("int32 is not a format of strings, got %v", f)
	}
}

// TestFormatsAreComplete compares the formats with those that the newest API server recognizes.
func TestFormatsAreComplete(t *testing.T) {
	registered := reflect.ValueOf(strfmt.Default).Elem().FieldByName("data")
	if registered.Len() == 0 {
		t.Fatal("no formats are registered")
	}
	for i := range registered.Len() {
		name := registered.Index(i).FieldByName("OrigName").String()
		asked := &spec.Schema{SchemaProps: spec.SchemaProps{Format: name, Type: []string{"string"}}}
		latest := kubeversion.MajorMinor(1, uint(Latest()))
		recognized := len(apivalidation.GetUnrecognizedFormats(asked, latest)) == 0
		if _, ok := FormatOf(name); ok != recognized {
			t.Errorf("the API server recognizes %s: %t, but it is a format here: %t", name, recognized, ok)
		}
	}
}

// TestFormatPatterns compares the pattern of a format with the code of API servers, for strings that differ in one
// place from strings that the pattern matches.
func TestFormatPatterns(t *testing.T) {
	for _, f := range Formats() {
		if f.Pattern == "" {
			continue
		}
		re := regexp.MustCompile(f.Pattern)
		total := effort.New(t.Context(), effort.DiffTexts)
		p, err := regular.Compile(f.Pattern, total)
		if err != nil {
			t.Fatal(err)
		}
		words := slices.Concat(f.Valid, f.Invalid)
		for _, q := range []regular.Query{
			{Match: []*regular.Pattern{p}, MaxLength: 40}, {Avoid: []*regular.Pattern{p}, MaxLength: 40},
		} {
			words = append(words, q.Words(12, 100_000, total)...)
		}
		valid := 0
		for _, word := range words {
			for _, s := range mutants(word) {
				want := strfmt.Default.Validates(f.Name, s)
				if got := re.MatchString(s); got != want {
					t.Errorf("format %s accepts %q: %t, but its pattern matches: %t", f.Name, s, want, got)
				}
				if want {
					valid++
				}
			}
		}
		if valid == 0 {
			t.Errorf("no mutants are valid for %s", f.Name)
		}
	}
}

// mutants are a string, and all that differ from it in one place.
func mutants(s string) []string {
	runes := []rune(s)
	all := []string{s}
	for i := range len(runes) + 1 {
		before, after := string(runes[:i]), string(runes[i:])
		for _, r := range "0123459aAfFgtTzZ-+.,:/_=#( )\néK" {
			all = append(all, before+string(r)+after)
			if i < len(runes) {
				all = append(all, before+string(r)+string(runes[i+1:]))
			}
		}
		if i < len(runes) {
			all = append(all, before+string(runes[i+1:]))
		}
	}
	return all
}
