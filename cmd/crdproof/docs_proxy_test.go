package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// A moduleProxy is a module proxy in directories: one has this version of crdproof, the other is the module cache,
// which has all that crdproof needs.
type moduleProxy struct {
	goEnv map[string]string
	// list is a value for GOPROXY.
	list string
	// bin is the directory in which all readers install programs, one at a time, so that crdproof is linked once.
	bin     string
	linking sync.Mutex
}

// newModuleProxy writes crdproof as its only version, whose name has a hash of its files, and so always represents the
// same files. At the end it is removed from the module cache.
func newModuleProxy(t *testing.T) *moduleProxy {
	t.Helper()
	p := &moduleProxy{goEnv: goEnvironment(t, "GOCACHE", "GOMODCACHE", "GOPROXY")}
	data := new(bytes.Buffer)
	files, err := moduleFiles(root(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := zip.Create(data, module.Version{Path: modulePath, Version: "v0.0.0"}, files); err != nil {
		t.Fatal(err)
	}
	version := fmt.Sprintf("v0.0.0-20260101000000-%.6x", sha256.Sum256(data.Bytes()))
	data.Reset()
	if err := zip.Create(data, module.Version{Path: modulePath, Version: version}, files); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	info := fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version)
	for name, content := range map[string][]byte{
		"@latest": info, "@v/list": nil, "@v/" + version + ".info": info, "@v/" + version + ".mod": mod,
		"@v/" + version + ".zip": data.Bytes(),
	} {
		path := filepath.Join(dir, filepath.FromSlash(modulePath), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cache := p.goEnv["GOMODCACHE"]
	p.bin = t.TempDir()
	p.list = "file://" + filepath.ToSlash(dir) + ",file://" + filepath.ToSlash(cache) + "/cache/download," +
		p.goEnv["GOPROXY"]
	t.Cleanup(func() { forget(t, cache, version) })
	return p
}

// forget removes a version of crdproof from the module cache, whose directories are read-only.
func forget(t *testing.T, cache, version string) {
	t.Helper()
	dir := filepath.Join(cache, filepath.FromSlash(modulePath)+"@"+version)
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o777)
		}
		return err
	})
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
	downloads, err := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(modulePath), "@v",
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

// moduleFiles are the files of crdproof's module that a program is built from.
func moduleFiles(dir string) (out []zip.File, err error) {
	for _, name := range []string{"go.mod", "go.sum", "LICENSE", "cmd", "emit", "generator", "markers", "rules"} {
		err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
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
