package random

import (
	"context"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/cli/fix"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// fixed is how many modules TestFix fixes.
var fixed = flag.Int("fix-seeds", 25, "how many modules with mistakes to fix")

// slips are more mistakes, of those that have a help without a choice.
var slips = strings.NewReplacer(
	"+optional", "+Optional", "+kubebuilder:default=", "+kubebuilder:defaults=", ",omitempty", "", "+listType=", "+ListType=",
	"+k8s:", "+K8s:", "+nullable", "+Nullable", "MaxLength", "Maxlength", "+kubebuilder:validation:Enum", "+kubebuilder:Enum",
	"+kubebuilder:validation:Pattern", "+kubebuilder:pattern", "+structType", "+StructType")

// TestFix injects mistakes into random modules, and fixes them as --fix and --fix=api do. Nothing fails, the code
// builds, the fixes without an effect have none together, and a second run changes nothing.
func TestFix(t *testing.T) {
	before, after, safe := 0, 0, 0
	for i := range *fixed {
		seed := *first + uint64(i)
		m := &fixing{T: t, seed: seed, dir: write(t, injected(seed))}
		was := m.helps(m.run(nil))
		safe += was - m.helps(m.fix(false))
		after += m.helps(m.fix(true))
		before += was
	}
	t.Logf("of %d findings with edits, --fix removes %d, --fix=api %d", before, safe, before-after)
	if before == 0 || (before-after)*10 < before*6 {
		t.Errorf("only %d of %d findings with edits are fixed", before-after, before)
	}
}

// injected returns a random module with some mistakes.
func injected(seed uint64) Module {
	m, random := Generate(seed), rand.New(rand.NewPCG(seed, 7))
	paths, kinds := slices.Sorted(maps.Keys(m)), harness.Slips()
	for range 1 + random.IntN(6) {
		path := paths[random.IntN(len(paths))]
		lines := strings.Split(m[path], "\n")
		i := random.IntN(len(lines))
		if kind := kinds[random.IntN(len(kinds))]; random.IntN(3) == 0 && kind.Line.MatchString(lines[i]) {
			lines[i] = kind.Made(lines[i])
		}
		for n := range 8 {
			k := (i + n) % len(lines)
			lines[k] = slips.Replace(lines[k])
		}
		m[path] = strings.Join(lines, "\n")
	}
	return m
}

// fixing is the state of fixing one module.
type fixing struct {
	*testing.T
	seed   uint64
	dir    string
	config generator.Config
}

// run validates the module with other contents of files.
func (f *fixing) run(overlay map[string][]byte) fix.State {
	f.Helper()
	state, err := f.validate(f.Context(), overlay)
	if err != nil {
		f.Fatalf("seed %d: %v", f.seed, err)
	}
	return state
}

func (f *fixing) validate(ctx context.Context, overlay map[string][]byte) (out fix.State, err error) {
	f.config.Dir, f.config.Paths, f.config.Overlay = f.dir, []string{"./..."}, overlay
	result, err := generator.Run(ctx, f.config)
	if err != nil {
		return out, err
	}
	f.config.Listing = result.Listing
	policy := check.Policy{}
	out.Found = policy.Apply(result.Diagnostics)
	for _, s := range result.Sessions {
		out.CRDs = append(out.CRDs, crds.CRD{IR: s.CRD, Object: s.Object()})
	}
	return out, nil
}

// helps counts the findings with edits.
func (f *fixing) helps(s fix.State) (n int) {
	for i := range s.Found {
		if fix.Preferred(&s.Found[i]).Steps != nil {
			n++
		}
	}
	return n
}

// fix fixes the module on disk, and looks at what became of it.
func (f *fixing) fix(api bool) fix.State {
	f.Helper()
	before := f.run(nil)
	first := f.files(api)
	if first.Failed != nil {
		f.keep()
		f.Errorf("seed %d: %s: %s", f.seed, first.Failed.Message, first.Failed.Notes)
		return before
	}
	for _, file := range first.Files {
		if err := os.WriteFile(file.Path, file.Data, 0o666); err != nil {
			f.Fatal(err)
		}
	}
	after := f.run(nil)
	if second := f.files(api); len(second.Files) > 0 || second.Failed != nil {
		f.keep()
		f.Errorf("seed %d: a second run changes %d files: made %v, failed %v", f.seed, len(second.Files), second.Made,
			second.Failed)
	}
	had := broken(before)
	for message := range broken(after) {
		if !had[message] {
			f.keep()
			f.Errorf("seed %d: the fixed module does not build: %s", f.seed, message)
		}
	}
	if !api {
		f.compare(before, after)
	}
	return after
}

// broken returns the errors of Go itself.
func broken(s fix.State) map[string]bool {
	out := map[string]bool{}
	for i := range s.Found {
		if d := &s.Found[i]; strings.HasPrefix(d.Check, "go-") && d.Severity == diag.Error {
			out[d.Message] = true
		}
	}
	return out
}

func (f *fixing) files(api bool) fix.Result {
	f.Helper()
	result, err := fix.Files(f.Context(), fix.Options{
		Run: f.validate, API: api,
		Covers: func(d *diag.Diagnostic) bool { return d.Severity != diag.Note },
		Keeps: func(path string) string {
			if !strings.HasPrefix(path, f.dir) {
				return "the file is in another module"
			}
			return ""
		},
	})
	if err != nil {
		f.Fatalf("seed %d: %v", f.seed, err)
	}
	return result
}

// compare makes sure that all fixes together have no effect on CRDs that API servers accept.
func (f *fixing) compare(before, after fix.State) {
	f.Helper()
	for _, old := range before.CRDs {
		i := slices.IndexFunc(after.CRDs, func(c crds.CRD) bool { return c.Object.Name == old.Object.Name })
		if i < 0 {
			f.Errorf("seed %d: the CRD %s is missing", f.seed, old.Object.Name)
			continue
		}
		if f.rejects(old) || f.rejects(after.CRDs[i]) {
			continue
		}
		shift, err := diff.Observe(f.Context(), old, after.CRDs[i], true)
		if err != nil {
			f.Fatal(err)
		}
		if beyond := shift.Beyond(diag.NoEffect); len(beyond) > 0 {
			f.keep()
			f.Errorf("seed %d: --fix has an effect: %s %s", f.seed, old.Object.Name, beyond[0])
		}
	}
}

func (f *fixing) rejects(c crds.CRD) bool {
	reasons, err := kube.Verdict(f.Context(), c.Object)
	return err != nil || len(reasons) > 0
}

// keep copies the module to the directory for those that fail.
func (f *fixing) keep() {
	if *keep != "" {
		target := filepath.Join(*keep, "fix", filepath.Base(f.dir))
		if err := os.CopyFS(target, os.DirFS(f.dir)); err != nil && !os.IsExist(err) {
			f.Log(err)
		}
	}
}
