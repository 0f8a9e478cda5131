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
	directory
	lock *os.File
	// files counts the names that were used.
	files int
}

// temporaryName matches the names of these directories, and of the files that earlier versions wrote.
var temporaryName = regexp.MustCompile(`^\.crdproof-[A-Z2-7]{26}$`)

// abandonedAfter is the age from which a temporary belongs to no run, if the file system has no locks.
const abandonedAfter = time.Hour

// newTemporary creates a locked directory in another one. Other users may not write in it, even if they may
// write beside it.
func newTemporary(dir directory) (*temporary, error) {
	for {
		t := &temporary{directory: directory{dir.root, filepath.Join(dir.name, ".crdproof-"+rand.Text())}}
		if err := t.root.Mkdir(t.name, 0o700); err != nil {
			return nil, err
		}
		lock, err := t.root.Open(t.name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another run removed it before it was locked
		}
		if err != nil {
			_ = t.root.Remove(t.name)
			return nil, err
		}
		t.lock = lock
		// If the file system has no locks, the age of the directory protects it.
		_ = lockFile(lock, true)
		if _, err := t.root.Lstat(t.name); err == nil {
			return t, nil
		}
		t.remove()
	}
}

// next returns the path for the next file. It has no extension, so that nothing takes the file for a manifest.
func (t *temporary) next() string {
	t.files++
	return filepath.Join(t.name, strconv.Itoa(t.files))
}

// remove removes the directory and the files that were not renamed. Errors are ignored: the next run tries again.
func (t *temporary) remove() {
	_ = t.root.RemoveAll(t.name)
	t.lock.Close()
}

// removeAbandoned removes what killed runs have left in a directory, never through a link. Errors are ignored: nothing
// depends on it.
func removeAbandoned(dir directory) {
	f, err := dir.root.Open(dir.name)
	if err != nil {
		return
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return
	}
	for _, e := range entries {
		if temporaryName.MatchString(e.Name()) && (e.IsDir() || e.Type().IsRegular()) {
			removeIfAbandoned(directory{dir.root, filepath.Join(dir.name, e.Name())}, e.IsDir())
		}
	}
}

func removeIfAbandoned(at directory, isDir bool) {
	f, err := at.root.Open(at.name)
	if err != nil {
		return
	}
	defer f.Close()
	err = errors.ErrUnsupported // earlier versions did not lock their files
	if isDir {
		err = lockFile(f, false)
	}
	if info, statErr := f.Stat(); errors.Is(err, errors.ErrUnsupported) && statErr == nil &&
		time.Since(info.ModTime()) > abandonedAfter {
		err = nil
	}
	if err == nil {
		_ = at.root.RemoveAll(at.name)
	}
}

// syncFile makes sure that the content of a file or directory is on disk.
func syncFile(root *os.Root, name string, flag int) error {
	f, err := root.OpenFile(name, flag, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if cannotSync(err) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
