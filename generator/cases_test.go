package generator_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/controller-tools/pkg/version"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
)

var update = flag.Bool("update", false, "rewrite what the cases expect")

const (
	casesDir = "../testdata/generate"
	// caseModule is the module that all cases lie in: case a/b has the packages caseModule/a/b/….
	caseModule = "crd.test"
)

// A testCase is one txtar file of testdata/generate. Its comment describes the case in a few words, followed by lines
// "key: value":
//
//	options:      options of crd:, as on the command line; descriptions are dropped unless maxDescLen is given
//	descriptions: "whole" retains descriptions
//	paths:        packages to read; the default is "./..."
//	show:         parts of the files to compare: "spec" (the default) is the schema of spec, "versions" is all
//	              versions, "files" is everything, "nothing" is for cases with diagnostics only
//	kind:         "none" if the usual kind must not be added
//	oracle:       "refuses" or "panics" if controller-gen rejects the input or panics and crdproof does not, and
//	              "accepts" if only crdproof rejects it; "differs" if controller-gen's files are useless; "varies" if
//	              they differ between runs, so that they cannot be compared
//	deviates:     names of the deviations in which the files differ from those under compat=controller-gen
//	known:        a bug of crdproof; the case is skipped until it is fixed
//
// Then follow the Go files, samples/… (objects with the answers of an API server; package internal/writetest
// describes the format), and the expected results: want/… for the parts that show names, and want/diagnostics.
type testCase struct {
	name    string // path below testdata/generate, without .txtar
	archive *txtar.Archive
	header  map[string]string
	dir     string // where its files are written
	listed  *caseList
}

func headerKeys() []string {
	return []string{"options", "descriptions", "paths", "show", "kind", "oracle", "deviates", "known"}
}

// TestCases compares each case with what it expects and, under compat=controller-gen, with the output of
// controller-gen itself for the same source.
func TestCases(t *testing.T) {
	cases := readCases(t)
	root := t.TempDir()
	writeCases(t, root, cases)
	oracle := &oracle{root: root}
	var ran atomic.Int32
	var alone sync.Map // the deviations that a case shows to be the only one between its files and controller-gen's
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			defer ran.Add(1)
			if name := c.run(t, oracle); name != "" {
				alone.Store(name, true)
			}
		})
	}
	t.Cleanup(func() { // after all cases
		for _, name := range lower.DeviationNames() {
			if _, ok := alone.Load(name); !ok && int(ran.Load()) == len(cases) {
				t.Errorf("no case has the files of controller-gen with without=%s alone", name)
			}
		}
	})
}

func readCases(t testing.TB) []*testCase {
	t.Helper()
	var out []*testCase
	err := filepath.WalkDir(casesDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(casesDir, path)
		if err != nil {
			return err
		}
		c := &testCase{name: strings.TrimSuffix(filepath.ToSlash(rel), ".txtar"), archive: archive}
		out = append(out, c)
		return c.readHeader()
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (c *testCase) readHeader() error {
	c.header = map[string]string{}
	prose := false
	for line := range strings.Lines(string(c.archive.Comment)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case ok && slices.Contains(headerKeys(), key):
			c.header[key] = strings.TrimSpace(value)
		case strings.TrimSpace(line) != "":
			prose = true
		}
	}
	if !prose {
		return fmt.Errorf("%s: the comment does not say what the case shows", c.name)
	}
	return nil
}

// source returns the Go files of the case, and whatever else is to be written.
func (c *testCase) source() []txtar.File {
	var out []txtar.File
	for _, f := range c.archive.Files {
		if !strings.HasPrefix(f.Name, "want/") && !strings.HasPrefix(f.Name, "samples/") {
			out = append(out, f)
		}
	}
	if c.header["kind"] != "none" && !c.declaresKind() {
		out = append(out, txtar.File{Name: "v1/kind.go", Data: []byte(moduletest.Kind("example"))})
	}
	return out
}

// declaresKind says whether the case has a kind of its own.
func (c *testCase) declaresKind() bool {
	return slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool {
		own := !strings.HasPrefix(f.Name, "want/") && !strings.HasPrefix(f.Name, "samples/")
		return own && bytes.Contains(f.Data, []byte("TypeMeta")) && bytes.Contains(f.Data, []byte("ObjectMeta"))
	})
}

// writeCases writes all cases into one module with the requirements of the module of this test, so that they need one
// call of the go command, and another one for the oracle.
func writeCases(t testing.TB, root string, cases []*testCase) {
	t.Helper()
	moduletest.Write(t, root, caseModule, nil)
	listed := &caseList{root: root}
	for _, c := range cases {
		c.listed = listed
		c.dir = filepath.Join(root, filepath.FromSlash(c.name))
		for _, f := range c.source() {
			writeFile(t, filepath.Join(c.dir, filepath.FromSlash(f.Name)), f.Data)
		}
	}
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func (c *testCase) paths() []string {
	if p := c.header["paths"]; p != "" {
		return strings.Fields(p)
	}
	return []string{"./..."}
}

// options reads the options line with the grammar of the command line.
func (c *testCase) options(t testing.TB) generator.Options {
	t.Helper()
	zero := 0
	opts := generator.Options{Options: lower.Options{MaxDescLen: &zero}}
	if c.header["descriptions"] == "whole" {
		opts.MaxDescLen = nil
	}
	text := c.header["options"]
	if text == "" {
		return opts
	}
	text = strings.ReplaceAll(text, "$CASE", c.dir)
	line := arguments.Line{Options: []string{"crd:" + text}, Checks: catalog.Checks()}
	plan, problems := arguments.Parse(line)
	if len(problems) > 0 {
		t.Fatalf("cannot read options %q: %v", text, problems)
	}
	maxDescLen := opts.MaxDescLen
	opts = *plan.Find(arguments.CRD).CRD
	opts.MaxDescLen = cmp.Or(opts.MaxDescLen, maxDescLen)
	return opts
}

func (c *testCase) config(opts generator.Options) generator.Config {
	return generator.Config{Dir: c.dir, Paths: c.paths(), BuildTags: []string{"ignore_autogenerated"}, Env: moduletest.Env(),
		CRD: opts}
}

// list finds the packages of the case: once for all runs of it.
func (c *testCase) list(t testing.TB) *load.Listing {
	t.Helper()
	listing, err := generator.List(context.Background(), c.config(generator.Options{}), c.listed.load)
	if err != nil {
		t.Fatal(err)
	}
	return listing
}

func (c *testCase) generate(t testing.TB, listing *load.Listing, opts generator.Options) generator.Result {
	t.Helper()
	once := compiledOnce{}
	opts.Validation.Trace = once.trace
	result := generator.RunListed(listing, c.config(opts))
	once.check(t)
	if diag.HasErrors(result.Diagnostics) && len(result.Files) > 0 {
		t.Errorf("%d files are written in spite of errors", len(result.Files))
	}
	return result
}

// run returns the deviation that is alone between the files of the case and those of controller-gen, or "".
func (c *testCase) run(t *testing.T, oracle *oracle) (alone string) {
	if known := c.header["known"]; known != "" {
		t.Skip("known: " + known)
	}
	opts := c.options(t)
	opts.Deviations = true
	listing := c.list(t)
	result := c.generate(t, listing, opts)
	checkWarnings(t, result.Diagnostics)
	c.compareGolden(t, result)
	compareSizes(t, result.Files)
	c.trySamples(t, result.Files)
	if !opts.Compat {
		plain := opts
		plain.Compat, plain.Tolerate, plain.Unproved, plain.Policy = true, true, true, check.Policy{}
		compat := c.generate(t, listing, plain)
		checkWarnings(t, compat.Diagnostics)
		c.compareModes(t, result, compat)
		c.compareWithout(t, listing, opts, compat)
		alone = c.compareWithoutOne(t, listing, opts, result, compat)
		c.compareOptional(t, listing, opts, result)
	}
	c.compareOracle(t, oracle, c.generate(t, listing, asControllerGen(opts)))
	return alone
}

// asControllerGen returns the options for the bytes of controller-gen, with its annotation and without what only
// crdproof has.
func asControllerGen(opts generator.Options) generator.Options {
	opts.Compat, opts.Tolerate, opts.Unproved = true, true, true
	opts.VersionAnnotation, opts.ToolVersion = crd.ControllerGenAnnotation, version.Version()
	opts.Descriptions, opts.Policy = describe.Options{}, check.Policy{}
	return opts
}

// compareGolden compares the result with the case's want sections, or rewrites them.
func (c *testCase) compareGolden(t *testing.T, result generator.Result) {
	t.Helper()
	got := c.expectations(t, result)
	if *update {
		c.rewrite(t, got)
		return
	}
	for _, f := range c.archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			continue
		}
		if !slices.ContainsFunc(got, func(g txtar.File) bool { return g.Name == f.Name }) {
			t.Errorf("%s is expected, but not made", f.Name)
		}
	}
	for _, g := range got {
		i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == g.Name })
		switch {
		case i < 0:
			t.Errorf("%s is not expected:\n%s", g.Name, g.Data)
		case !bytes.Equal(c.archive.Files[i].Data, g.Data):
			t.Errorf("%s differs: %s", g.Name, difference(c.archive.Files[i].Data, g.Data))
		}
	}
}

// expectations renders a result as want sections.
func (c *testCase) expectations(t *testing.T, result generator.Result) []txtar.File {
	t.Helper()
	var out []txtar.File
	add := func(name string, data []byte) {
		if len(data) > 0 && data[len(data)-1] != '\n' {
			data = append(data, '\n')
		}
		out = append(out, txtar.File{Name: "want/" + name, Data: data})
	}
	for _, f := range result.Files {
		switch show := c.header["show"]; show {
		case "", "spec":
			if len(result.Files) > 1 || bytes.Count(f.Data, []byte("\n      openAPIV3Schema:")) != 1 {
				t.Fatal("there are several schemas of spec: the case needs a line show:")
			}
			add("spec.yaml", subtree(f.Data, 10, "spec"))
		case "versions":
			add(strings.TrimSuffix(f.Path, ".yaml")+"/versions.yaml", subtree(f.Data, 2, "versions"))
		case "files":
			add(f.Path, f.Data)
		case "nothing":
		default:
			t.Fatalf("unknown value of show: %q", show)
		}
	}
	if text := c.render(t, result.Diagnostics); text != "" {
		add("diagnostics", []byte(text))
	}
	return out
}

// render renders diagnostics as a terminal shows them; the other formats must not fail either.
func (c *testCase) render(t testing.TB, list []diag.Diagnostic) string {
	t.Helper()
	root := strings.TrimSuffix(c.dir, filepath.FromSlash("/"+c.name))
	text := strings.ReplaceAll(renderAll(t, list, c.dir), root, "/module")
	cache, err := moduleCache()
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(text, cache, "/modules")
}

// moduleCache is the directory of the libraries' sources.
var moduleCache = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	return strings.TrimSpace(string(out)), err
})

// subtree cuts the value of a key with this indentation out of YAML, and removes the indentation.
func subtree(data []byte, indent int, key string) []byte {
	var out bytes.Buffer
	prefix := strings.Repeat(" ", indent)
	inside := false
	for line := range strings.Lines(string(data)) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case !inside:
			rest, ok := strings.CutPrefix(bare, prefix+key+":")
			if inside = ok; ok && rest != "" {
				return []byte(strings.TrimSpace(rest) + "\n")
			}
		case bare == "":
			out.WriteString("\n")
		case strings.HasPrefix(line, prefix+"  ") || strings.HasPrefix(line, prefix+"- "):
			if out.Len() == 0 && line[indent] != '-' {
				indent += 2
			}
			out.WriteString(line[indent:])
		default:
			return out.Bytes()
		}
	}
	return out.Bytes()
}

func (c *testCase) rewrite(t *testing.T, want []txtar.File) {
	t.Helper()
	kept := slices.DeleteFunc(slices.Clone(c.archive.Files),
		func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	archive := &txtar.Archive{Comment: c.archive.Comment, Files: append(kept, want...)}
	path := filepath.Join(casesDir, filepath.FromSlash(c.name)+".txtar")
	if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compareModes makes sure that each deviation from controller-gen is intended: the case names it, and so does the
// result.
func (c *testCase) compareModes(t *testing.T, result, compat generator.Result) {
	t.Helper()
	if diag.HasErrors(result.Diagnostics) || diag.HasErrors(compat.Diagnostics) {
		return
	}
	differ := !equalFiles(result, compat)
	if len(compat.Deviations) > 0 {
		t.Errorf("deviations under compat=controller-gen: %v", compat.Deviations)
	}
	if reported := strings.Join(deviationNames(result), " "); reported != c.header["deviates"] {
		t.Errorf("the case should say deviates: %s", reported)
	}
	for _, name := range deviationNames(result) {
		if !slices.ContainsFunc(result.Deviations, func(d diag.Diagnostic) bool {
			return d.Check == name && len(d.Notes) > 0
		}) {
			t.Errorf("no note of %s says what differs", name)
		}
	}
	if says := c.header["deviates"] != ""; says != differ {
		t.Errorf("files differ from those under compat=controller-gen: %t, but the case says %t", differ, says)
	}
}

// compareWithout makes sure that the files are those under compat=controller-gen if all deviations are switched off by
// name, and if only those are that a run reports: at first those of the case, then those that appear in their place.
// Short tests only do so with the cases that deviate.
func (c *testCase) compareWithout(t *testing.T, listing *load.Listing, opts generator.Options,
	compat generator.Result) {
	t.Helper()
	if diag.HasErrors(compat.Diagnostics) || testing.Short() && c.header["deviates"] == "" {
		return
	}
	opts = leniently(opts)
	all := lower.DeviationNames()
	for _, names := range [][]string{all, strings.Fields(c.header["deviates"])} {
		opts.Without = names
		result := c.generate(t, listing, opts)
		for more := deviationNames(result); len(more) > 0 && len(opts.Without) < len(all); more = deviationNames(result) {
			opts.Without = append(slices.Clone(opts.Without), more...)
			result = c.generate(t, listing, opts)
		}
		if diag.HasErrors(result.Diagnostics) {
			continue
		}
		if !equalFiles(result, compat) {
			t.Errorf("without %s the files differ from those under compat=controller-gen:%s", strings.Join(opts.Without, ";"),
				firstDifference(compat.Files, result.Files))
		}
	}
}

// leniently returns the options for files in spite of all findings, such as those that compat=controller-gen writes.
func leniently(opts generator.Options) generator.Options {
	opts.Unproved, opts.Declarative, opts.Tolerate, opts.Policy = true, false, true, check.Policy{}
	return opts
}

// compareWithoutOne switches each deviation of the case off alone: the files change, and the deviation is no longer
// reported. It returns the deviation if it is the only one of the case, so that the files are those of compat.
func (c *testCase) compareWithoutOne(t *testing.T, listing *load.Listing, opts generator.Options, result,
	compat generator.Result) (alone string) {
	t.Helper()
	names := deviationNames(result)
	if len(names) == 0 || diag.HasErrors(compat.Diagnostics) || diag.HasErrors(result.Diagnostics) {
		return ""
	}
	for _, name := range names {
		opts := leniently(opts)
		opts.Without = append(slices.Clone(opts.Without), name)
		without := c.generate(t, listing, opts)
		switch {
		case diag.HasErrors(without.Diagnostics):
		case slices.Contains(deviationNames(without), name):
			t.Errorf("without=%s, the deviation is still reported", name)
		case len(names) == 1 && equalFiles(without, compat):
			return name
		case len(names) == 1 && len(without.Deviations) == 0:
			t.Errorf("without=%s, files differ from controller-gen's, but no deviation says how", name)
		}
	}
	return ""
}

// compareOptional switches all optional deviations on: the files change if and only if one of them is reported.
func (c *testCase) compareOptional(t *testing.T, listing *load.Listing, opts generator.Options, result generator.Result) {
	t.Helper()
	opts = leniently(opts)
	if opts.Extra != nil || diag.HasErrors(result.Diagnostics) {
		return
	}
	opts.Extra = slices.DeleteFunc(lower.DeviationNames(), func(name string) bool { return !lower.IsOptional(name) })
	with := c.generate(t, listing, opts)
	opts.Extra = nil
	plain := c.generate(t, listing, opts)
	if diag.HasErrors(with.Diagnostics) {
		return
	}
	if reports := slices.ContainsFunc(deviationNames(with), lower.IsOptional); reports == equalFiles(with, plain) {
		t.Errorf("with all optional deviations: one is reported: %t, files differ: %t", reports, !reports)
	}
	if slices.ContainsFunc(deviationNames(plain), lower.IsOptional) {
		t.Errorf("without with, an optional deviation is reported: %v", deviationNames(plain))
	}
}

// equalFiles reports whether two results have the same files.
func equalFiles(a, b generator.Result) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b emit.File) bool {
		return a.Path == b.Path && bytes.Equal(a.Data, b.Data)
	})
}

// deviationNames are the names of the deviations that a result reports, each once.
func deviationNames(result generator.Result) []string {
	var names []string
	for _, d := range result.Deviations {
		names = append(names, d.Check)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// firstDifference shows the first of two lists' files that differ.
func firstDifference(want, got []emit.File) string {
	for i := range want {
		if i >= len(got) || want[i].Path != got[i].Path {
			return " " + want[i].Path + " is missing"
		}
		if !bytes.Equal(want[i].Data, got[i].Data) {
			return " " + want[i].Path + difference(want[i].Data, got[i].Data)
		}
	}
	return " there are more"
}

// compareOracle compares the files made under compat=controller-gen with controller-gen's own.
func (c *testCase) compareOracle(t *testing.T, oracle *oracle, compat generator.Result) {
	t.Helper()
	if c.header["oracle"] == "varies" {
		return
	}
	want := oracle.run(t, c)
	accepted := !diag.HasErrors(compat.Diagnostics)
	expect := ""
	switch {
	case accepted:
		expect = want.verdict
	case want.verdict == "":
		expect = "accepts"
	}
	differs := c.header["oracle"] == "differs" && expect == ""
	if says := c.header["oracle"]; says != expect && !differs {
		t.Errorf("the case should say oracle: %q, but says %q\ncontroller-gen: %q\ncrdproof:\n%s", expect, says,
			want.messages, c.render(t, compat.Diagnostics))
	}
	if expect != "" || !accepted {
		return
	}
	got := map[string][]byte{}
	for _, f := range compat.Files {
		got[f.Path] = f.Data
	}
	if differs {
		if maps.EqualFunc(got, want.files, bytes.Equal) {
			t.Error("the files are controller-gen's, but the case says oracle: differs")
		}
		return
	}
	for _, f := range compat.Files {
		if want.files[f.Path] == nil {
			t.Errorf("controller-gen does not write %s", f.Path)
		}
	}
	for name, data := range want.files {
		if !bytes.Equal(data, got[name]) {
			t.Errorf("%s is not controller-gen's: %s", name, difference(data, got[name]))
		}
	}
}

// difference shows two texts, beginning a few lines before the first difference.
func difference(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range max(len(w), len(g)) {
		if i < len(w) && i < len(g) && w[i] == g[i] {
			continue
		}
		part := func(lines []string) string {
			return strings.Join(lines[min(max(0, i-4), len(lines)):min(i+8, len(lines))], "\n")
		}
		return fmt.Sprintf("line %d\nwant:\n%s\ngot:\n%s", i+1, part(w), part(g))
	}
	return ""
}

// renderAll renders diagnostics in all formats, and returns the text.
func renderAll(t testing.TB, list []diag.Diagnostic, dir string) string {
	t.Helper()
	var text, other bytes.Buffer
	if err := diag.Text(&text, list, diag.TextOptions{Dir: dir}); err != nil {
		t.Error(err)
	}
	if err := diag.JSON(&other, list, 0, dir); err != nil {
		t.Error(err)
	}
	if err := diag.SARIF(&other, list, diag.SARIFOptions{Root: dir,
		Describe: func(string) diag.CheckDoc { return diag.CheckDoc{} }}); err != nil {
		t.Error(err)
	}
	if err := diag.GitHub(&other, list, dir); err != nil {
		t.Error(err)
	}
	return text.String()
}

// checkWarnings makes sure that the table knows of every mistake that may be a warning: those can be ignored. A finding
// that the table calls a warning is one whatever finds it, in Go as in YAML.
func checkWarnings(t *testing.T, found []diag.Diagnostic) {
	t.Helper()
	for _, d := range found {
		c := generator.Checks().Of(d.Check)
		if d.Severity != diag.Error && !c.Verdict && !c.CanWarn() {
			t.Errorf("the row of %s needs MayWarn: %s", d.Check, d.Message)
		}
		if ofCRD := rules.Checks().Of(d.Check); d.Severity == diag.Error && ofCRD != nil && ofCRD.Severity != diag.Error {
			t.Errorf("%s is a warning in a CRD from YAML: %s", d.Check, d.Message)
		}
	}
}
