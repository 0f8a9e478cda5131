package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/arguments"
)

// TestPlantedProduct plants products in the cache: one that names a file that the run cannot write is not used.
func TestPlantedProduct(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	beside := filepath.Join(dir, "api", "v1")
	outside := filepath.Join(filepath.Dir(dir), "other")
	for _, test := range []struct {
		line          string
		mine, foreign []string
	}{
		{"crd output:dir=out", []string{"out/a_b.yaml"},
			[]string{"out/a.go", "out/../a.yaml", "out/sub/a.yaml", "../out/a.yaml", "/out/a.yaml", "a.yaml", ""}},
		{"crd", []string{"config/crd/a.yaml"}, []string{"config/a.yaml"}},
		{"crd output:stdout", []string{""}, []string{"a.yaml", "out/a.yaml"}},
		{"crd output:none", nil, []string{"", "a.yaml"}},
		{"crd output:dir=" + outside, []string{outside + "/a.yaml"}, []string{outside + "/b/a.yaml"}},
		{"rbac:roleName=r output:dir=out", []string{"out/role.yaml"}, []string{"out/other.yaml", "role.yaml"}},
		{"rbac:roleName=r,fileName=a/x output:dir=out", []string{"out/a/x"}, []string{"out/role.yaml", "out/x"}},
		{"object paths=./api/...", []string{beside + "/zz_generated.deepcopy.go"},
			[]string{beside + "/main.go", dir + "/zz_generated.a.go", outside + "/zz_generated.a.go", beside + "/a.yaml"}},
		{"object paths=example.com/api/...", []string{beside + "/zz_generated.deepcopy.go"},
			[]string{outside + "/zz_generated.deepcopy.go"}},
		{"helpers output:helpers:dir=code", []string{"code/zz_generated.crdproof.go"},
			[]string{beside + "/zz_generated.crdproof.go", "code/a.go"}},
		{"object output:artifacts:config=a,code=b", []string{"b/zz_generated.deepcopy.go"},
			[]string{"a/zz_generated.deepcopy.go"}},
	} {
		plan, problems := arguments.Parse(arguments.Line{Options: strings.Fields(test.line)})
		if len(problems) > 0 {
			t.Fatal(test.line, problems)
		}
		isUsed := func(path string) bool {
			var w cache.Writer
			made := product{files: []emit.File{{Path: filepath.FromSlash(path), Data: []byte("x")}}}
			writeProduct(&w, made, nil, func(string) bool { return true })
			_, _, ok := readProduct(w.Data(), plan)
			return ok
		}
		for _, path := range test.mine {
			if !isUsed(path) {
				t.Errorf("%s: the product with %q is not used", test.line, path)
			}
		}
		for _, path := range test.foreign {
			if isUsed(path) {
				t.Errorf("%s: the product with %q is used", test.line, path)
			}
		}
	}
}
