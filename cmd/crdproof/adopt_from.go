package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/internal/cli/adopt"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/translate"
	"github.com/crdproof/crdproof/internal/input"
)

// overlayName is the name of the file that adopt --from writes, beside the settings file.
const overlayName = "overlay.yaml"

// A translation is a run of adopt --from.
type translation struct {
	adoption
	shipped []translate.Shipped
	// generators are the calls that generate CRDs.
	generators []typesCall
	// hasOverlays is set if one of them has overlays already.
	hasOverlays bool
}

// A typesCall generates the CRDs of packages in a directory of the repository.
type typesCall struct {
	dir  string
	plan arguments.Plan
}

// translate prints or writes the overlay file that makes the CRDs of Go types those that ship.
func (set *adoptSettings) translate(ctx context.Context, args []string, rep *reporter) int {
	t := &translation{adoption: adoption{set: set, rep: rep, root: workingDir()}}
	var problems []diag.Diagnostic
	if t.shipped, problems = translate.Read(ctx, set.from); len(problems) == 0 {
		problems = t.parse(ctx, args)
	}
	if len(problems) > 0 {
		return rep.usage(problems...)
	}
	report, problems := t.compare(ctx)
	switch {
	case ctx.Err() != nil:
		return rep.interrupted()
	case len(problems) > 0:
		return rep.write(problems)
	case len(report.Untyped) == len(t.shipped):
		return rep.usage(input.Errorf("the packages declare none of the kinds of %s", diag.And(set.from)).
			Help("name the packages with their Go types: paths=./api/..."))
	}
	return t.finish(ctx, report)
}

// compare compares what is generated with what ships. If that differs, it makes an overlay, and compares again.
func (t *translation) compare(ctx context.Context) (*translate.Report, []diag.Diagnostic) {
	made, problems := t.generate(ctx, nil)
	isOther := func(d diag.Diagnostic) bool { return d.Check != overlay.Mistake.ID }
	isStale := t.hasOverlays && len(problems) > 0 && !slices.ContainsFunc(problems, isOther)
	if len(problems) > 0 && !isStale || ctx.Err() != nil {
		return nil, problems
	}
	report := &translate.Report{Comparison: translate.Compare(made, t.shipped)}
	if isStale || len(report.Different) > 0 && t.hasOverlays {
		if made, problems = t.generate(ctx, &overlay.Set{}); len(problems) > 0 || ctx.Err() != nil {
			return nil, problems
		}
	}
	pairs, untyped := translate.Pairs(made, t.shipped)
	if report.Untyped = untyped; len(report.Different) == 0 && !isStale {
		return report, nil
	}
	report.Translation = overlay.Translate(ctx, pairs)
	if report.Data != nil && ctx.Err() == nil {
		set, problems := overlay.Read([]*diag.Source{{Path: t.overlayPath(), Data: report.Data}})
		if len(problems) > 0 {
			return nil, problems
		}
		if made, problems = t.generate(ctx, set); len(problems) > 0 || ctx.Err() != nil {
			return nil, problems
		}
	}
	report.Comparison = translate.Compare(made, t.shipped)
	return report, nil
}

// parse finds the calls that generate the CRDs: that of the command line, or those of controller-gen in the repository.
func (t *translation) parse(ctx context.Context, args []string) []diag.Diagnostic {
	if len(args) > 0 {
		return t.add(".", args)
	}
	found, err := adopt.Find(ctx, t.root)
	if err != nil {
		return []diag.Diagnostic{fileTrouble(err)}
	}
	var problems []diag.Diagnostic
	for _, c := range found.Calls {
		if !c.Writes() {
			continue
		}
		err := t.in(c.Dir, func() error {
			problems = append(problems, t.add(c.Dir, c.Words)...)
			return nil
		})
		if err != nil {
			problems = append(problems, fileTrouble(err))
		}
	}
	if len(t.generators)+len(problems) > 0 {
		return problems
	}
	d := input.Errorf("found no call of controller-gen that writes CRDs").
		Help("write the options that generate them: crdproof adopt --from=%s paths=./api/...", t.set.from[0])
	if found.Done != "" {
		d = d.Note("%s calls crdproof already: write its options", found.Done)
	}
	return []diag.Diagnostic{d}
}

// add adds the call with some options, which the working directory has.
func (t *translation) add(dir string, words []string) []diag.Diagnostic {
	plan, problems := arguments.Parse(t.line(asOptions(words), t.rep.settings))
	problems = diag.Errors(append(problems, arguments.CheckPaths("paths", plan.Paths)...))
	if len(problems) == 0 {
		opts := plan.Find(arguments.CRD).CRD
		opts.Compat = opts.Compat || t.set.compat && t.rep.settings.Source == nil
		opts.Tolerate = true
		t.hasOverlays = t.hasOverlays || len(opts.Overlays.Files()) > 0
		t.generators = append(t.generators, typesCall{dir, plan})
	}
	return problems
}

// generate makes the CRDs of the Go types, with other overlays if set is not nil.
func (t *translation) generate(
	ctx context.Context, set *overlay.Set,
) (out []translate.Generated, problems []diag.Diagnostic) {
	for _, call := range t.generators {
		err := t.in(call.dir, func() error {
			opts := *call.plan.Find(arguments.CRD).CRD
			if set != nil {
				opts.Overlays = set
			}
			made, err := generator.CRDs(ctx, generator.Config{Paths: call.plan.Paths, BuildTags: t.set.buildTags,
				CRD: opts, Progress: t.rep.progress()})
			if err != nil {
				problems = append(problems, load.Problem(err))
				return nil
			}
			problems = append(problems, diag.Errors(opts.Policy.Apply(made.Diagnostics))...)
			for _, s := range made.CRDs {
				out = append(out, translate.Generated{CRD: s.CRD, Header: opts.Header})
			}
			return nil
		})
		if err != nil {
			problems = append(problems, fileTrouble(err))
		}
	}
	return out, problems
}

// overlayPath returns the path of the file: beside the settings file, or in the root.
func (t *translation) overlayPath() string {
	if t.rep.settings.Source != nil {
		return filepath.Join(t.rep.settings.Dir, overlayName)
	}
	return filepath.Join(t.root, overlayName)
}

// finish prints the file and the report, or writes the file and names it in the settings.
func (t *translation) finish(ctx context.Context, report *translate.Report) int {
	if t.set.write && report.Data != nil {
		if problems := t.addFiles(report.Data); len(problems) > 0 {
			return t.rep.nothingWritten(problems)
		}
	} else if _, err := t.rep.stdout.Write(report.Data); err != nil {
		return t.rep.failed(err)
	}
	if err := report.Write(t.rep.stderr); err != nil {
		return t.rep.failed(err)
	}
	if code := t.writeFiles(ctx); code != exitClean || report.IsWhole() {
		return code
	}
	return exitFound
}

// addFiles adds the overlay, and the settings file with its name.
func (t *translation) addFiles(data []byte) []diag.Diagnostic {
	if t.hasOverlays {
		return []diag.Diagnostic{input.Errorf("the option overlay names a file already").
			Help("remove the option to write %s in its place, or run the command without --write", overlayName)}
	}
	if _, err := os.Lstat(t.overlayPath()); err == nil {
		return []diag.Diagnostic{input.Errorf("%s exists", input.Shown(t.overlayPath())).
			Help("remove it, or run the command without --write")}
	}
	t.files = []emit.File{{Path: t.overlayPath(), Data: data}}
	src := t.rep.settings.Source
	if src == nil {
		options := [][2]string{{"overlay", overlayName}}
		if t.set.compat {
			options = slices.Concat([][2]string{{"compat", "controller-gen"}, {"versionAnnotation", t.annotation()}},
				options)
		}
		t.files = append(t.files, emit.File{Path: filepath.Join(t.root, config.Name), Data: adopt.SettingsOf(options)})
		return nil
	}
	settings := translate.WithOverlay(src.Data, overlayName)
	if settings == nil {
		return []diag.Diagnostic{diag.Errorf(diag.At(src, 0, 0), config.Mistake,
			"the layout of the file leaves no room for the option overlay").
			Help("add overlay: %s to crd, and write what the command prints without --write into that file",
				overlayName)}
	}
	t.files = append(t.files, emit.File{Path: src.Path, Data: settings})
	return nil
}

// annotation returns the option for the annotation that the CRDs have.
func (t *translation) annotation() string {
	for _, s := range t.shipped {
		for _, kv := range s.CRD.Annotations {
			if kv.Key == crd.ControllerGenAnnotation {
				return "controller-gen@" + kv.Value
			}
		}
	}
	return "controller-gen"
}
