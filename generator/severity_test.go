package generator_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/rules"
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
	writeModule(t, root)
	writeFile(t, filepath.Join(root, "v1", "kind.go"), []byte(kindFile))
	writeFile(t, filepath.Join(root, "v1", "types.go"), []byte("package v1\n\ntype Spec struct {\n\t"+c.field+"\n}\n"))
	listing, err := generator.List(context.Background(),
		generator.Config{Dir: root, Paths: []string{"./..."}, Env: goEnv()}, nil)
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
	plan, problems := arguments.Parse(arguments.Line{Options: []string{option}, Checks: catalog.Checks()})
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

// TestEveryIDCanBeNamed names all checks in fail and in ignore. A check that cannot be ignored is reported with a
// reason and with what to do.
func TestEveryIDCanBeNamed(t *testing.T) {
	checks := catalog.Checks()
	for _, c := range checks {
		for _, option := range []string{"fail", "ignore"} {
			line := "crd:" + option + "=json-null;" + c.ID + ",cel-absent"
			_, problems := arguments.Parse(arguments.Line{Options: []string{line}, Checks: checks})
			if allowed := option == "fail" || c.CanWarn(); allowed != (len(problems) == 0) {
				t.Errorf("%s: %v", line, problems)
			}
			for _, d := range problems {
				if !strings.Contains(d.Message, "check "+c.ID+" cannot be ignored: ") || d.HelpText == "" {
					t.Errorf("%s: %q, help %q", line, d.Message, d.HelpText)
				}
			}
		}
	}
	if _, problems := arguments.Parse(arguments.Line{Options: []string{"crd:fail=all"}, Checks: checks}); len(problems) > 0 {
		t.Error(problems)
	}
}

// checkWarnings makes sure that the table knows of every mistake that may be a warning: those can be ignored. A finding
// that the table calls a warning is one whatever finds it, in Go as in YAML.
func checkWarnings(t *testing.T, found []diag.Diagnostic) {
	t.Helper()
	for _, d := range found {
		c := catalog.Checks().Of(d.Check)
		if d.Severity != diag.Error && !c.Verdict && !c.CanWarn() {
			t.Errorf("the row of %s needs MayWarn: %s", d.Check, d.Message)
		}
		if ofCRD := rules.Checks().Of(d.Check); d.Severity == diag.Error && ofCRD != nil && ofCRD.Severity != diag.Error {
			t.Errorf("%s is a warning in a CRD from YAML: %s", d.Check, d.Message)
		}
	}
}

// TestControllerToolsVersion compares the version that a switched project keeps in its files with the linked one.
func TestControllerToolsVersion(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "sigs.k8s.io/controller-tools " + tools.Version + "\n"; !strings.Contains(string(mod), want) {
		t.Errorf("go.mod has no line %s", want)
	}
}
