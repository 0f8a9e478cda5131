package stage_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdproof/crdproof/internal/stage"
)

// TestEnding ends a command that does not return, with its temporary directories, and no command that has finished.
func TestEnding(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var e stage.Ending
	ctx := stage.WithEnding(t.Context(), &e)
	for range 2 {
		dir, remove, err := stage.TempDir(ctx, "test-")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		remove()
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the directory was not removed: %v", err)
		}
	}
	dir, _, err := stage.TempDir(ctx, "test-")
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	e.End(func() { ended = true })
	if _, err := os.Stat(dir); !ended || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ended: %v, directory: %v", ended, err)
	}

	var finished stage.Ending
	stage.Finish(stage.WithEnding(t.Context(), &finished))
	finished.End(func() { t.Error("ended a command that has finished") })
	stage.Finish(t.Context()) // without an ending there is nothing to do
}
