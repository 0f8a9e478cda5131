// Package target finds out where a file that a run writes is on disk, and rejects paths that leave the directories in
// which the run may write.
//
// Its input is the directories that the command line names and the path of a file. Its output is a directory that is
// open, and the path of the file in it, without links. A run may write in the repository of the working directory, but
// not in its .git, and in the directories that the command line names. The content of a repository may come from
// anyone: a link in it must not lead a run out of it.
//
// Everything that is done to a target goes through its os.Root, which never leaves the open directory, even if another
// process replaces a directory by a link after the path was found. What remains: such a process can lead a run to
// another file below the same directory, where it could write itself, or replace a file by a named pipe, so that the
// run waits. A process that may write above a directory that the command line names can replace that directory before
// it is opened. On Plan 9 and in WebAssembly, os.Root compares paths and cannot prevent such a race.
package target

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// maxLinks is how many links a path may lead through; Linux follows as many.
const maxLinks = 40

// A Target is the place of a file that may not exist yet.
type Target struct {
	// Root is a directory in which the run may write, and Name is the path of the file in it, without links.
	Root *os.Root
	Name string
	// Path is the path for messages: the given one, or after links the absolute path of Name.
	Path string
}

// Read returns the content of the file.
func (t Target) Read() ([]byte, error) { return t.Root.ReadFile(t.Name) }

// Dir returns the path of the directory of the target in Root.
func (t Target) Dir() string { return filepath.Dir(t.Name) }

// A LinkError reports a link that leads to where a run must not write.
type LinkError struct {
	// Link is the path of the link, and To what it contains.
	Link, To string
	// Leaves names what the link leaves.
	Leaves string
}

// Error implements error.
func (e *LinkError) Error() string {
	return fmt.Sprintf("%s is a link to %s, which is outside of %s", input.Shown(e.Link), e.To, e.Leaves)
}

// Help says what to do.
func (e *LinkError) Help() string {
	return fmt.Sprintf("remove the link %s, or name the directory that it leads to in the command line",
		input.Shown(e.Link))
}

// An OutsideError reports a path that is not in a directory in which a run may write.
type OutsideError struct{ repository string }

// Error implements error.
func (e *OutsideError) Error() string {
	return fmt.Sprintf("it is outside of the repository %s, and the command line does not name its directory",
		e.repository)
}

// Help says what to do.
func (e *OutsideError) Help() string {
	return "run crdproof in the repository of the file, or name a directory in an output rule, as in output:dir=config"
}

// errGit reports a path in the directory that belongs to git.
var errGit = errors.New("crdproof does not write in .git")

// errLoop reports links that lead to each other.
var errLoop = errors.New("the links in the path lead to each other")

// Bounds are the directories in which a run may write. They are open until Close.
type Bounds struct {
	// working is the working directory as the environment has it, real is the same without links.
	working, real string
	// repository is the root of the repository, without links.
	repository string
	// named are the directories that the command line names.
	named []string
	// roots are the open directories, by their paths.
	roots map[string]*os.Root
	// dirs are the directories of targets, by their absolute paths.
	dirs map[string]resolved
}

// A resolved path is without links.
type resolved struct {
	root *os.Root
	name string
	// followed is set if the path had links.
	followed bool
}

// In returns the bounds of a run in the working directory, whose command line names some directories.
func In(named ...string) (*Bounds, error) {
	working, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(working)
	if err != nil {
		return nil, err
	}
	b := &Bounds{working: working, real: real, repository: input.Project(real), roots: map[string]*os.Root{},
		dirs: map[string]resolved{}}
	for _, dir := range named {
		b.named = append(b.named, b.absolute(dir))
		if !filepath.IsAbs(dir) && real != working { // some programs resolve .. in the path that the environment has
			b.named = append(b.named, filepath.Join(working, dir))
		}
	}
	return b, nil
}

// Close closes the directories.
func (b *Bounds) Close() {
	for _, root := range b.roots {
		root.Close()
	}
}

// absolute returns an absolute path. Below the working directory, it has no links that lead there.
func (b *Bounds) absolute(path string) string {
	if !filepath.IsAbs(path) {
		return filepath.Join(b.real, path)
	}
	if name, err := filepath.Rel(b.working, path); err == nil && filepath.IsLocal(name) {
		return filepath.Join(b.real, name)
	}
	return filepath.Clean(path)
}

// File returns the target of a path. If the file is a link, the target is the file that it leads to, even if that does
// not exist yet.
func (b *Bounds) File(path string) (Target, error) {
	dir, err := b.dir(path)
	if err != nil {
		return Target{}, err
	}
	return b.target(path, dir, filepath.Base(b.absolute(path)))
}

// Entry returns the target of a path. If the file is a link, the target is the link.
func (b *Bounds) Entry(path string) (Target, error) {
	dir, err := b.dir(path)
	if err != nil {
		return Target{}, err
	}
	dir.name = filepath.Join(dir.name, filepath.Base(b.absolute(path)))
	return b.target(path, dir, ".")
}

// Check reports the first of some directories in which the run must not write.
func (b *Bounds) Check(dirs ...string) error {
	for _, dir := range dirs {
		if _, err := b.dir(filepath.Join(dir, "file")); err != nil {
			return &fs.PathError{Op: "read", Path: dir, Err: input.Cause(err)}
		}
	}
	return nil
}

// target returns the target of a path that is in a directory under a name.
func (b *Bounds) target(path string, dir resolved, name string) (Target, error) {
	at, err := b.resolve(dir, name)
	if err != nil {
		return Target{}, err
	}
	isGit := func(element string) bool { return strings.EqualFold(element, ".git") } // as some file systems compare
	if at.root.Name() == b.repository && slices.ContainsFunc(elements(at.name), isGit) {
		return Target{}, errGit
	}
	if at.followed {
		path = filepath.Join(at.root.Name(), at.name)
	}
	return Target{Root: at.root, Name: at.name, Path: path}, nil
}

// dir resolves the directory of a path, once for all files in it.
func (b *Bounds) dir(path string) (resolved, error) {
	parent := filepath.Dir(b.absolute(path))
	if dir, known := b.dirs[parent]; known {
		return dir, nil
	}
	root, name, err := b.start(parent)
	if err != nil {
		return resolved{}, err
	}
	dir, err := b.resolve(resolved{root: root, name: "."}, name)
	if err == nil {
		b.dirs[parent] = dir
	}
	return dir, err
}

// start returns the open directory that contains a directory, and the path in it, which may have links.
func (b *Bounds) start(dir string) (*os.Root, string, error) {
	if name, ok := below(dir, b.repository); ok {
		root, err := b.open(b.repository)
		return root, name, err
	}
	for _, named := range b.named {
		if !input.Within(dir, named) {
			continue
		}
		// The part of the path that exists is not the repository's: its links may lead anywhere.
		for existing := range input.Upwards(named) {
			if real, err := filepath.EvalSymlinks(existing); err == nil {
				root, err := b.open(real)
				return root, diag.Relative(dir, existing), err
			}
		}
	}
	return nil, "", &OutsideError{b.repository}
}

// open opens a directory, once.
func (b *Bounds) open(dir string) (*os.Root, error) {
	if root := b.roots[dir]; root != nil {
		return root, nil
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		b.roots[dir] = root
	}
	return root, err
}

// below returns the path of a directory or file from a directory above it, which the path may name in another way:
// through links, or in other letters on some file systems.
func below(path, dir string) (name string, ok bool) {
	if input.Within(path, dir) {
		name, err := filepath.Rel(dir, path)
		return name, err == nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", false
	}
	for d := range input.Upwards(path) { // the outermost counts, so that links below it are seen
		other, err := os.Stat(d)
		if err == nil && os.SameFile(info, other) {
			name, err = filepath.Rel(d, path)
			ok = err == nil
		}
	}
	return name, ok
}

// resolve follows the links in a path from a directory without links.
func (b *Bounds) resolve(from resolved, path string) (resolved, error) {
	at, rest := from, elements(path)
	var last *LinkError
	for links := 0; len(rest) > 0; {
		next := rest[0]
		rest = rest[1:]
		if next == "." {
			continue
		}
		if next == ".." { // which only links have
			if at.name == "." {
				return resolved{}, last
			}
			at.name = filepath.Dir(at.name)
			continue
		}
		next = filepath.Join(at.name, next)
		info, err := at.root.Lstat(next)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return resolved{}, err
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			at.name = next
			continue
		}
		to, err := at.root.Readlink(next)
		if err != nil {
			return resolved{}, err
		}
		if links++; links > maxLinks {
			return resolved{}, errLoop
		}
		at.followed = true
		last = &LinkError{Link: filepath.Join(at.root.Name(), next), To: to, Leaves: b.called(at.root)}
		if filepath.IsAbs(to) {
			name, ok := below(to, at.root.Name())
			if !ok {
				return resolved{}, last
			}
			at.name, to = ".", name
		}
		rest = append(elements(to), rest...)
	}
	return at, nil
}

// called returns what an open directory is called in messages.
func (b *Bounds) called(root *os.Root) string {
	if root.Name() == b.repository {
		return "the repository " + b.repository
	}
	return root.Name()
}

// elements splits a path.
func elements(path string) []string { return strings.Split(filepath.ToSlash(path), "/") }
