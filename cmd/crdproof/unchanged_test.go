package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var changes = flag.Int("changes", 0, "how many random changes TestUnchanged makes; 0 is a small number")

// TestUnchanged makes random changes to everything that a run reads. After each, a run with a cache must write and
// print the same as a run without one.
func TestUnchanged(t *testing.T) {
	n := *changes
	switch {
	case n > 0:
	case testing.Short():
		n = 20
	default:
		n = 60
	}
	w := newWorld(t)
	reused := 0
	for i := range n {
		var made []string
		for range 1 + w.random.IntN(2) {
			made = append(made, w.change())
		}
		for range 1 + w.random.IntN(3) { // the second run may find what the first has stored
			args := w.command()
			time.Sleep(25 * time.Millisecond) // what has changed a moment ago is not stored
			got, hit := w.run(args, true)
			if hit {
				reused++
			} else if w.random.IntN(10) > 0 {
				continue // the result is that of a run
			}
			want, _ := w.run(args, false)
			if got != want {
				t.Fatalf("change %d, %s: %s\nresult from the cache: %v\n--- with a cache\n%s\n--- without\n%s", i,
					strings.Join(made, ", "), strings.Join(args, " "), hit, got, want)
			}
		}
	}
	t.Logf("%d results are from the cache", reused)
	if reused < n/4 {
		t.Errorf("only %d results after %d changes are from the cache", reused, n)
	}
}

// TestEachChange makes each change alone, after a run that was stored. If its result is from the cache, it must be that
// of a run without one. When the change is undone, the first result is found again.
func TestEachChange(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs hundreds of times; TestUnchanged makes some of the changes")
	}
	w := newWorld(t)
	for _, command := range []string{
		"crd:overlay=overlay.yaml paths=./api/v1 output:dir=OUT",
		"rbac:roleName=x,headerFile=header.txt crd:headerFile=header.txt,declarativeFormats=formats.yaml " +
			"helpers:headerFile=header.txt paths=./...;./testdata/formatted output:dir=OUT",
	} {
		args := strings.Fields(command)
		time.Sleep(50 * time.Millisecond)
		w.run(args, true)
		if got, hit := w.run(args, true); !hit {
			t.Fatalf("%s is not stored:\n%s", command, got)
		}
		for _, v := range append(slices.Clone(w.files), w.variables...) {
			for i := range v.variants[1:] {
				w.set(v, i+1)
				got, hit := w.run(args, true)
				want := got
				if hit {
					want, _ = w.run(args, false)
				}
				if got != want {
					t.Errorf("%s is variant %d: %s\n--- with a cache\n%s\n--- without\n%s", v.name, i+1, command, got, want)
				}
				w.set(v, 0)
			}
		}
		if _, hit := w.run(args, true); !hit {
			t.Errorf("the first result of %s is lost", command)
		}
	}
}

// set gives a file or a variable one of its variants.
func (w *world) set(v varied, i int) {
	if slices.ContainsFunc(w.variables, func(other varied) bool { return other.name == v.name }) {
		w.must(os.Setenv(v.name, v.variants[i])) // newWorld has called Setenv
		return
	}
	w.write(v.name, v.variants[i])
}

// A world is a directory with modules, and the variables of runs in it.
type world struct {
	t                *testing.T
	random           *rand.Rand
	root             string
	files, variables []varied
	// undo restores what was changed: most of a world must be sound for a run to succeed.
	undo map[string]func() string
	// last is the command of the last run.
	last []string
}

// A varied is a file or a variable with one of its variants. A file with the variant absent does not exist; one that
// begins with linkTo is a link.
type varied struct {
	name     string
	variants []string
}

const (
	absent = "absent"
	linkTo = "-> "
)

// kindFile is a Go file with a kind.
func kindFile(pkg, kind, more string) string {
	return strings.NewReplacer("PKG", pkg, "KIND", kind, "MORE", more).Replace(`// +groupName=example.com
package PKG

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true

// KIND is a kind.
type KIND struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec KINDSpec ` + "`json:\"spec\"`" + `
}

// KINDSpec is a spec.
type KINDSpec struct {
	MORE
}
`)
}

// worldFiles returns the files of a world. Commands run in op.
func worldFiles(standIn string, meta []byte) []varied {
	mod := func(module, more string) string {
		return fmt.Sprintf("module %s\n\ngo 1.24\n\nrequire k8s.io/apimachinery v0.0.0\n\n"+
			"replace k8s.io/apimachinery => %q\n%s", module, standIn, more)
	}
	needsLib := "require (\n\texample.com/lib v0.0.0\n\texample.com/op/sub v0.0.0\n)\n" +
		"replace example.com/op/sub => ../sub\nreplace example.com/lib => ../%s\n"
	size := "// +kubebuilder:validation:Minimum=%d\n\tSize int32 `json:\"size\"`"
	usesLib := "Part lib.Part `json:\"part\"`"
	imports := func(path, file string) string {
		return strings.Replace(file, "import metav1", fmt.Sprintf("import %q\nimport metav1", path), 1)
	}
	tagged := func(constraint, file string) string { return "//go:build " + constraint + "\n\n" + file }
	lib := "// Package lib is a library.\npackage lib\n\n// Part is a part.\ntype Part struct {\n\tA %s `json:\"a\"`\n}\n"
	rbac := "package controllers\n\n// +kubebuilder:rbac:groups=%s,resources=pods,verbs=get\n\n" +
		"// X is empty.\ntype X struct{}\n"
	hook := "// +kubebuilder:webhook:path=/x,mutating=false,failurePolicy=fail,sideEffects=None,groups=example.com," +
		"resources=widgets,verbs=create,versions=v1,name=%s.example.com,admissionReviewVersions=v1\n\npackage controllers\n"
	return []varied{
		{"op/go.mod", []string{
			mod("example.com/op", fmt.Sprintf(needsLib, "lib")), mod("example.com/op", fmt.Sprintf(needsLib, "lib2")),
			mod("example.com/op", strings.Replace(fmt.Sprintf(needsLib, "lib"), "../sub", "../lib2", 1)),
			mod("example.com/op", fmt.Sprintf(needsLib, "lib")+"toolchain go1.24.1\n"),
		}},
		{"op/go.sum", []string{absent, "example.com/none v1.0.0 h1:AAAA\n", "junk\n"}},
		{"op/api/v1/types.go", []string{
			imports("example.com/lib", kindFile("v1", "Widget", usesLib)),
			kindFile("v1", "Widget", fmt.Sprintf(size, 1)), kindFile("v1", "Widget", fmt.Sprintf(size, 2)),
			imports("example.com/op/internal/deep/lib", kindFile("v1", "Widget", usesLib)),
			imports("example.com/op/sub/lib", kindFile("v1", "Widget", usesLib)), "package v1\n\nfunc broken( {\n",
			kindFile("v1", "Widget", "Any map[string]any `json:\"any\"`"), absent, linkTo + "../../../alt/a.go",
		}},
		{"op/api/v1/extra.go", []string{
			tagged("extra", kindFile("v1", "Extra", "")), absent, tagged("!extra", kindFile("v1", "Extra", "")),
			tagged("windows", kindFile("v1", "Extra", "")),
			linkTo + "../../../alt/b.go", "package other\n",
		}},
		{"op/api/v1/cgo.go", []string{tagged("cgo", kindFile("v1", "Cgo", "")), absent}},
		{"op/api/v1/zz_generated.go", []string{
			absent, tagged("!ignore_autogenerated", kindFile("v1", "Generated", "")),
			tagged("ignore_autogenerated", kindFile("v1", "Generated", "")),
		}},
		{"op/api/v1/extra_windows.go", []string{kindFile("v1", "Windows", ""), absent}},
		{"op/api/v1/extra_test.go", []string{absent, "package v1\n", "package other\n", "broken"}},
		{"op/api/v1/code.c", []string{absent, "int x;\n"}},
		{"op/api/v1/go.mod", []string{absent, absent, mod("example.com/op/api/v1", "")}},
		{"op/api/go.mod", []string{absent, absent, mod("example.com/op/api", "")}},
		{"op/api/v2/types.go", []string{
			kindFile("v2", "Gadget", fmt.Sprintf(size, 1)), kindFile("v2", "Widget", fmt.Sprintf(size, 1)), absent,
		}},
		{"op/internal/deep/lib/lib.go", []string{fmt.Sprintf(lib, "string"), fmt.Sprintf(lib, "int32")}},
		{"op/internal/deep/go.mod", []string{absent, mod("example.com/op/internal/deep", "")}},
		{"op/sub/lib/lib.go", []string{absent, fmt.Sprintf(lib, "bool")}},
		{"op/sub/go.mod", []string{absent, mod("example.com/op/sub", "")}},
		{"sub/lib/lib.go", []string{fmt.Sprintf(lib, "string"), fmt.Sprintf(lib, "int32"), absent}},
		{"sub/go.mod", []string{"module example.com/op/sub\n\ngo 1.24\n"}},
		{"op/controllers/rbac.go", []string{fmt.Sprintf(rbac, "apps"), fmt.Sprintf(rbac, `""`), absent}},
		{"op/controllers/hook.go", []string{fmt.Sprintf(hook, "a"), fmt.Sprintf(hook, "b"), absent}},
		{"op/nested/go.mod", []string{absent, mod("example.com/nested", "")}},
		{"op/nested/types.go", []string{kindFile("nested", "Nested", ""), absent}},
		{"op/.hidden/go.mod", []string{absent, absent, mod("example.com/hidden", "")}},
		{"op/.hidden/types.go", []string{absent, kindFile("hidden", "Hidden", "")}},
		{"op/testdata/m/types.go", []string{absent, kindFile("m", "Test", "")}},
		{"op/testdata/m/go.mod", []string{absent, absent, mod("example.com/test", "")}},
		{"op/link", []string{linkTo + "../shared/a", linkTo + "../shared/b", absent}},
		{"op/vendor", []string{absent, absent, linkTo + "../vendored"}},
		{"vendored/modules.txt", []string{fmt.Sprintf("# example.com/lib v0.0.0 => ../lib\n## explicit; go 1.24\n"+
			"example.com/lib\n# k8s.io/apimachinery v0.0.0 => %[1]s\n## explicit; go 1.24\n"+
			"k8s.io/apimachinery/pkg/apis/meta/v1\n# example.com/op/sub v0.0.0 => ../sub\n## explicit; go 1.24\n"+
			"# example.com/lib => ../lib\n# example.com/op/sub => ../sub\n# k8s.io/apimachinery => %[1]s\n",
			standIn), "junk\n", absent}},
		{"vendored/example.com/lib/lib.go", []string{fmt.Sprintf(lib, "bool"), fmt.Sprintf(lib, "string")}},
		{"vendored/k8s.io/apimachinery/pkg/apis/meta/v1/types.go", []string{string(meta)}},
		{"op/go.work", []string{
			absent, absent, "go 1.24\n\nuse .\n", "go 1.24\n\nuse (\n\t.\n\t../lib\n)\n",
			"go 1.24\n\nuse .\n\nreplace example.com/lib => ../lib2\n",
		}},
		{"go.work", []string{absent, absent, "go 1.24\n\nuse ./op\n", "go 1.24\n\nuse ./none\n"}},
		{"op/.crdproof.yaml", []string{absent, "crd:\n  maxDescLen: 0\n", "ignore:\n- check: cel-absent\n  reason: none\n"}},
		{"op/testdata/formatted/types.go", []string{
			kindFile("formatted", "Formatted", "// +k8s:format=op-word\n\tText string `json:\"text\"`"),
		}},
		{"op/formats.yaml", []string{
			"formats: [{name: op-word, docs: A word., pattern: '^a$', message: must be a}]\n",
			"formats: [{name: op-word, docs: A word., pattern: '^b$', message: must be b}]\n", "formats: []\n", "junk\n",
		}},
		{"op/overlay.yaml", []string{
			"overlays: [{path: spec, description: {replace: one}}]\n",
			"overlays: [{path: spec, description: {replace: two}}]\n",
			"overlays: [{path: spec.stale, description: {replace: two}}]\n",
		}},
		{"op/header.txt", []string{"// one\n", "// two YEAR\n"}},
		{"op/notes.txt", []string{"one\n", "two\n", absent}},
		{"lib/go.mod", []string{
			"module example.com/lib\n\ngo 1.24\n", "module example.com/lib\n\ngo 1.99\n",
			"module example.com/lib\n\ngo 1.24\n\nrequire example.com/none v1.0.0\n", "module example.com/other\n", absent,
		}},
		{"lib/go.sum", []string{absent, "junk\n"}},
		{"op/nested/go.work", []string{absent, "go 1.24\n\nuse .\n", "junk\n"}},
		{"lib/lib.go", []string{fmt.Sprintf(lib, "string"), fmt.Sprintf(lib, "int32"), absent}},
		{"lib/more.go", []string{absent, "package lib\n\n// More is more.\ntype More string\n"}},
		{"lib2/go.mod", []string{"module example.com/lib\n\ngo 1.24\n"}},
		{"lib2/lib.go", []string{fmt.Sprintf(lib, "bool")}},
		{"shared/a/types.go", []string{kindFile("a", "Shared", ""), kindFile("a", "Shared", fmt.Sprintf(size, 3))}},
		{"shared/b/types.go", []string{kindFile("b", "Other", ""), kindFile("a", "Shared", "")}},
		{"shared/go.mod", []string{mod("example.com/shared", ""), absent}},
		{"alt/a.go", []string{kindFile("v1", "Widget", ""), kindFile("v1", "Linked", "")}},
		{"alt/b.go", []string{kindFile("v1", "Alt", ""), linkTo + "c.go"}},
		{"alt/c.go", []string{kindFile("v1", "Alt", fmt.Sprintf(size, 5)), absent}},
		{"goenv", []string{absent, "GOOS=windows\n", "CGO_ENABLED=1\n"}},
		{"bin/go", []string{absent, absent, absent, "#!/bin/sh\nGOOS=windows exec REALGO \"$@\"\n"}},
		{"VERSION", []string{absent, "go1.26\n"}},
		{"bin/gcc", []string{absent, "#!/bin/sh\n"}},
	}
}

// newWorld writes a world.
func newWorld(t *testing.T) *world {
	for name, value := range goEnvironment(t, "GOCACHE", "GOMODCACHE", "GOROOT") {
		t.Setenv(name, value)
	}
	goCommand := filepath.Join(os.Getenv("GOROOT"), "bin", "go")
	t.Setenv("GOROOT", "")
	seed := uint64(time.Now().UnixNano())
	t.Log("seed ", seed)
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, 0)), root: t.TempDir(),
		undo: map[string]func() string{}}
	meta, err := os.ReadFile(filepath.Join(standIn(t), "pkg", "apis", "meta", "v1", "types.go"))
	w.must(err)
	for _, f := range worldFiles(standIn(t), meta) {
		for i := range f.variants {
			f.variants[i] = strings.ReplaceAll(f.variants[i], "REALGO", goCommand)
		}
		w.files = append(w.files, f)
		w.write(f.name, f.variants[0])
	}
	path := filepath.Dir(goCommand)
	w.variables = []varied{
		{"PATH", []string{
			filepath.Join(w.root, "bin") + string(os.PathListSeparator) + path, // without a C compiler
			path + string(os.PathListSeparator) + "/usr/bin" + string(os.PathListSeparator) + "/bin",
		}},
		{"GOFLAGS", []string{"", "", "-mod=mod", "-tags=extra", "-mod=vendor", "-modfile=other.mod"}},
		{"GOOS", []string{"", "", "windows"}},
		{"CGO_ENABLED", []string{"", "0"}},
		{"GOWORK", []string{"", "off"}},
		{"GOENV", []string{filepath.Join(w.root, "goenv"), "off"}},
		{"GOPACKAGESDRIVER", []string{"", "", "off"}},
		{"CRDPROOF_UNUSED", []string{"", "x"}},
	}
	for _, v := range w.variables {
		t.Setenv(v.name, v.variants[0])
	}
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOSUMDB", "off")
	t.Chdir(filepath.Join(w.root, "op"))
	return w
}

// change changes a file or a variable, and describes what it did.
func (w *world) change() string {
	if names := slices.Sorted(maps.Keys(w.undo)); w.random.IntN(4) < len(names) {
		name := names[w.random.IntN(len(names))]
		undo := w.undo[name]
		delete(w.undo, name)
		return undo()
	}
	if w.random.IntN(6) == 0 {
		v := w.variables[w.random.IntN(len(w.variables))]
		return w.vary(v)
	}
	f := w.files[w.random.IntN(len(w.files))]
	path := filepath.Join(w.root, f.name)
	switch w.random.IntN(9) {
	case 0:
		return w.renameDir()
	case 1: // touch
		now := time.Now()
		_ = os.Chtimes(path, now, now) // it may be absent
		return "touch " + f.name
	case 2: // rename and back: the directory changes, its content does not
		if os.Rename(path, path+"~") == nil {
			w.must(os.Rename(path+"~", path))
		}
		return "rename " + f.name
	case 3: // another file with the same content
		if data, err := os.ReadFile(path); err == nil {
			w.must(os.WriteFile(path+"~", data, 0o777))
			w.must(os.Rename(path+"~", path))
		}
		return "copy " + f.name
	}
	return w.vary(f)
}

// renameDir renames a directory.
func (w *world) renameDir() string {
	dirs := []string{"op/api/v2", "op/nested", "op/.hidden", "op/testdata", "lib", "shared/b", "vendored"}
	path := filepath.Join(w.root, dirs[w.random.IntN(len(dirs))])
	if os.Rename(path, path+"x") != nil {
		return "rename nothing" // it is absent, or renamed already
	}
	w.undo[path] = func() string {
		w.must(os.RemoveAll(path)) // a file in it may have been written again
		w.must(os.Rename(path+"x", path))
		return "rename " + path + "x"
	}
	return "rename " + path
}

// vary gives a file or a variable a random variant, and remembers how to restore the first one.
func (w *world) vary(v varied) string {
	set := func(i int) string {
		w.set(v, i)
		return fmt.Sprintf("%s is variant %d", v.name, i)
	}
	w.undo[v.name] = func() string { return set(0) }
	return set(w.random.IntN(len(v.variants)))
}

// write gives a file a variant: in place, or as a new file.
func (w *world) write(name, variant string) {
	path := filepath.Join(w.root, name)
	info, err := os.Lstat(path)
	inPlace := err == nil && info.Mode().IsRegular() && w.random.IntN(2) == 0
	target, isLink := strings.CutPrefix(variant, linkTo)
	if err == nil && (!inPlace || isLink || variant == absent) {
		w.must(os.Remove(path))
	}
	if variant == absent {
		os.Remove(filepath.Dir(path)) // if it is empty
		return
	}
	w.must(os.MkdirAll(filepath.Dir(path), 0o777))
	if isLink {
		w.must(os.Symlink(target, path))
	} else {
		w.must(os.WriteFile(path, []byte(variant), 0o777))
	}
}

func (w *world) must(err error) {
	if err != nil {
		w.t.Helper()
		w.t.Fatal(err)
	}
}

// command returns a command line, often that of the last run.
func (w *world) command() []string {
	if w.last != nil && w.random.IntN(6) > 0 {
		return w.last
	}
	commands := []string{
		"crd paths=./... output:dir=OUT", "crd paths=./api/v1 output:dir=OUT", "crd paths=./api/... output:dir=OUT",
		"crd paths=example.com/op/... output:dir=OUT", "crd paths=example.com/op/api/v1 output:dir=OUT",
		"crd:compat=controller-gen paths=./... output:dir=OUT", "crd paths=./link output:dir=OUT",
		"crd paths=./link/... paths=../lib/... output:dir=OUT", "crd:headerFile=header.txt paths=./api/... output:dir=OUT",
		"rbac:roleName=x crd webhook paths=./... output:dir=OUT", "object:headerFile=header.txt paths=./... output:dir=OUT",
		"rbac:roleName=x,headerFile=header.txt paths=./controllers output:stdout",
		"crd helpers paths=./api/... output:dir=OUT",
		"crd paths=./api/... --load-build-tags=extra output:dir=OUT", "crd paths=./api/... --deviations output:dir=OUT",
		"crd:declarativeFormats=formats.yaml paths=./testdata/formatted output:dir=OUT",
		"crd:overlay=overlay.yaml paths=./api/v1 output:dir=OUT",
		"crd paths=./api/v1;./api/v2 output:dir=OUT", "crd paths=../shared/... output:dir=OUT",
	}
	w.last = strings.Fields(commands[w.random.IntN(len(commands))])
	return w.last
}

// run runs a command, and returns everything that it prints and writes, and whether the result is from the cache.
func (w *world) run(args []string, cached bool) (result string, hit bool) {
	w.t.Helper()
	w.t.Setenv("CRDPROOF_CACHE", "off")
	if cached {
		w.t.Setenv("CRDPROOF_CACHE", filepath.Join(w.root, "cache"))
	}
	out := filepath.Join(w.root, "out")
	w.must(os.RemoveAll(out))
	args = append(slices.Clone(args), "-v")
	for i := range args {
		args[i] = strings.Replace(args[i], "OUT", "../out", 1)
	}
	var stdout, stderr, all bytes.Buffer
	code := run(w.t.Context(), args, nil, &stdout, &stderr)
	fmt.Fprintf(&all, "exit code %d\n%s", code, stdout.String())
	for line := range strings.Lines(stderr.String()) {
		switch {
		case strings.HasPrefix(line, "nothing has changed"):
			hit = true
		case !strings.HasPrefix(line, "the cache") && !strings.HasPrefix(line, "validated in an earlier run"):
			all.WriteString(line)
		}
	}
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s\n%s", path, data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return all.String(), hit
}
