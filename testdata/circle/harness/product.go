package harness

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/testdata/circle/program"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// outcome is what crdproof made of one kind.
type outcome struct {
	// crd is the file; nil where it was rejected.
	crd []byte
	// errors and warnings are those that it reported for the kind.
	errors, warnings []remark
}

// remark is one diagnostic.
type remark struct {
	rule, message string
	// at is where in the kind's files; an offset below 0 is nowhere.
	at source.Position
}

// owner is the kind that a file belongs to.
type owner struct {
	kind     string
	isHelper bool
}

// remarkOf returns a diagnostic and the kind that it is about, "" if it is about none. What stands in a library is at
// the field that leads there, too, or at least speaks of the kind.
func remarkOf(d diag.Diagnostic, files map[string]owner) (kind string, r remark) {
	r = remark{d.Check, d.Message, source.Position{Offset: -1}}
	if d.Span.IsValid() {
		if o, ok := files[d.Span.Source.Path]; ok {
			r.at = source.Position{Helper: o.isHelper, Offset: int(d.Span.Start)}
			return o.kind, r
		}
	}
	notes := strings.Join(d.Notes, " ")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if strings.Contains(notes, files[path].kind) {
			return files[path].kind, r
		}
	}
	return "", r
}

// runProduct runs crdproof on all packages, those of the same options together.
func runProduct(ctx context.Context, dir string, batches []batch) (map[string]outcome, error) {
	outcomes := map[string]outcome{}
	done := map[source.Options]bool{}
	for _, first := range batches {
		if done[first.options] {
			continue
		}
		done[first.options] = true
		files := map[string]owner{} // by path
		config := generator.Config{Dir: dir, CRD: generator.Options{Options: lower.Options{
			AllowDangerousTypes:        first.options.AllowDangerousTypes,
			GenerateEmbeddedObjectMeta: first.options.GenerateEmbeddedObjectMeta,
			Extra:                      optional(first.options),
		}}}
		for _, b := range batches {
			if b.options != first.options {
				continue
			}
			config.Paths = append(config.Paths, "./"+b.kinds[0].Package)
			for _, k := range b.kinds {
				for _, f := range program.Files(k) {
					files[filepath.Join(dir, f.Name)] = owner{k.Name, f.Helper}
				}
			}
		}
		if err := runUntilClean(ctx, config, files, outcomes); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// optional returns the optional deviations that options switch on: all or none.
func optional(o source.Options) []string {
	if o.Plain {
		return nil
	}
	return slices.DeleteFunc(lower.DeviationNames(), func(name string) bool { return !lower.IsOptional(name) })
}

// runUntilClean takes away the files of kinds with errors and runs again, until there are none.
func runUntilClean(ctx context.Context, config generator.Config, files map[string]owner,
	outcomes map[string]outcome) error {
	for range 10 {
		made, err := generator.Run(ctx, config)
		if err != nil {
			return err
		}
		rejected, err := rejections(made.Diagnostics, files, outcomes)
		if err != nil {
			return err
		}
		if len(rejected) == 0 {
			return collect(made, files, outcomes)
		}
		for path, o := range files {
			if !rejected[o.kind] {
				continue
			}
			delete(files, path)
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("crdproof finds new errors again and again")
}

// rejections adds errors to the outcomes and returns their kinds.
func rejections(list []diag.Diagnostic, files map[string]owner, outcomes map[string]outcome) (map[string]bool, error) {
	rejected := map[string]bool{}
	var stray error
	for _, d := range list {
		if d.Severity == diag.Warning {
			continue
		}
		kind, r := remarkOf(d, files)
		if kind == "" {
			stray = fmt.Errorf("crdproof reports an error that leads to no kind: %s [%s]", d.Message, d.Check)
			continue
		}
		o := outcomes[kind]
		o.errors = append(o.errors, r)
		outcomes[kind] = o
		rejected[kind] = true
	}
	if len(rejected) > 0 {
		return rejected, nil // which may have been the reason for the other
	}
	return nil, stray
}

// collect takes the files and warnings of a run without errors.
func collect(made generator.Result, files map[string]owner, outcomes map[string]outcome) error {
	for _, d := range made.Diagnostics {
		if kind, r := remarkOf(d, files); kind != "" {
			o := outcomes[kind]
			o.warnings = append(o.warnings, r)
			outcomes[kind] = o
		}
	}
	for _, f := range made.Files {
		var crd struct {
			Spec struct{ Names struct{ Kind string } }
		}
		if err := yaml.Unmarshal(f.Data, &crd); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		o := outcomes[crd.Spec.Names.Kind]
		o.crd = f.Data
		outcomes[crd.Spec.Names.Kind] = o
	}
	return nil
}
