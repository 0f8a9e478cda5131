package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/crdproof/crdproof/testdata/parity/harness"
	"github.com/rogpeppe/go-internal/diff"
)

// checkAnnotation runs both tools with the annotation that names the tool, and returns an error unless crdproof writes
// controller-gen's files: those of a project that switches do not change. One case is enough: the annotation does not
// depend on the API.
func checkAnnotation(ctx context.Context, tools harness.Tools, parityDir, work string, c harness.Case) error {
	job := harness.Job{
		Tool:    tools.ControllerGen,
		Dir:     c.WorkDir(parityDir),
		Options: c.Options,
		Paths:   c.Paths,
		Out:     filepath.Join(work, "annotation", "controller-gen"),
	}
	want, output, err := runJob(ctx, job)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	job.Tool = tools.Crdproof
	job.Options = append([]string{"compat=controller-gen", "versionAnnotation=controller-gen"}, c.Options...)
	job.Out = filepath.Join(work, "annotation", "crdproof")
	got, output, err := runJob(ctx, job)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	var faults []error
	for _, name := range unionOfNames(want, got) {
		if d := diff.Diff("controller-gen", want[name], "crdproof", got[name]); d != nil {
			faults = append(faults, fmt.Errorf("%s:\n%s", name, firstLines(d)))
		}
	}
	return errors.Join(faults...)
}
