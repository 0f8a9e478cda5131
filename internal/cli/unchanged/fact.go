package unchanged

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/crdproof/crdproof/internal/filestate"
	"github.com/crdproof/crdproof/internal/input"
)

// A kind says what matters of an input.
type kind uint8

const (
	// file is the content of a file, through links; or that it does not exist, or is a directory.
	file kind = iota
	// dir is the names and types of the entries of a directory that the go command may read.
	dir
	// link is the path without links.
	link
	// program is the file that the go command or the system finds in PATH under a name.
	program
)

// A fact is a file, a directory or a program that decides the result of a run.
type fact struct {
	kind kind
	// path is absolute, or the name of a program.
	path string
	// at is the state of the file or directory that has the hash. A changed file has another state.
	at   filestate.State
	hash [sha256.Size]byte
}

// hasState reports whether a state tells if the fact has changed.
func (f *fact) hasState() bool { return f.kind == file || f.kind == dir }

// record computes the state and the hash. It returns false if the fact may have changed since a time before.
func (f *fact) record(began time.Time) bool {
	if !f.hasState() {
		f.hash = f.compute()
		return f.areLinksSettled(began)
	}
	f.at = filestate.Of(f.path)
	f.hash = f.compute()
	return f.at.IsSettled(began) && f.at == filestate.Of(f.path)
}

// areLinksSettled reports whether a program, and the links in a path, have not changed since a time before.
func (f *fact) areLinksSettled(began time.Time) bool {
	if f.kind == program {
		path, err := exec.LookPath(f.path)
		return err != nil || filestate.Of(path).IsSettled(began)
	}
	for d := range input.Upwards(f.path) {
		info, err := os.Lstat(d)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 && !filestate.In(info).IsSettled(began) {
			return false
		}
	}
	return true
}

// update computes the hash, if the state has changed.
func (f *fact) update(now time.Time) {
	if !f.hasState() {
		f.hash = f.compute()
		return
	}
	at := filestate.Of(f.path)
	if at == f.at {
		return
	}
	f.hash = f.compute()
	// Otherwise, the hash is computed again next time.
	if at.IsSettled(now) && at == filestate.Of(f.path) {
		f.at = at
	}
}

// compute returns the hash.
func (f *fact) compute() (sum [sha256.Size]byte) {
	h := sha256.New()
	switch f.kind {
	case file:
		hashFile(h, f.path)
	case dir:
		hashDir(h, f.path)
	case link:
		real, err := filepath.EvalSymlinks(f.path)
		fmt.Fprintf(h, "%q %v", real, err == nil)
	case program:
		hashProgram(h, f.path)
	}
	h.Sum(sum[:0])
	return sum
}

// hashFile hashes the content of a file.
func hashFile(h hash.Hash, path string) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprint(h, "absent")
		return
	case err != nil:
		fmt.Fprintf(h, "error %v", err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		fmt.Fprintf(h, "error %v", err)
	case !info.Mode().IsRegular():
		fmt.Fprintf(h, "type %v", info.Mode().Type())
	default:
		fmt.Fprint(h, "file ")
		if _, err := io.Copy(h, f); err != nil {
			fmt.Fprintf(h, "error %v", err)
		}
	}
}

// hashDir hashes the entries of a directory that the go command may read.
func hashDir(h hash.Hash, path string) {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprint(h, "absent")
		return
	case err != nil:
		fmt.Fprintf(h, "error %v", err)
		return
	}
	fmt.Fprint(h, "directory ")
	for _, e := range entries {
		if !matters(e) {
			continue
		}
		fmt.Fprintf(h, "%q %v", e.Name(), e.Type())
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(filepath.Join(path, e.Name()))
			fmt.Fprintf(h, "%q %v", target, err == nil)
		}
	}
}

// matters reports whether the go command looks at an entry of a directory: at directories, at source files (go/build,
// Context.matchFile), and at files of modules.
func matters(e fs.DirEntry) bool {
	return e.IsDir() || e.Type()&fs.ModeSymlink != 0 ||
		slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum"}, e.Name()) ||
		slices.Contains([]string{
			".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90",
			".s", ".S", ".sx", ".swig", ".swigcxx", ".syso",
		}, filepath.Ext(e.Name()))
}

// hashProgram hashes where a program is, and what identifies its file: its size and its beginning. The beginning of a
// Go program has its build ID, a hash of its content.
func hashProgram(h hash.Hash, name string) {
	path, err := exec.LookPath(name)
	if err != nil {
		fmt.Fprint(h, "absent")
		return
	}
	real, err := filepath.EvalSymlinks(path)
	fmt.Fprintf(h, "%q %q %v ", path, real, err == nil)
	f, err := os.Open(path)
	if err != nil {
		fmt.Fprintf(h, "error %v", err)
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		fmt.Fprintf(h, "%d ", info.Size())
	}
	if _, err := io.CopyN(h, f, 32<<10); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintf(h, "error %v", err)
	}
}
