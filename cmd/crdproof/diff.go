package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// usualSides are arguments of diff in helps, nameSides is the help if a side has no CRDs.
const (
	usualSides = "v1.2.0:config/crd/bases config/crd/bases"
	nameSides  = "name the files or Go packages of both sides, as in crdproof diff " + usualSides
)

// diffSettings are the flags of diff.
type diffSettings struct {
	serverSettings
	fail      string
	between   bool
	witnesses string
	silences  string
	// objects shows the witnesses, exitZero returns 0 whatever is found.
	objects, exitZero bool
	// variants are the old and the new one of one side, for Go packages.
	variants []string
	// sources is for those of Go packages.
	sources crdSettings
}

func (set *diffSettings) flags(flags *pflag.FlagSet) {
	flags.StringVar(&set.fail, "fail", diff.ClassCreate.String(),
		"the changes that are errors: "+diag.Or(diffClasses())+", each with those before it;\n"+
			"strict also takes unknown answers for errors")
	oneOf(flags, "fail", diffClasses())
	flags.BoolVar(&set.between, "between-versions", false,
		"compare the served versions of each CRD with each other, for conversion None")
	flags.StringVar(&set.witnesses, "witness-dir", "",
		"write the witnesses as suites for crdproof test to this directory")
	flags.StringVar(&set.silences, "silence", "",
		"a file with changes to silence, each with a reason; in Go packages,\n"+
			"the marker crdproof:ignore silences changes, too")
	flags.BoolVar(&set.objects, "show-objects", false,
		"show the object of each no, the line of the CRD, and what to do")
	flags.BoolVar(&set.exitZero, "exit-zero", false, "exit with 0 whatever the changes break, for reports")
	listFlag(flags, &set.variants, "variants", "", "compare two variants of Go packages, the old one first:\n"+
		"channels such as standard,experimental, or variants of the settings")
	newest := kube.Range{First: kube.Latest(), Last: kube.Latest()}
	set.serverSettings.flags(flags, newest, "Kubernetes versions: of a range, the worst answer counts, and findings "+
		"say which\nolder versions answer worse than the last one")
	buildTagsFlag(flags, &set.sources.buildTags)
}

// diffClasses returns the values of --fail.
func diffClasses() (out []string) {
	for _, c := range diff.Classes() {
		out = append(out, c.String())
	}
	return out
}

// run reads both sides, compares the CRDs, and prints what the changes break. It returns the exit code.
func (set *diffSettings) run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int {
	collectLess()
	if problems := set.parse(); len(problems) > 0 {
		return rep.usage(problems...)
	}
	silences, problems := set.silenced(ctx)
	if diag.HasErrors(problems) {
		rep.write(problems)
		return exitUsage
	}
	sides, err := set.sides(ctx, args)
	if err != nil {
		return rep.usage(*err)
	}
	dir, remove, failure := stage.TempDir(ctx, "crdproof-diff-")
	if failure != nil {
		return rep.failed(failure)
	}
	defer remove()
	lists := make([][]crds.CRD, len(sides))
	read := make([]diffSide, len(sides))
	for i, arg := range sides {
		read[i] = set.where(ctx, arg, filepath.Join(dir, fmt.Sprint(i)), stdin, rep)
		if len(set.variants) > 0 {
			read[i].problem = arguments.Select(&read[i].where.CRD, set.variants[i], set.variants...)
		}
	}
	for i := range read {
		problems = append(problems, set.likeFiles(read, i, lists)...)
		list, more := read[i].find(ctx)
		if ctx.Err() != nil {
			return rep.interrupted()
		}
		if problems = append(problems, more...); diag.HasErrors(more) {
			rep.write(problems)
			return exitUsage // 1 is for changes
		}
		list, more = set.likeWritten(ctx, read, i, append(lists[:i:i], list))
		lists[i], problems = list, append(problems, more...)
	}
	report, found := set.compare(ctx, lists, rep.progress())
	found = append(found, set.stale(ctx, read, report, rep)...)
	if ctx.Err() != nil {
		return rep.interrupted()
	}
	problems = slices.Concat(problems, found, report.Apply(append(silences, set.markers(lists)...)))
	if set.witnesses != "" {
		if err := set.writeWitnesses(ctx, report, rep); err != nil {
			return rep.failed(err)
		}
	}
	code := set.print(report, problems, rep)
	if set.exitZero && code == exitFound {
		return exitClean
	}
	return code
}

// policy says what the findings are.
func (set *diffSettings) policy(rep *reporter) *diff.Policy {
	return &diff.Policy{Fail: diff.Classes()[slices.Index(diffClasses(), set.fail)],
		Severities: rep.settings.Severities}
}

// print writes the report in its format, and returns the exit code. The findings about changes and CRDs are in the
// report.
func (set *diffSettings) print(report *diff.Report, others []diag.Diagnostic, rep *reporter) int {
	var err error
	policy, detail := set.policy(rep), diff.Detail{Objects: set.objects, Places: rep.all}
	changes := report.Findings(policy, detail)
	switch rep.format {
	case formatMarkdown:
		err = report.WriteMarkdown(rep.stdout, policy)
	case formatJSON:
		err = report.WriteJSON(rep.stdout, workingDir())
	default:
		rep.brief = !set.objects
		if rep.summarizes() {
			report.WriteSummary(rep.stdout, policy)
		}
		code := rep.write(slices.Concat(others, changes))
		if rep.summarizes() {
			report.WriteText(rep.stdout, detail)
			if rep.brief && report.HasWitness() {
				fmt.Fprintln(rep.stdout, "--show-objects shows an object for each no, and what to do")
			}
		}
		return code
	}
	if err != nil {
		return unwritable(rep.stderr, err)
	}
	// These formats have no room for mistakes that are not about changes.
	if len(others) > 0 {
		if err := diag.Text(rep.stderr, others, rep.textOptions()); err != nil {
			return unwritable(rep.stderr, err)
		}
	}
	return exitCode(slices.Concat(others, changes))
}

// silenced reads the file of --silence.
func (set *diffSettings) silenced(ctx context.Context) ([]*diff.Silence, []diag.Diagnostic) {
	if set.silences == "" {
		return nil, nil
	}
	sources, problems := input.Sources(ctx, []string{set.silences}, nil)
	var out []*diff.Silence
	for _, src := range sources {
		list, found := diff.Silences(src)
		out, problems = append(out, list...), append(problems, found...)
	}
	return out, problems
}

// markers returns the silences in the Go packages of the new side. Versions of one CRD are not changes.
func (set *diffSettings) markers(lists [][]crds.CRD) []*diff.Silence {
	now := lists[len(lists)-1]
	if set.between || len(now) == 0 {
		return nil
	}
	return diff.Markers(now[0].Silences)
}

// sides returns what is compared: old and new, or one side for --between-versions. The new side is the working tree if
// only a revision is named.
func (set *diffSettings) sides(ctx context.Context, args []string) ([]string, *diag.Diagnostic) {
	fail := func(d diag.Diagnostic) ([]string, *diag.Diagnostic) { return nil, &d }
	for i, arg := range args {
		if strings.Contains(arg, "://") {
			return fail(notRead(args, i))
		}
	}
	switch {
	case set.between && len(args) == 1:
		return args, nil
	case len(set.variants) > 0 && (len(set.variants) != 2 || len(args) != 1 || !namesPackages(args[0])):
		return fail(input.Errorf("--variants compares two variants of Go packages").
			Help("write crdproof diff --variants=standard,experimental ./api/..."))
	case len(set.variants) > 0:
		return []string{args[0], args[0]}, nil
	case set.between:
		return fail(input.Errorf("--between-versions compares the versions of one side, but %d are named", len(args)).
			Help("write crdproof diff --between-versions config/crd/bases"))
	case len(args) == 2:
		return args, nil
	case len(args) != 1:
		return fail(input.Errorf("expected the old and the new CRDs, got %s", diag.Counted(len(args), "argument")).
			Help("write crdproof diff main, or crdproof diff %s", usualSides))
	}
	commit, path, ok := input.Revision(args[0])
	old, now, isRange := strings.Cut(args[0], "..")
	switch {
	case isRange && input.IsCommit(ctx, old) && input.IsCommit(ctx, cmp.Or(now, "HEAD")):
		return []string{old, cmp.Or(now, "HEAD")}, nil
	case ok && path != "":
		return []string{args[0], path}, nil
	case ok:
		return []string{commit, ""}, nil
	case input.IsCommit(ctx, args[0]):
		return []string{args[0], ""}, nil
	}
	if _, err := os.Stat(strings.TrimSuffix(args[0], "/...")); err == nil {
		return fail(input.Errorf("%s is one side; name the other one, too", args[0]).
			Help("write the old CRDs first, as in crdproof diff main:%s %s", args[0], args[0]))
	}
	return fail(input.UnknownCommit(ctx, args[0]))
}

// notRead reports an argument that is a URL. The help shows how to pipe it.
func notRead(args []string, i int) diag.Diagnostic {
	write := "curl -fsSL " + args[i]
	if strings.HasPrefix(args[i], "oci://") {
		write = "helm template " + args[i] + " --include-crds"
	}
	piped := []string{"-", "config/crd/bases"}
	if len(args) == 2 {
		piped = slices.Clone(args)
		piped[i] = "-"
	}
	return input.Errorf("%s is a URL; expected files, Go packages or a git revision", args[i]).
		Help("pipe its CRDs, as in %s | crdproof diff %s", write, strings.Join(piped, " "))
}

// A diffSide is where the CRDs of one side are.
type diffSide struct {
	where crds.Where
	// isUsual is set if the CRDs are found where operators keep them.
	isUsual bool
	// dir is the directory of the files of a commit, if they are written to one.
	dir, commit string
	problem     *diag.Diagnostic
}

// where returns where the CRDs of one side are: in files, in a path in a revision, in Go packages, or, for a revision
// and for the working tree, where operators keep them. Files of a revision are written to a directory.
func (set *diffSettings) where(ctx context.Context, arg, dir string, stdin io.Reader, rep *reporter) (out diffSide) {
	out.where, out.problem = set.sources.where(stdin, rep)
	commit, path, isRevision := input.Revision(arg)
	switch {
	case arg == "":
		out.isUsual = true
	case isRevision && !namesPackages(path):
		out.where.Files = []string{arg}
	case isRevision || input.IsCommit(ctx, arg):
		if !isRevision {
			commit, out.isUsual = arg, true
		}
		if err := os.Mkdir(dir, 0o777); err != nil {
			out.problem = new(diag.Errorf(diag.Span{}, input.File, "%s", input.Trouble(err)))
			return out
		}
		out.where.Dir, out.problem = input.Checkout(ctx, commit, dir)
		out.dir, out.commit = dir, commit
		out.where.Usual = inCheckout(out.where.Usual, out.where.Dir)
		if isRevision {
			out.where.Paths = []string{path}
		}
		var found []diag.Diagnostic
		if out.where.CRD.Overlays, found = overlaysIn(out.where.Dir, out.where.CRD.Overlays); len(found) > 0 {
			out.problem = &found[0]
		}
	case namesPackages(arg):
		out.where.Paths = []string{arg}
	default:
		out.where.Files = []string{arg}
	}
	return out
}

// inCheckout returns those files and directories that a revision has: those of its own settings, or else those of
// today's. dir is the working directory in its checkout.
func inCheckout(usual []schema.Text, dir string) (out []schema.Text) {
	if len(usual) == 0 {
		return nil
	}
	has := func(text schema.Text) bool {
		_, problem := crds.Where{Usual: []schema.Text{text}}.Settled()
		return problem == nil
	}
	var then []schema.Text
	if name, _ := config.Find(dir); name != "" {
		if data, err := os.ReadFile(name); err == nil { // what is wrong with old settings does not matter
			old, _ := config.Read(&diag.Source{Path: name, Data: data, Syntax: diag.YAML}, catalog.Checks())
			then = old.CRDs
		}
	}
	for _, text := range usual {
		if rel, err := filepath.Rel(workingDir(), text.V); err == nil && !input.IsRevision(text.V) {
			then = append(then, schema.Text{V: filepath.Join(dir, rel), At: text.At})
		}
	}
	for _, text := range then {
		if has(text) && !slices.ContainsFunc(out, func(t schema.Text) bool { return t.V == text.V }) {
			out = append(out, text)
		}
	}
	return out
}

// find returns the CRDs of the side.
func (s *diffSide) find(ctx context.Context) ([]crds.CRD, []diag.Diagnostic) {
	if s.problem != nil {
		return nil, []diag.Diagnostic{*s.problem}
	}
	list, found := crds.Find(ctx, s.where)
	for i := range found {
		if d := &found[i]; d.HelpText == crds.NameThem { // with flags of other commands
			d.HelpText = nameSides
		}
	}
	if s.dir == "" {
		return list, found
	}
	rename(list, s.dir, s.commit)
	for _, d := range found {
		for i := range d.Notes {
			d.Notes[i] = strings.ReplaceAll(d.Notes[i], s.dir, s.commit)
		}
	}
	return list, found
}

// rename gives files of a revision the names that they have in git.
func rename(list []crds.CRD, dir, commit string) {
	seen := map[*diag.Source]bool{}
	for _, c := range list {
		for _, src := range c.Sources() {
			if src == nil || seen[src] || !input.Within(src.Path, dir) {
				continue
			}
			seen[src] = true
			if data, err := os.ReadFile(src.Path); err == nil && src.Data == nil {
				src.Data = data // the file is removed before its lines are printed
			}
			src.Path = commit + ":" + filepath.ToSlash(diag.Relative(src.Path, dir))
		}
	}
}

// namesPackages reports whether an argument is a pattern of Go packages: it begins with a dot, and does not name
// manifests alone.
func namesPackages(arg string) bool {
	if strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") || arg == "." {
		return !input.IsManifest(arg) && !holdsManifests(arg)
	}
	return false
}

// writeWitnesses writes a suite for each CRD with witnesses.
func (set *diffSettings) writeWitnesses(ctx context.Context, report *diff.Report, rep *reporter) error {
	bounds, err := target.In(set.witnesses)
	if err != nil {
		return err
	}
	defer bounds.Close()
	files := report.Suites()
	for i := range files {
		files[i].Path = filepath.Join(set.witnesses, files[i].Path)
	}
	_, err = writeAll(ctx, bounds, files, nil, rep.stdout, rep.progress())
	return err
}
