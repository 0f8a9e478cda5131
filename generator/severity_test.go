package generator_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/moduletest"
)

// A severityCase is a field with one finding.
type severityCase struct {
	field, check string
	// severity is that of the finding under the options; shown is false if it is not reported.
	severity func(o severityOptions) (severity diag.Severity, shown bool)
}

// severityOptions are the options that decide the severity of findings; "" is not given.
type severityOptions struct{ compat, mistakes, unproved, fail, ignore string }

// words returns the options that are given, as the command line has them.
func (o severityOptions) words() (out []string) {
	for _, word := range []string{"compat=" + o.compat, "mistakes=" + o.mistakes, "unproved=" + o.unproved,
		"fail=" + o.fail, "ignore=" + o.ignore} {
		if !strings.HasSuffix(word, "=") {
			out = append(out, word)
		}
	}
	return out
}

func orElse(isWarning bool) diag.Severity {
	if isWarning {
		return diag.Warning
	}
	return diag.Error
}

func severityCases() []severityCase {
	return []severityCase{
		{"// +kubebuilder:validation:Minimun=1\n\tCount int32 `json:\"count,omitempty\"`", "marker-unknown",
			func(o severityOptions) (diag.Severity, bool) {
				warns := o.mistakes == "warn" || o.mistakes == "" && o.compat != ""
				return orElse(warns && o.fail == ""), o.ignore == ""
			}},
		{"// +kubebuilder:validation:XValidation:rule=\"self.is.wrong\"\n\tCount int32 `json:\"count,omitempty\"`",
			"cel-compile", func(o severityOptions) (diag.Severity, bool) {
				warns := o.unproved == "true" || o.unproved == "" && o.compat != ""
				return orElse(warns && o.fail == ""), true
			}},
		{"List []string `json:\"list\"`", "json-null", func(o severityOptions) (diag.Severity, bool) {
			return orElse(o.fail == ""), o.ignore == "" && (o.compat == "" || o.fail != "")
		}},
	}
}

// TestSeverities runs all combinations of the options that decide the severity of a finding, in both orders: each means
// the same whatever the others are. The bytes of a CRD depend only on compat.
func TestSeverities(t *testing.T) {
	for _, c := range severityCases() {
		t.Run(c.check, func(t *testing.T) {
			t.Parallel()
			listing := c.list(t)
			files := map[string]string{}
			for _, o := range c.combinations() {
				words := o.words()
				for range 2 {
					slices.Reverse(words)
					c.run(t, listing, o, words, files)
				}
			}
		})
	}
}

func (c severityCase) list(t *testing.T) *load.Listing {
	root := t.TempDir()
	moduletest.Write(t, root, "crd.test", map[string]string{"v1/kind.go": moduletest.Kind("example"),
		"v1/types.go": "package v1\n\ntype Spec struct {\n\t" + c.field + "\n}\n"})
	listing, err := generator.List(context.Background(),
		generator.Config{Dir: root, Paths: []string{"./..."}, Env: moduletest.Env()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return listing
}

// combinations returns all combinations of values, without those that ignore what cannot be ignored or what fails.
func (c severityCase) combinations() (out []severityOptions) {
	for _, compat := range []string{"", "controller-gen"} {
		for _, mistakes := range []string{"", "error", "warn"} {
			for _, unproved := range []string{"", "true", "false"} {
				for _, fail := range []string{"", "all", c.check} {
					for _, ignore := range []string{"", c.check} {
						if ignore == "" || c.check != "cel-compile" && fail != c.check {
							out = append(out, severityOptions{compat, mistakes, unproved, fail, ignore})
						}
					}
				}
			}
		}
	}
	return out
}

// run compares the findings of one run with the table, and its file with that of other runs.
func (c severityCase) run(
	t *testing.T, listing *load.Listing, o severityOptions, words []string, files map[string]string,
) {
	t.Helper()
	option := "crd"
	if len(words) > 0 {
		option += ":" + strings.Join(words, ",")
	}
	plan, problems := arguments.Parse(arguments.Line{Options: []string{option}, Checks: generator.Checks()})
	if len(problems) > 0 {
		t.Fatalf("%s: %v", option, problems)
	}
	result := generator.RunListed(listing, generator.Config{CRD: *plan.Find(arguments.CRD).CRD})
	severity, shown := c.severity(o)
	i := slices.IndexFunc(result.Diagnostics, func(d diag.Diagnostic) bool { return d.Check == c.check })
	switch {
	case shown != (i >= 0):
		t.Errorf("%s: reported: %v, want %v; %v", option, i >= 0, shown, result.Diagnostics)
	case shown && result.Diagnostics[i].Severity != severity:
		t.Errorf("%s: got %s, want %s", option, result.Diagnostics[i].Severity, severity)
	}
	if isWritten := len(result.Files) == 1; isWritten == (shown && severity == diag.Error) {
		t.Errorf("%s: written: %v; %v", option, isWritten, result.Diagnostics)
	}
	for _, f := range result.Files {
		if before, ok := files[o.compat]; ok && before != string(f.Data) {
			t.Errorf("%s: the file depends on the severity", option)
		}
		files[o.compat] = string(f.Data)
	}
}
