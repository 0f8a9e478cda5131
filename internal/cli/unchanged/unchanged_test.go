package unchanged

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/crdproof/crdproof/internal/cache"
)

// TestFacts encodes facts of all kinds.
func TestFacts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	facts := []fact{{kind: file, path: path}, {kind: dir, path: filepath.Dir(path)}, {kind: link, path: path},
		{kind: program, path: "go"}, {kind: file, path: path + "none"}}
	later := time.Now().Add(time.Minute)
	for i := range facts {
		if !facts[i].record(later) {
			t.Errorf("%s may have changed", facts[i].path)
		}
	}
	env, got, ok := readFacts(writeFacts(environment{"GOROOT": "x"}, facts))
	if !ok || len(got) != len(facts) || env["GOROOT"] != "x" {
		t.Fatalf("%d facts, %v", len(got), ok)
	}
	for i := range facts {
		if got[i] != facts[i] {
			t.Errorf("%+v, want %+v", got[i], facts[i])
		}
		got[i].update(later)
		if got[i] != facts[i] {
			t.Errorf("%s has changed", facts[i].path)
		}
	}
	if digest(cache.Key{}, facts) == digest(cache.Key{}, facts[1:]) ||
		digest(cache.Key{}, facts) == digest(cache.Key{1}, facts) {
		t.Error("different runs have the same result")
	}
}

// TestChanged changes a file while its size and the time that programs can set stay the same.
func TestChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(content string) {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	write("old")
	f := fact{kind: file, path: path}
	if f.record(time.Now()) {
		t.Error("a file that was changed a moment ago was recorded")
	}
	f.record(time.Now().Add(time.Minute))
	before := f
	if before.at.Changed == 0 {
		t.Skip("the system has no time of the last change")
	}
	time.Sleep(50 * time.Millisecond)
	write("new")
	if f.update(time.Now()); f.hash == before.hash {
		t.Error("the change is unknown")
	}
	if f.at != before.at {
		t.Error("the state of a file that was changed a moment ago is trusted")
	}
}
