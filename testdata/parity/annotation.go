package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/crdproof/crdproof/testdata/parity/harness"
	"github.com/rogpeppe/go-internal/diff"
)

// The line of each tool's annotation.
var (
	theirAnnotation = regexp.MustCompile(`(?m)^    controller-gen\.kubebuilder\.io/version: \S+\n`)
	ourAnnotation   = regexp.MustCompile(`(?m)^    crdproof\.dev/version: \S+\n`)
)

// checkAnnotation runs both tools as a user does, without omitToolVersion, and returns an error unless the line that
// names the tool is there once and is the only difference. One case is enough: the line does not depend on the API.
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
	job.Options = append([]string{"compat=controller-gen"}, c.Options...)
	job.Out = filepath.Join(work, "annotation", "crdproof")
	got, output, err := runJob(ctx, job)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}

	var faults []error
	for _, name := range unionOfNames(want, got) {
		if n := len(ourAnnotation.FindAll(got[name], -1)); n != 1 {
			faults = append(faults, fmt.Errorf("%s: %d lines name crdproof's version, not 1", name, n))
			continue
		}
		w := theirAnnotation.ReplaceAll(want[name], nil)
		g := ourAnnotation.ReplaceAll(got[name], nil)
		if d := diff.Diff("controller-gen", w, "crdproof", g); d != nil {
			faults = append(faults, fmt.Errorf("%s:\n%s", name, firstLines(d)))
		}
	}
	return errors.Join(faults...)
}
