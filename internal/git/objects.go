package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ErrUnknown means that no revision has the name.
var ErrUnknown = errors.New("unknown git revision")

// Tree returns the name of the tree object of a revision (gitrevisions(7)), or ErrUnknown.
func (r *Repository) Tree(ctx context.Context, revision string) (string, error) {
	if strings.HasPrefix(revision, "-") {
		return "", ErrUnknown
	}
	answer, err := r.run(ctx, nil, "rev-parse", "--verify", revision+"^{tree}")
	switch {
	case err == nil:
		return text(answer), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case isPromised(err):
		return "", r.missing(ctx, revision, nil)
	}
	return "", ErrUnknown
}

// An Entry is a line of git ls-tree.
type Entry struct {
	Mode, Kind, ID string
	// Path starts from the root of the repository, or from the directory that was listed.
	Path string
}

// IsFile reports whether an entry is a file or a link, as opposed to a directory or a submodule.
func (e *Entry) IsFile() bool { return e.Kind == "blob" }

// IsLink reports whether an entry is a symbolic link (gitformat-index(5)).
func (e *Entry) IsLink() bool { return e.Mode == "120000" }

// List returns the entries of a tree, with all those of its subdirectories but without the directories if recursive is
// set. The paths of the entries start at the tree. Without paths, it returns all.
func (r *Repository) List(ctx context.Context, tree string, recursive bool, paths ...string) (out []Entry, err error) {
	args := []string{"--literal-pathspecs", "ls-tree", "-z", "--full-tree"}
	if recursive {
		args = append(args, "-r")
	}
	answer, err := r.run(ctx, nil, slices.Concat(args, []string{tree, "--"}, paths)...)
	if isPromised(err) {
		return nil, r.missing(ctx, tree, nil)
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(string(answer), "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		if fields := strings.Fields(about); ok && len(fields) == 3 {
			out = append(out, Entry{Mode: fields[0], Kind: fields[1], ID: fields[2], Path: name})
		}
	}
	return out, nil
}

// Read returns the contents of entries of a tree, whose paths start at its root. It follows links to other files of the
// tree; the content of a link that leads nowhere is nil.
func (r *Repository) Read(ctx context.Context, tree string, files []Entry) ([][]byte, error) {
	var asked bytes.Buffer
	for i := range files {
		if files[i].IsLink() {
			if strings.Contains(files[i].Path, "\n") {
				return nil, fmt.Errorf("the name of the link %q has a line break", files[i].Path)
			}
			fmt.Fprintf(&asked, "%s:%s\n", tree, files[i].Path)
		} else {
			fmt.Fprintln(&asked, files[i].ID)
		}
	}
	answer, err := r.run(ctx, &asked, "cat-file", "--batch", "--follow-symlinks")
	if isPromised(err) {
		return nil, r.missing(ctx, tree, files)
	}
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(files))
	for i := range files {
		header, rest, _ := bytes.Cut(answer, []byte("\n"))
		fields := strings.Fields(string(header))
		if !files[i].IsLink() && len(fields) == 2 && fields[1] == "missing" {
			return nil, r.missing(ctx, tree, files)
		}
		if len(fields) == 3 && fields[1] == "blob" {
			size, err := strconv.Atoi(fields[2])
			if err != nil || size >= len(rest) {
				return nil, errors.New("unexpected answer of git cat-file")
			}
			out[i] = rest[:size:size]
			answer = rest[size+1:]
			continue
		}
		if answer, err = skipLink(fields, rest); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// skipLink skips the answer about a link that leads to no file of the tree, after its header: git prints the path that
// it leads to, with its length in the header.
func skipLink(header []string, rest []byte) ([]byte, error) {
	if len(header) == 2 && slices.Contains([]string{"dangling", "loop", "notdir", "symlink"}, header[0]) {
		if size, err := strconv.Atoi(header[1]); err == nil && size < len(rest) {
			return rest[size+1:], nil
		}
	}
	if len(header) == 3 { // a directory or a submodule
		if size, err := strconv.Atoi(header[2]); err == nil && size < len(rest) {
			return rest[size+1:], nil
		}
	}
	if len(header) == 2 && header[1] == "missing" {
		return rest, nil
	}
	return nil, errors.New("unexpected answer of git cat-file")
}

// isPromised reports whether git has failed because a partial clone lacks an object, and it may not fetch it.
func isPromised(err error) bool {
	var f *failure
	return errors.As(err, &f) &&
		(strings.Contains(f.reason, "promisor remote") || strings.HasPrefix(f.reason, "transport '"))
}

// maxNamed is how many missing objects an error names.
const maxNamed = 5

// missing returns the error that a partial clone lacks objects of a tree, of these files if it is known, with the
// command that fetches them.
func (r *Repository) missing(ctx context.Context, tree string, files []Entry) error {
	remote := r.promisor(ctx)
	all := &Error{Message: "the clone is partial and lacks objects of " + tree}
	if remote == "" {
		return all
	}
	all.Help = "run git fetch --refetch --no-filter " + remote
	lacks, err := r.run(ctx, nil, "rev-list", "--objects", "--no-object-names", "--missing=print", tree)
	if err != nil {
		return all
	}
	var names []string
	for i := range files {
		if bytes.Contains(lacks, []byte("?"+files[i].ID+"\n")) {
			names = append(names, files[i].Path+" ("+files[i].ID+")")
		}
	}
	if len(names) == 0 {
		return all
	}
	more := ""
	if len(names) > maxNamed {
		more = fmt.Sprintf(" and %d more", len(names)-maxNamed)
		names = names[:maxNamed]
	}
	return &Error{Message: "the clone is partial and lacks " + strings.Join(names, ", ") + more,
		Help: "run git rev-list --objects --missing=print " + tree +
			" | sed -n 's/^?//p' | git fetch --no-tags --no-write-fetch-head --stdin " + remote}
}

// plainName matches names that a shell takes as one word.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)

// promisor returns the remote from which a partial clone fetches missing objects, or "".
func (r *Repository) promisor(ctx context.Context) string {
	answer, err := r.run(ctx, nil, "config", "--get-regexp", `^(remote\..*\.promisor|extensions\.partialclone)$`)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(answer)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		name := value
		if middle, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".promisor"); ok {
			name = middle
		}
		if plainName.MatchString(name) {
			return name
		}
	}
	return ""
}

// text returns the single line of an answer.
func text(answer []byte) string { return strings.TrimSpace(string(answer)) }
