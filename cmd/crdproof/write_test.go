package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

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
	err := writeAll([]artifact{
		{path: same, data: []byte("old")},
		{data: []byte("1")},
		{path: changed, data: []byte("first")},
		{path: filepath.Join(dir, "a", "b", "new"), data: []byte("new")},
		{path: filepath.Join(dir, "a", "..", "changed"), data: []byte("second")},
		{data: []byte("2")},
	}, &stdout)
	if err != nil {
		t.Fatal(err)
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
	err := writeAll([]artifact{
		{path: kept, data: []byte("new")},
		{data: []byte("1")},
		{path: filepath.Join(kept, "below"), data: []byte("x")},
	}, &stdout)
	if err == nil || stdout.Len() > 0 {
		t.Errorf("error %v, standard output %q", err, &stdout)
	}
	compareTrees(t, tree(t, dir), map[string]string{"/kept": "old"})
}
