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

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/testdata/circle/program"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// outcome is what crdproof made of one kind.
type outcome struct {
	// crd is the file; nil where it was refused.
	crd []byte
	// errors and warnings are what it said of the kind's file.
	errors, warnings []diag.Diagnostic
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
		files := map[string]string{} // path to kind
		config := generator.Config{Dir: dir, CRD: generator.Options{
			AllowDangerousTypes: first.options.AllowDangerousTypes, GenerateEmbeddedObjectMeta: first.options.GenerateEmbeddedObjectMeta,
		}}
		for _, b := range batches {
			if b.options != first.options {
				continue
			}
			config.Paths = append(config.Paths, "./"+b.kinds[0].Package)
			for _, k := range b.kinds {
				files[filepath.Join(dir, program.FileName(k))] = k.Name
			}
		}
		if err := runUntilClean(ctx, config, files, outcomes); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// runUntilClean takes away the files with errors and runs again, until there are none.
func runUntilClean(ctx context.Context, config generator.Config, files map[string]string, outcomes map[string]outcome) error {
	for range 10 {
		made, err := generator.Run(ctx, config)
		if err != nil {
			return err
		}
		refused, elsewhere := refusals(made.Diagnostics, files, outcomes)
		if len(refused) == 0 && elsewhere != nil {
			return fmt.Errorf("crdproof reports an error that leads to no kind: %s [%s]", elsewhere.Message, elsewhere.Rule)
		}
		if len(refused) == 0 {
			return collect(made, files, outcomes)
		}
		for path := range refused {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("crdproof finds new errors again and again")
}

// refusals adds errors to the outcomes and returns the files of their kinds. An error in a library stands at the field that
// leads there, too, or at least speaks of the kind; elsewhere is one that does neither.
func refusals(list []diag.Diagnostic, files map[string]string, outcomes map[string]outcome) (refused map[string]bool, elsewhere *diag.Diagnostic) {
	refused = map[string]bool{}
	for i, d := range list {
		if d.Severity == diag.Warning {
			continue
		}
		path := ""
		if d.Span.IsValid() {
			path = d.Span.Source.Path
		}
		if files[path] == "" {
			path = mentioned(d, files)
			d.Span = diag.Span{} // which is no position in the kind's file
		}
		name := files[path]
		if name == "" {
			elsewhere = &list[i]
			continue
		}
		o := outcomes[name]
		o.errors = append(o.errors, d)
		outcomes[name] = o
		refused[path] = true
	}
	return refused, elsewhere
}

// mentioned returns the file of the kind that a diagnostic speaks of.
func mentioned(d diag.Diagnostic, files map[string]string) string {
	notes := strings.Join(d.Notes, " ")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if strings.Contains(notes, files[path]) {
			return path
		}
	}
	return ""
}

// collect takes the files and warnings of a run without errors.
func collect(made generator.Result, files map[string]string, outcomes map[string]outcome) error {
	for _, d := range made.Diagnostics {
		if !d.Span.IsValid() {
			continue
		}
		if name := files[d.Span.Source.Path]; name != "" {
			o := outcomes[name]
			o.warnings = append(o.warnings, d)
			outcomes[name] = o
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
