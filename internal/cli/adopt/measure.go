package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/fix"
	"github.com/crdproof/crdproof/internal/input"
)

// A Trial is what crdproof would do with settings.
type Trial struct {
	Settings []byte
	// Entries are those of the baseline.
	Entries []baseline.Entry
	// Files are those of each call, Found are the findings that are not in the baseline.
	Files [][]emit.File
	Found []diag.Diagnostic
}

// annotated matches the line of a CRD that names the version of its generator.
var annotated = regexp.MustCompile(`(?m)^ +controller-gen\.kubebuilder\.io/version: (.*)\n`)

// withoutVersion returns a file without that line.
func withoutVersion(data []byte) string { return string(annotated.ReplaceAll(data, nil)) }

// Annotation returns the option for the annotation that the CRDs on disk have. It may be the only place that names the
// version of controller-gen.
func (r *Report) Annotation(before [][]emit.File) string {
	for _, f := range slices.Concat(before...) {
		data, err := input.ReadFile(f.Path)
		if groups := annotated.FindSubmatch(data); err == nil && groups != nil {
			if version := strings.Trim(string(groups[1]), "\r\"'"); semver.IsValid(version) {
				r.Version = cmp.Or(r.Version, version)
				return "controller-gen@" + version
			}
		}
	}
	if semver.IsValid(r.Version) {
		return "controller-gen@" + r.Version
	}
	return "controller-gen"
}

// Compare finds the files that change below a root, where controller-gen writes those of before. It returns the checks
// of CI, and the files to write: a file that something else edits is not written, and its call not verified.
func (r *Report) Compare(
	root string, calls []Call, now Trial, before [][]emit.File,
) (checks []Check, generated []emit.File) {
	known, edited := map[string]bool{}, map[string]bool{}
	for i := range calls {
		isEdited, hasChanged := false, false
		for _, f := range now.Files[i] {
			disk, err := os.ReadFile(f.Path)
			if err == nil && bytes.Equal(disk, f.Data) {
				if !known[f.Path] {
					r.Same++
				}
				known[f.Path] = true
				continue
			}
			hasChanged = true
			why := "it does not exist today"
			if err == nil {
				var isOdd bool
				why, isOdd = r.change(&calls[i], string(disk), f, before[i])
				isEdited = isEdited || isOdd
			}
			if !known[f.Path] {
				name := filepath.ToSlash(diag.Relative(f.Path, root))
				r.Changed = append(r.Changed, Changed{Path: name, Why: why})
			}
			known[f.Path] = true
		}
		isEdited = isEdited || hasChanged && calls[i].IsEdited()
		checks = append(checks, checkOf(calls[i], isEdited))
		r.IsUnverified = r.IsUnverified || isEdited
		for _, f := range now.Files[i] {
			edited[f.Path] = edited[f.Path] || isEdited
		}
	}
	for _, f := range slices.Concat(now.Files...) {
		if !edited[f.Path] {
			generated = append(generated, f)
		}
	}
	return checks, generated
}

// change says why a file changes, and whether something that is not known has edited it.
func (r *Report) change(c *Call, disk string, f emit.File, before []emit.File) (why string, isOdd bool) {
	i := slices.IndexFunc(before, func(b emit.File) bool { return b.Path == f.Path })
	if i >= 0 {
		incumbent, today := withoutVersion(before[i].Data), withoutVersion([]byte(disk))
		isSame := withoutVersion(f.Data) == incumbent
		switch {
		case today == incumbent && isSame:
			return "the annotation of the version", false
		case today == incumbent && ownVersion.ReplaceAllString(string(f.Data), "") == incumbent:
			return "the annotation names crdproof", false
		case today == incumbent:
			return "crdproof's own CRD", false
		case r.Version != r.Linked && isSame && !c.IsEdited():
			return fmt.Sprintf("controller-gen %s writes it so, too", r.Linked), false
		}
	}
	return "today it is not what controller-gen " + r.Linked + " writes: edited, or not up to date", true
}

// checkOf returns the command of CI for a call: it verifies the files, unless something else edits them.
func checkOf(c Call, isEdited bool) Check {
	out := Check{Dir: c.Dir}
	for _, w := range c.Words {
		if !isEdited || !strings.HasPrefix(w, "output:") {
			out.Words = append(out.Words, w)
		}
	}
	last := "--verify"
	if isEdited {
		last = "output:none"
	}
	out.Words = append(out.Words, last, "--format=github")
	return out
}

// Foresee counts what crdproof's own CRDs would change, where controller-gen writes those of before, and what can be
// fixed.
func (r *Report) Foresee(own Trial, before [][]emit.File) {
	names, ids := map[string]int{}, map[string]int{}
	for i := range own.Found {
		d := &own.Found[i]
		if d.Severity == diag.Note {
			names[d.Check]++
			continue
		}
		ids[d.Check]++
		switch help := fix.Preferred(d); {
		case help.Steps == nil:
		case help.HasEffect():
			r.FixableAPI++
		default:
			r.Fixable++
		}
	}
	r.Deviations, r.Findings = counts(names), counts(ids)
	for i, list := range own.Files {
		for _, f := range list {
			if j := slices.IndexFunc(before[i], func(b emit.File) bool { return b.Path == f.Path }); j >= 0 &&
				strings.Contains(string(f.Data), "kind: CustomResourceDefinition") &&
				ownVersion.ReplaceAllString(string(f.Data), "") != withoutVersion(before[i][j].Data) {
				r.OwnFiles++
			}
		}
	}
}

// ownVersion matches the line of a CRD that names crdproof's version.
var ownVersion = regexp.MustCompile(`(?m)^ +crdproof\.dev/version: .*\n`)

// counts sorts counts, the largest first.
func counts(numbers map[string]int) (out []Count) {
	for name, n := range numbers {
		out = append(out, Count{Name: name, N: n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Name, b.Name)) })
	return out
}
