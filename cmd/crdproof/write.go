package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/generator/stale"
	"github.com/crdproof/crdproof/generator/verify"
)

// writeAll writes the files, prints those for standard output, in order, and removes stale files. All files are first
// written beside their targets, so that a full disk or a missing permission is found before the first target changes.
// The context is checked for the last time before the first rename, so the process is not ended from outside. After an error or a panic before that, all
// temporary files are removed. If the process is killed, the next run that writes there removes them.
func writeAll(
	ctx context.Context, list []emit.File, left []stale.File, stdout io.Writer, progress stage.Progress,
) (done outcome, err error) {
	stage.Finish(ctx)
	s := staging{stale: left}
	defer s.discard()
	if err := s.addAll(ctx, list, progress); err != nil {
		return outcome{}, &writeError{cause: err}
	}
	done = outcome{written: len(s.files), unchanged: s.same, removed: len(left)}
	if err := s.commit(); err != nil {
		return outcome{}, err
	}
	for _, a := range list {
		if a.Path == "" {
			if _, err := stdout.Write(a.Data); err != nil {
				return outcome{}, s.fail(err)
			}
			done.printed++
		}
	}
	return done, nil
}

// A writeError says which files were changed before the error, by their paths.
type writeError struct {
	cause error
	// changed and removed were done before the error; unchanged are as before. If all are empty, no file was changed.
	changed, removed, unchanged []string
}

// Error implements error.
func (e *writeError) Error() string { return e.cause.Error() }

// Unwrap implements errors.Unwrap.
func (e *writeError) Unwrap() error { return e.cause }

// writeFailed reports an error of writeAll, with notes on which files were changed.
func writeFailed(err error) diag.Diagnostic {
	d := diag.Errorf(diag.Span{}, input.File, "%s", input.Trouble(err))
	var failed *writeError
	if !errors.As(err, &failed) {
		return d
	}
	for _, did := range []struct {
		what  string
		paths []string
	}{{"written", failed.changed}, {"removed", failed.removed}, {"unchanged", failed.unchanged}} {
		var paths []string
		for _, path := range did.paths {
			paths = append(paths, input.Shown(path))
		}
		if len(paths) > 0 {
			d = d.Note("%s: %s", did.what, strings.Join(paths, ", "))
		}
	}
	if len(failed.changed)+len(failed.removed) == 0 {
		d.Notes = []string{"no files were changed"}
	}
	return d
}

// notWritable reports which file cannot be written and why, without the temporary name in the error of the system.
func notWritable(path string, err error) error {
	return fmt.Errorf("cannot write %s: %w", input.Shown(path), input.Cause(err))
}

// A staging holds the files that wait beside their targets.
type staging struct {
	files []stagedFile
	// same counts the files whose targets have their content already.
	same int
	// dirs are the directories that were made for them, outermost first.
	dirs []string
	// temporaries have the files, by the directory of their targets.
	temporaries map[string]*temporary
	// visited are the directories in which the files of killed runs were removed.
	visited map[string]bool
	// stale are the files to remove.
	stale []stale.File
	// failed becomes the error of commit as soon as it has a cause.
	failed writeError
}

// A stagedFile is written under a temporary name and waits to be renamed.
type stagedFile struct {
	temp, target string
}

// addAll stages all artifacts that are files. All are written to disk at last, because that is faster than to wait for
// each.
func (s *staging) addAll(ctx context.Context, list []emit.File, progress stage.Progress) error {
	files := emit.Effective(list)
	for i, a := range files {
		progress.Report("writing files", i, len(files))
		target := verify.Target(a.Path)
		if err := s.add(target, a.Data); err != nil {
			return notWritable(target, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	errs := make([]error, len(s.files))
	stage.Run(ctx, nil, "", len(s.files), func(i int) { errs[i] = syncFile(s.files[i].temp, os.O_RDWR) })
	for i, err := range errs {
		if err != nil {
			return notWritable(s.files[i].target, err)
		}
	}
	return ctx.Err()
}

// add writes one file beside its target, unless the target already has that content.
func (s *staging) add(target string, data []byte) error {
	dir := filepath.Dir(target)
	s.visit(dir)
	mode, same, err := verify.Compare(target, data)
	if err != nil {
		return err
	}
	if same {
		s.same++
		return nil
	}
	if err := s.makeDir(dir); err != nil {
		return err
	}
	waits, err := s.beside(dir)
	if err != nil {
		return err
	}
	temp := waits.name()
	s.files = append(s.files, stagedFile{temp: temp, target: target})
	return writeNew(temp, data, mode)
}

// beside returns the temporary directory in a directory.
func (s *staging) beside(dir string) (*temporary, error) {
	if t := s.temporaries[dir]; t != nil {
		return t, nil
	}
	t, err := newTemporary(dir)
	if err != nil {
		return nil, err
	}
	if s.temporaries == nil {
		s.temporaries = map[string]*temporary{}
	}
	s.temporaries[dir] = t
	return t, nil
}

// visit removes what killed runs have left in a directory, once.
func (s *staging) visit(dir string) {
	if s.visited[dir] {
		return
	}
	if s.visited == nil {
		s.visited = map[string]bool{}
	}
	s.visited[dir] = true
	removeAbandoned(dir)
}

// makeDir creates a directory and its missing parents.
func (s *staging) makeDir(dir string) error {
	var missing []string
	for d := range input.Upwards(dir) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, d)
	}
	for _, d := range slices.Backward(missing) {
		if err := os.Mkdir(d, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		s.dirs = append(s.dirs, d)
	}
	return nil
}

// commit renames the staged files and removes the stale ones. It stops at the first error. That happens only if another
// process interferes: everything else has been checked before.
func (s *staging) commit() error {
	for len(s.files) > 0 {
		f := s.files[0]
		if err := os.Rename(f.temp, f.target); err != nil {
			return s.fail(notWritable(f.target, err))
		}
		s.failed.changed = append(s.failed.changed, f.target)
		s.files = s.files[1:]
	}
	for dir := range s.temporaries {
		// The files are complete; a directory that cannot be written to disk now only loses them if the system fails.
		_ = syncFile(dir, os.O_RDONLY)
	}
	for len(s.stale) > 0 {
		path := s.stale[0].Path
		if err := os.Remove(path); err != nil {
			return s.fail(err)
		}
		s.failed.removed = append(s.failed.removed, path)
		s.stale = s.stale[1:]
	}
	return nil
}

// fail returns the error of a commit that stopped in the current state of s.
func (s *staging) fail(cause error) error {
	s.failed.cause = cause
	for _, f := range s.files {
		s.failed.unchanged = append(s.failed.unchanged, f.target)
	}
	for i := range s.stale {
		s.failed.unchanged = append(s.failed.unchanged, s.stale[i].Path)
	}
	return &s.failed
}

// discard removes the staged files that were not renamed, and the directories created for them if they are empty.
// Errors are ignored: all of these were created a moment ago.
func (s *staging) discard() {
	for _, t := range s.temporaries {
		t.remove()
	}
	for _, d := range slices.Backward(s.dirs) {
		os.Remove(d)
	}
}

// writeNew creates a file with the given permissions; 0 means those of the umask.
func writeNew(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	_, err = f.Write(data)
	return err
}
