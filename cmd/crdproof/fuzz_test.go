package main

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
)

// FuzzProduct reads any bytes as the product of an earlier run. What is read can be printed, and reads the same when it
// is written again.
func FuzzProduct(f *testing.F) {
	dir := f.TempDir()
	src := &diag.Source{Path: filepath.Join(dir, "a.go"), Package: "example.com/a"}
	files := []emit.File{{Path: filepath.Join(dir, "a.yaml"), Data: []byte("a: b\n")}}
	plan, _ := arguments.Parse(arguments.Line{Options: []string{"crd", "paths=./api"}})
	for _, found := range [][]diag.Diagnostic{nil, {
		{Span: diag.At(src, 3, 7), Check: "cel-absent", Severity: diag.Warning, Message: "m", HelpText: "h"},
		{Span: diag.At(src, 0, 0), Check: "cel-absent", Notes: []string{"n"},
			SeeAlso: []diag.Related{{Span: diag.At(src, 1, 2), Message: "here"}}},
	}, {{Span: diag.At(src, -1, 2)}}, {{Span: diag.At(src, 2, 1)}}, {{Severity: diag.Note + 1}}} {
		var w cache.Writer
		writeProduct(&w, product{files: files, dirs: []string{dir}}, found, known)
		f.Add(w.Data())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		made, found, ok := readProduct(data, plan)
		if !ok {
			return
		}
		var out bytes.Buffer
		if err := diag.Text(&out, diag.Sort(found), diag.TextOptions{Dir: dir}); err != nil {
			t.Error(err)
		}
		if err := diag.JSON(&out, found, 0, dir); err != nil {
			t.Error(err)
		}
		var w cache.Writer
		writeProduct(&w, made, found, known)
		again, sameFound, ok := readProduct(w.Data(), plan)
		if !ok || !reflect.DeepEqual(made, again) || len(found) != len(sameFound) {
			t.Errorf("%+v is read as %+v, %v", made, again, ok)
		}
	})
}

func known(string) bool { return true }

// FuzzCommandLine parses words of a command line, one a line: there is a plan or a mistake, and always the same.
func FuzzCommandLine(f *testing.F) {
	for _, words := range []string{
		"crd\npaths=./api/...\noutput:crd:dir=config", "object:headerFile=none.txt", "rbac:roleName=a\ncrd\nwebhook",
		"crd:maxDescLen=0,kube=1.34..1.37\noutput:stdout", "helpers:crds={a,b},package=x", "paths={a,b}\ncrd:fail={}",
		"output:dir=a\noutput:dir=b\ncrd", "crd:crdVersions={v1,v1beta1}", "+crd", "crd:", "crd:=", "crd:a=b=c", "",
		"output:none\noutput:artifacts:config=a,code=b\nobject", "crd:maxSize=64Ki\ncrd", "helpers:kube=1", "paths=",
		"crd:ignore={cel-absent;cel-cost}", "crd:dropDescriptions=`k8s.io/...`", "crd:year=\"2031\",headerFile='x'",
	} {
		f.Add(words)
	}
	f.Fuzz(func(t *testing.T, words string) {
		line := arguments.Line{Options: strings.Split(words, "\n"), Checks: catalog.Checks()}
		plan, problems := arguments.Parse(line)
		if len(plan.Generators) == 0 && !diag.HasErrors(problems) {
			t.Errorf("nothing comes of %q", words)
		}
		for _, d := range problems {
			if d.Message == "" || d.Check == "" {
				t.Errorf("%q: %+v", words, d)
			}
		}
		again, sameProblems := arguments.Parse(line)
		if len(again.Generators) != len(plan.Generators) || !reflect.DeepEqual(problems, sameProblems) {
			t.Errorf("%q: first %v, then %v", words, problems, sameProblems)
		}
	})
}
