package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/cli/target"
)

// boundsIn returns the bounds of a run whose command line names some directories.
func boundsIn(t *testing.T, named ...string) *target.Bounds {
	bounds, err := target.In(named...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bounds.Close)
	return bounds
}

func TestWriteAll(t *testing.T) {
	dir := t.TempDir()
	same, changed := filepath.Join(dir, "same"), filepath.Join(dir, "changed")
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, path := range []string{same, changed} {
		if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	var stdout bytes.Buffer
	done, err := writeAll(t.Context(), boundsIn(t, dir), []emit.File{
		{Path: same, Data: []byte("old")},
		{Data: []byte("1")},
		{Path: changed, Data: []byte("first")},
		{Path: filepath.Join(dir, "a", "b", "new"), Data: []byte("new")},
		{Path: filepath.Join(dir, "a", "..", "changed"), Data: []byte("second")},
		{Data: []byte("2")},
	}, nil, &stdout, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "wrote 2 files, printed 2, 1 unchanged"; done.String() != want {
		t.Errorf("%s, want %s", done, want)
	}
	if stdout.String() != "12" {
		t.Errorf("standard output is %q", &stdout)
	}
	if info, err := os.Stat(same); err != nil || !info.ModTime().Equal(long) {
		t.Errorf("an unchanged file was written again: %v, %v", info.ModTime(), err)
	}
	if info, err := os.Stat(changed); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions were not kept: %v, %v", info.Mode(), err)
	}
	want := map[string]string{"/same": "old", "/changed": "second", "/a/b/new": "new"}
	compareTrees(t, tree(t, dir), want)
}

// A failure in the middle must leave everything as it was, without temporary files.
func TestWriteAllFails(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	if err := os.WriteFile(kept, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	_, err := writeAll(t.Context(), boundsIn(t, dir), []emit.File{
		{Path: kept, Data: []byte("new")},
		{Data: []byte("1")},
		{Path: filepath.Join(kept, "below"), Data: []byte("x")},
	}, nil, &stdout, nil)
	if err == nil || stdout.Len() > 0 {
		t.Errorf("error %v, standard output %q", err, &stdout)
	}
	compareTrees(t, tree(t, dir), map[string]string{"/kept": "old"})
}

// TestWriteAllInterrupted ends the context while files are being staged, and breaks a bug loose: nothing of the
// attempt may be left, nor any directory that was made for it.
func TestWriteAllInterrupted(t *testing.T) {
	for _, test := range []struct {
		name string
		stop func(cancel func())
		err  error
	}{
		{"by a signal", func(cancel func()) { cancel() }, context.Canceled},
		{"by a bug", func(func()) { panic("bug") }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			kept := filepath.Join(dir, "kept")
			if err := os.WriteFile(kept, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			files := []emit.File{{Path: kept, Data: []byte("new")},
				{Path: filepath.Join(dir, "a", "b", "c"), Data: []byte("new")}, {Data: []byte("1")}}
			var stdout bytes.Buffer
			defer func() {
				if bug := recover(); (bug == nil) != (test.err != nil) {
					t.Errorf("panic: %v", bug)
				}
				if stdout.Len() > 0 {
					t.Errorf("standard output is %q", &stdout)
				}
				compareTrees(t, tree(t, dir), map[string]string{"/kept": "old"})
				if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
					t.Errorf("left are %v, %v", entries, err)
				}
			}()
			staged := 0
			_, err := writeAll(ctx, boundsIn(t, dir), files, nil, &stdout, func(_ string, done, _ int) {
				if staged = done; done == 1 {
					test.stop(cancel)
				}
			})
			if !errors.Is(err, test.err) || staged != 1 {
				t.Errorf("error %v after %d files", err, staged)
			}
		})
	}
}

// TestCommitFails puts a directory in the place of a file once all has been staged.
func TestCommitFails(t *testing.T) {
	t.Chdir(t.TempDir())
	files := []emit.File{{Path: "a", Data: []byte("new")}, {Path: "b", Data: []byte("new")},
		{Path: "c", Data: []byte("new")}}
	if err := os.WriteFile("gone", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := newStaging(boundsIn(t))
	if err := s.remove([]stale.File{{Path: "gone"}, {Path: "never was"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.addAll(t.Context(), files, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("b", 0o777); err != nil {
		t.Fatal(err)
	}
	expect := func(message string, notes ...string) {
		t.Helper()
		d := writeFailed(s.commit())
		if !strings.HasPrefix(d.Message, message) || !slices.Equal(d.Notes, notes) {
			t.Errorf("%q, %q", d.Message, d.Notes)
		}
		if code := exitCode([]diag.Diagnostic{d}); code != exitUsage {
			t.Errorf("the exit code is %d", code)
		}
		s.failed.unchanged = nil
	}
	expect("cannot write b: ", "written: a", "unchanged: b, c, gone, never was")
	if err := os.Remove("b"); err != nil {
		t.Fatal(err)
	}
	expect("cannot remove never was: ", "written: a, b, c", "removed: gone", "unchanged: never was")
	s.discard()
	compareTrees(t, tree(t, "."), map[string]string{"a": "new", "b": "new", "c": "new"})
}

// TestAbandoned leaves temporary files of other runs: those of a live run and those that no run made must stay.
func TestAbandoned(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	live, err := newTemporary(directory{root, "."})
	if err != nil {
		t.Fatal(err)
	}
	defer live.remove()
	dead := filepath.Join(dir, ".crdproof-"+strings.Repeat("A", 26))
	old, young := filepath.Join(dir, ".crdproof-"+strings.Repeat("B", 26)), filepath.Join(dir, ".crdproof-"+
		strings.Repeat("C", 26))
	foreign := filepath.Join(dir, ".crdproof-cache")
	for _, made := range []string{dead, foreign} {
		if err := os.Mkdir(made, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, made := range []string{filepath.Join(dir, live.next()), filepath.Join(dead, "1"), filepath.Join(foreign, "1"), old, young} {
		if err := os.WriteFile(made, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * abandonedAfter)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	files := []emit.File{{Path: filepath.Join(dir, "new"), Data: []byte("new")}}
	if _, err := writeAll(t.Context(), boundsIn(t, dir), files, nil, io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"/new": "new", "/.crdproof-cache/1": "x", "/" + filepath.Base(young): "x",
		"/" + live.name + "/1": "x"}
	compareTrees(t, tree(t, dir), want)
}

// TestWriteAllAtOnce lets many runs write into one directory at the same time: none may remove the files of another.
func TestWriteAllAtOnce(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{}
	var runs sync.WaitGroup
	for i := range 40 {
		name, path := fmt.Sprint("/", i), filepath.Join(dir, fmt.Sprint(i))
		want[name], want["/shared"] = name, "same"
		bounds := boundsIn(t, dir)
		runs.Go(func() {
			files := []emit.File{{Path: path, Data: []byte(name)},
				{Path: filepath.Join(dir, "shared"), Data: []byte("same")}}
			if _, err := writeAll(t.Context(), bounds, files, nil, io.Discard, nil); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	compareTrees(t, tree(t, dir), want)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(want) {
		t.Errorf("left are %v, %v", entries, err)
	}
}

// TestReplacedByLink replaces a directory or a file by a link out of the repository after all has been staged.
func TestReplacedByLink(t *testing.T) {
	for _, replaced := range []string{"out", filepath.Join("out", "a")} {
		top := t.TempDir()
		t.Chdir(top)
		outside := filepath.Join(top, "outside")
		for _, dir := range []string{filepath.Join("repo", ".git"), filepath.Join("repo", "out"), "outside"} {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir("repo")
		for _, path := range []string{filepath.Join(outside, "a"), filepath.Join(outside, "stale"),
			filepath.Join("out", "stale")} {
			if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s := newStaging(boundsIn(t))
		if err := s.remove([]stale.File{{Path: filepath.Join("out", "stale")}}); err != nil {
			t.Fatal(err)
		}
		files := []emit.File{{Path: filepath.Join("out", "a"), Data: []byte("new")}}
		if err := s.addAll(t.Context(), files, nil); err != nil {
			t.Fatal(err)
		}
		_ = os.Rename(replaced, "moved") // the file does not exist yet
		if err := os.Symlink(filepath.Join(outside, strings.TrimPrefix(replaced, "out")), replaced); err != nil {
			t.Skip("the system has no links: ", err)
		}
		if err := s.commit(); (err == nil) != (replaced != "out") {
			t.Errorf("%s: %v", replaced, err)
		}
		s.discard()
		compareTrees(t, tree(t, outside), map[string]string{"/a": "old", "/stale": "old"})
	}
}

// TestHardLink writes a file that has another name: the other name keeps the old content.
func TestHardLink(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("other", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("other", "file"); err != nil {
		t.Skip("the system has no hard links: ", err)
	}
	files := []emit.File{{Path: "file", Data: []byte("new")}}
	if _, err := writeAll(t.Context(), boundsIn(t), files, nil, io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, tree(t, "."), map[string]string{"file": "new", "other": "old"})
}
