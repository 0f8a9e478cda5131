package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/crdproof/crdproof/internal/cli/release"
)

// A moduleProxy is a module proxy in directories: one has this version of crdproof and its nested modules, the other is the
// module cache, which has all that they need.
type moduleProxy struct {
	goEnv map[string]string
	// list is a value for GOPROXY.
	list string
	// bin is the directory in which all readers install programs, one at a time, so that crdproof is linked once.
	bin     string
	linking sync.Mutex
}

// sourceFolders returns the folders of crdproof's own packages (SOURCES of the Makefile).
func sourceFolders(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^SOURCES +:= (.+)$`).FindSubmatch(data)
	if list == nil {
		t.Fatal("the Makefile has no SOURCES")
	}
	return strings.Fields(string(list[1]))
}

// nestedModules are the modules of this repository that the pages of the documentation install.
func nestedModules() []string { return []string{"analyzer", "server", "suitetest"} }

// newModuleProxy writes crdproof and these modules, each as its only version, whose name has a hash of all files and so
// always represents the same files. At the end they are removed from the module cache.
func newModuleProxy(t *testing.T) *moduleProxy {
	t.Helper()
	p := &moduleProxy{goEnv: goEnvironment(t, "GOCACHE", "GOMODCACHE", "GOPROXY")}
	own, err := moduleFiles(root(t), append(sourceFolders(t), "go.mod", "go.sum", "LICENSE")...)
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string][]zip.File{release.Module: own}
	for _, name := range nestedModules() {
		if modules[release.Module+"/"+name], err = moduleFiles(filepath.Join(root(t), name), "."); err != nil {
			t.Fatal(err)
		}
	}
	data := new(bytes.Buffer)
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		if err := zip.Create(data, module.Version{Path: release.Module, Version: "v0.0.0"}, modules[path]); err != nil {
			t.Fatal(err)
		}
	}
	version := fmt.Sprintf("v0.0.0-20260101000000-%.6x", sha256.Sum256(data.Bytes()))
	dir, cache := t.TempDir(), p.goEnv["GOMODCACHE"]
	for path, files := range modules {
		publish(t, dir, module.Version{Path: path, Version: version}, files)
		t.Cleanup(func() { forget(t, cache, path, version) })
	}
	p.bin = t.TempDir()
	p.list = "file://" + filepath.ToSlash(dir) + ",file://" + filepath.ToSlash(cache) + "/cache/download," +
		p.goEnv["GOPROXY"]
	return p
}

// publish writes a module as its only version into the directory of a proxy. Where it requires crdproof, it gets that
// version, as when both are released.
func publish(t *testing.T, dir string, m module.Version, files []zip.File) {
	t.Helper()
	var mod []byte
	for i, f := range files {
		if f.Path() != "go.mod" {
			continue
		}
		content, err := os.ReadFile(f.(moduleFile).file)
		if err != nil {
			t.Fatal(err)
		}
		mod = bytes.ReplaceAll(content, []byte("v0.0.0-00010101000000-000000000000"), []byte(m.Version))
		name := filepath.Join(t.TempDir(), "go.mod")
		if err := os.WriteFile(name, mod, 0o666); err != nil {
			t.Fatal(err)
		}
		files[i] = moduleFile{name, "go.mod"}
	}
	data := new(bytes.Buffer)
	if err := zip.Create(data, m, files); err != nil {
		t.Fatal(err)
	}
	info := fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, m.Version)
	for name, content := range map[string][]byte{
		"@latest": info, "@v/list": nil, "@v/" + m.Version + ".info": info, "@v/" + m.Version + ".mod": mod,
		"@v/" + m.Version + ".zip": data.Bytes(),
	} {
		path := filepath.Join(dir, filepath.FromSlash(m.Path), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// forget removes a version of a module from the module cache, whose directories are read-only.
func forget(t *testing.T, cache, path, version string) {
	t.Helper()
	dir := filepath.Join(cache, filepath.FromSlash(path)+"@"+version)
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o777)
		}
		return err
	})
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
	downloads, err := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(path), "@v",
		version+".*"))
	if err != nil {
		t.Error(err)
	}
	for _, path := range downloads {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// moduleFiles are the files that a program of a module is built from: these files and directories of its root.
func moduleFiles(dir string, names ...string) (out []zip.File, err error) {
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
			if err == nil && path == filepath.Join(dir, "testdata") {
				return filepath.SkipDir
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			out = append(out, moduleFile{path, filepath.ToSlash(rel)})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A moduleFile is a file on disk with its path in the module.
type moduleFile struct{ file, path string }

func (f moduleFile) Path() string                 { return f.path }
func (f moduleFile) Lstat() (fs.FileInfo, error)  { return os.Lstat(f.file) }
func (f moduleFile) Open() (io.ReadCloser, error) { return os.Open(f.file) }
