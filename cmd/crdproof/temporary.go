package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// A temporary is a directory for files that wait beside their targets. It is locked until the run ends: another run
// removes the directories that killed runs have left.
type temporary struct {
	path string
	lock *os.File
	// files counts the names that were used.
	files int
}

// temporaryName matches the names of these directories, and of the files that earlier versions wrote.
var temporaryName = regexp.MustCompile(`^\.crdproof-[A-Z2-7]{26}$`)

// abandonedAfter is the age from which a temporary belongs to no run, if the file system has no locks.
const abandonedAfter = time.Hour

// newTemporary creates a locked directory in another one.
func newTemporary(dir string) (*temporary, error) {
	for {
		t := &temporary{path: filepath.Join(dir, ".crdproof-"+rand.Text())}
		if err := os.Mkdir(t.path, 0o777); err != nil {
			return nil, err
		}
		lock, err := os.Open(t.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another run removed it before it was locked
		}
		if err != nil {
			os.Remove(t.path)
			return nil, err
		}
		t.lock = lock
		// If the file system has no locks, the age of the directory protects it.
		_ = lockFile(lock, true)
		if _, err := os.Stat(t.path); err == nil {
			return t, nil
		}
		t.remove()
	}
}

// name returns the path for the next file. It has no extension, so that nothing takes the file for a manifest.
func (t *temporary) name() string {
	t.files++
	return filepath.Join(t.path, strconv.Itoa(t.files))
}

// remove removes the directory and the files that were not renamed. Errors are ignored: the next run tries again.
func (t *temporary) remove() {
	os.RemoveAll(t.path)
	t.lock.Close()
}

// removeAbandoned removes what killed runs have left in a directory. Errors are ignored: nothing depends on it.
func removeAbandoned(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if temporaryName.MatchString(e.Name()) && (e.IsDir() || e.Type().IsRegular()) {
			removeIfAbandoned(filepath.Join(dir, e.Name()), e)
		}
	}
}

func removeIfAbandoned(path string, e fs.DirEntry) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	err = errors.ErrUnsupported // earlier versions did not lock their files
	if e.IsDir() {
		err = lockFile(f, false)
	}
	if info, statErr := f.Stat(); errors.Is(err, errors.ErrUnsupported) && statErr == nil &&
		time.Since(info.ModTime()) > abandonedAfter {
		err = nil
	}
	if err == nil {
		os.RemoveAll(path)
	}
}

// syncFile makes sure that the content of a file or directory is on disk.
func syncFile(path string, flag int) error {
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if cannotSync(err) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
