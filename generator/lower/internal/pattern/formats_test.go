package pattern

import (
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	celgo "github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	k8sfield "k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/lower/internal/cel"
)

// A function is one of Kubernetes' own for a format.
type function = func(context.Context, operation.Operation, *k8sfield.Path, *string, *string) k8sfield.ErrorList

// validators are Kubernetes' own functions for the formats.
func validators() map[string]func(string) k8sfield.ErrorList {
	out := map[string]func(string) k8sfield.ErrorList{
		"k8s-condition-reason": isReason,
		"k8s-ip":               func(s string) k8sfield.ErrorList { return validation.IsValidIPForLegacyField(nil, s, false, nil) },
	}
	for name, f := range map[string]function{
		"k8s-extended-resource-name": validate.ExtendedResourceName[string],
		"k8s-label-key":              validate.LabelKey[string],
		"k8s-label-value":            validate.LabelValue[string],
		"k8s-long-name":              validate.LongName[string],
		//lint:ignore SA1019 discouraged as it is, it is one of the formats
		"k8s-long-name-caseless":            validate.LongNameCaseless[string],
		"k8s-path-segment-name":             validate.PathSegmentName[string],
		"k8s-prefixed-label-key":            validate.PrefixedLabelKey[string],
		"k8s-resource-fully-qualified-name": oneSlash(validate.ResourceFullyQualifiedName[string]),
		"k8s-resource-pool-name":            validate.ResourcePoolName[string],
		"k8s-short-name":                    validate.ShortName[string],
		"k8s-uuid":                          validate.UUID[string],
	} {
		out[name] = func(s string) k8sfield.ErrorList {
			return f(context.Background(), operation.Operation{}, nil, &s, nil)
		}
	}
	return out
}

// oneSlash returns the function of 0.38 for fully qualified names: before, it accepts everything with several slashes.
func oneSlash(former function) function {
	return func(ctx context.Context, op operation.Operation, path *k8sfield.Path, s, old *string) k8sfield.ErrorList {
		if strings.Count(*s, "/") > 1 {
			return k8sfield.ErrorList{k8sfield.Invalid(path, *s, "must not contain more than one slash")}
		}
		return former(ctx, op, path, s, old)
	}
}

// isReason is IsValidReason of apimachinery (pkg/api/validate/content/identifier.go, 0.38). A condition may be invalid
// otherwise, and its reason has a maximum length besides.
func isReason(s string) (errs k8sfield.ErrorList) {
	path := k8sfield.NewPath("condition")
	for _, err := range metavalidation.ValidateCondition(metav1.Condition{Reason: s}, path) {
		if err.Field == "condition.reason" && err.Type != k8sfield.ErrorTypeTooLong {
			errs = append(errs, err)
		}
	}
	return errs
}

// TestFormats compares each format, in both its forms, with Kubernetes' function for it, on strings that are barely
// valid or barely invalid.
func TestFormats(t *testing.T) {
	oracles := validators()
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			oracle, keywords, condition := oracles[f.Name], f.matcher(t), f.program(t)
			if oracle == nil {
				t.Fatal("no function to compare it with")
			}
			accepted := 0
			for i, s := range formatTexts() {
				if f.Name == "k8s-long-name-caseless" && len(s) > 253 && utf8.RuneCountInString(s) <= 253 {
					continue // see TestCaselessBytes
				}
				want := len(oracle(s)) == 0
				if want {
					accepted++
				}
				if got := keywords(s); got != want {
					t.Errorf("%q: the keywords say %t, Kubernetes %t", s, got, want)
				}
				if i%8 == 0 && condition(s) != want {
					t.Errorf("%q: the condition says %t, Kubernetes %t", s, !want, want)
				}
			}
			if accepted < 100 {
				t.Errorf("only %d are accepted", accepted)
			}
		})
	}
	if len(oracles) != len(Formats()) {
		t.Errorf("%d functions for %d formats", len(oracles), len(Formats()))
	}
}

// TestCaselessBytes shows the one known difference: characters are counted, not bytes.
func TestCaselessBytes(t *testing.T) {
	f, _ := FormatOf("k8s-long-name-caseless")
	s := strings.Repeat("ſ", 200)
	if want := len(validators()[f.Name](s)) == 0; want || !f.matcher(t)(s) {
		t.Error("the difference is gone: drop the comment on it")
	}
}

// matcher judges as an API server does by the format's keywords.
func (f *Format) matcher(t *testing.T) func(string) bool {
	t.Helper()
	var patterns []*regexp.Regexp
	for _, p := range f.patterns {
		patterns = append(patterns, regexp.MustCompile(p))
	}
	unlike := regexp.MustCompile(f.unlike)
	return func(s string) bool {
		for _, p := range patterns {
			if !p.MatchString(s) {
				return false
			}
		}
		return (f.unlike == "" || !unlike.MatchString(s)) &&
			(f.maxLength == 0 || utf8.RuneCountInString(s) <= int(f.maxLength))
	}
}

// program judges by the format's condition in CEL.
func (f *Format) program(t *testing.T) func(string) bool {
	t.Helper()
	env, err := celgo.NewEnv(celgo.Variable("self", celgo.StringType))
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := env.Compile(f.Condition(cel.Self()).String())
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	return func(s string) bool {
		out, _, err := program.Eval(map[string]any{"self": s})
		if err != nil {
			t.Fatal(err)
		}
		return out.Value().(bool)
	}
}

// formatTexts are strings that look like names, addresses and keys of labels, many of them good, with mutations.
func formatTexts() []string {
	r := rand.New(rand.NewPCG(1, 2))
	out := []string{"", ".", "..", "...", "/", "a/", "/a", "a//b", "a/b/c", "a/b/%", "\n", "a\n", "ſ", "K", "a.K",
		"é", "::", "::1", "1::", "1.2.3.4"}
	for i := range 15_000 {
		s := formatText(r, i%5)
		for range r.IntN(3) {
			s = mutated(r, s)
		}
		out = append(out, s)
	}
	return out
}

// formatText composes a string of words and separators.
func formatText(r *rand.Rand, form int) string {
	word := func(letters string, lengths ...int) string {
		text := make([]byte, lengths[r.IntN(len(lengths))])
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		return string(text)
	}
	const small, all, hex = "abkswz09", "abkswzABKSWZ0189", "0123456789abcdefF"
	switch form {
	case 0: // names, qualified or not
		names := []string{word(small, 0, 1, 3, 62, 63, 64), word(all, 1, 2, 31, 32, 33, 62, 63, 64),
			word(all+"-_.", 1, 5, 32, 63), "requests", "kubernetes.io",
			word(small, 100), word(small, 179, 180, 181), word(small, 188, 189, 190),
			word(small, 244, 245, 252, 253, 254)}
		s := names[r.IntN(len(names))]
		for range r.IntN(4) {
			s += []string{".", "/", "/", "-", "_"}[r.IntN(5)] + names[r.IntN(len(names))]
		}
		return s
	case 4: // identifiers of a domain
		return word(small, 1, 3, 62, 63, 64) + []string{"", ".a"}[r.IntN(2)] + "/" + word("azAZ_", 1) +
			word(all+"_", 0, 5, 30, 31, 32)
	case 1:
		var octets []string
		for range 3 + r.IntN(20)/10 {
			octets = append(octets, word("0", 0, 0, 0, 1, 3)+word("0123456", 1, 2, 3))
		}
		return strings.Join(octets, ".")
	case 2:
		var groups []string
		for range 1 + r.IntN(8) {
			groups = append(groups, word("0", 0, 0, 0, 1, 5)+word(hex, 0, 1, 2, 4, 4, 4, 4))
		}
		s := strings.Join(groups, ":")
		if i := r.IntN(len(s) + 1); r.IntN(2) == 0 {
			s = s[:i] + "::" + s[i:]
		}
		if r.IntN(3) == 0 {
			s += ":" + formatText(r, 1)
		}
		return s
	default:
		four := func() string { return word(hex[:16], 4) + "-" }
		return word(hex[:16], 8, 8, 8, 7) + "-" + four() + four() + four() + word(hex, 12)
	}
}

// mutated changes one character, most of the time.
func mutated(r *rand.Rand, s string) string {
	runes := []rune(s)
	odd := []rune("aZ0.-_/%:~ \n\tſKéſ\u00a0\U0001f600")
	c := odd[r.IntN(len(odd))]
	switch i := r.IntN(len(runes) + 1); {
	case i == len(runes):
		return s + string(c)
	case r.IntN(3) == 0:
		return string(runes[:i]) + string(runes[i+1:])
	case r.IntN(2) == 0:
		runes[i] = c
		return string(runes)
	default:
		return string(runes[:i]) + string(c) + string(runes[i:])
	}
}
