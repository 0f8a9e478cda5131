package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/cli/verify"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
)

// writeAll writes the files, prints those for standard output, in order, and removes stale files. All files are first
// written beside their targets, so that a full disk or a missing permission is found before the first target changes.
// The context is checked for the last time before the first rename; until then, a signal ends the run, but only by the
// context. After an error or a panic before that, all temporary files are removed. If the process is killed, the next
// run that writes there removes them. Nothing is written or removed outside of the bounds.
func writeAll(
	ctx context.Context, bounds *target.Bounds, list []emit.File, left []stale.File, stdout io.Writer,
	progress stage.Progress,
) (done outcome, err error) {
	stage.Finish(ctx)
	s := newStaging(bounds)
	defer s.discard()
	if err := s.remove(left); err != nil {
		return outcome{}, &writeError{cause: err}
	}
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
	d := fileTrouble(err)
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

// notRemovable reports which file cannot be removed and why.
func notRemovable(path string, err error) error {
	return &fs.PathError{Op: "remove", Path: path, Err: input.Cause(err)}
}

// A directory is one in which a run may write.
type directory struct {
	root *os.Root
	// name is the path in root, without links.
	name string
}

// A staging holds the files that wait beside their targets.
type staging struct {
	bounds *target.Bounds
	files  []stagedFile
	// same counts the files whose targets have their content already.
	same int
	// dirs are the directories that were made for them, outermost first.
	dirs []directory
	// temporaries have the files, by the directory of their targets.
	temporaries map[directory]*temporary
	// visited are the directories in which the files of killed runs were removed.
	visited map[directory]bool
	// stale are the files to remove.
	stale []target.Target
	// failed becomes the error of commit as soon as it has a cause.
	failed writeError
}

func newStaging(bounds *target.Bounds) *staging {
	return &staging{bounds: bounds, temporaries: map[directory]*temporary{}, visited: map[directory]bool{}}
}

// A stagedFile is written under a temporary name and waits to be renamed.
type stagedFile struct {
	// temp is the path in the root of the target.
	temp   string
	target target.Target
}

// remove adds stale files to remove.
func (s *staging) remove(left []stale.File) error {
	for i := range left {
		at, err := s.bounds.Entry(left[i].Path)
		if err != nil {
			return notRemovable(left[i].Path, err)
		}
		s.stale = append(s.stale, at)
	}
	return nil
}

// addAll stages all artifacts that are files. All are written to disk at last, because that is faster than to wait for
// each.
func (s *staging) addAll(ctx context.Context, list []emit.File, progress stage.Progress) error {
	files := emit.Effective(list)
	for i, a := range files {
		progress.Report("writing files", i, len(files))
		at, err := s.bounds.File(a.Path)
		if err != nil {
			return notWritable(a.Path, err)
		}
		if err := s.add(at, a.Data); err != nil {
			return notWritable(at.Path, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	errs := make([]error, len(s.files))
	stage.Run(ctx, nil, "", len(s.files), func(i int) {
		errs[i] = syncFile(s.files[i].target.Root, s.files[i].temp, os.O_RDWR)
	})
	for i, err := range errs {
		if err != nil {
			return notWritable(s.files[i].target.Path, err)
		}
	}
	return ctx.Err()
}

// add writes one file beside its target, unless the target already has that content.
func (s *staging) add(at target.Target, data []byte) error {
	dir := directory{at.Root, at.Dir()}
	s.visit(dir)
	mode, same, err := verify.Compare(at, data)
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
	temp := waits.next()
	s.files = append(s.files, stagedFile{temp: temp, target: at})
	return writeNew(at.Root, temp, data, mode)
}

// beside returns the temporary directory in a directory.
func (s *staging) beside(dir directory) (*temporary, error) {
	if t := s.temporaries[dir]; t != nil {
		return t, nil
	}
	t, err := newTemporary(dir)
	if err != nil {
		return nil, err
	}
	s.temporaries[dir] = t
	return t, nil
}

// visit removes what killed runs have left in a directory, once.
func (s *staging) visit(dir directory) {
	if !s.visited[dir] {
		s.visited[dir] = true
		removeAbandoned(dir)
	}
}

// makeDir creates a directory and its missing parents.
func (s *staging) makeDir(dir directory) error {
	var missing []string
	for d := range input.Upwards(dir.name) {
		if _, err := dir.root.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, d)
	}
	for _, d := range slices.Backward(missing) {
		if err := dir.root.Mkdir(d, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		s.dirs = append(s.dirs, directory{dir.root, d})
	}
	return nil
}

// commit renames the staged files and removes the stale ones. It stops at the first error. That happens only if another
// process interferes: everything else has been checked before. A target that has become a link is replaced, not the
// file behind it.
func (s *staging) commit() error {
	for len(s.files) > 0 {
		f := s.files[0]
		if err := f.target.Root.Rename(f.temp, f.target.Name); err != nil {
			return s.fail(notWritable(f.target.Path, err))
		}
		s.failed.changed = append(s.failed.changed, f.target.Path)
		s.files = s.files[1:]
	}
	for dir := range s.temporaries {
		// The files are complete; a directory that cannot be written to disk now only loses them if the system fails.
		_ = syncFile(dir.root, dir.name, os.O_RDONLY)
	}
	for len(s.stale) > 0 {
		at := s.stale[0]
		if err := at.Root.Remove(at.Name); err != nil {
			return s.fail(notRemovable(at.Path, err))
		}
		s.failed.removed = append(s.failed.removed, at.Path)
		s.stale = s.stale[1:]
	}
	return nil
}

// fail returns the error of a commit that stopped in the current state of s.
func (s *staging) fail(cause error) error {
	s.failed.cause = cause
	for _, f := range s.files {
		s.failed.unchanged = append(s.failed.unchanged, f.target.Path)
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
		_ = d.root.Remove(d.name)
	}
}

// writeNew creates a file with the given permissions; 0 means those of the umask.
func writeNew(root *os.Root, name string, data []byte, mode fs.FileMode) (err error) {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
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
