package input

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// Revision splits an argument of the form <revision>:<path>. ok is unset for all others.
func Revision(arg string) (commit, path string, ok bool) {
	r, ok := revisionOf(arg)
	return r.commit, r.path, ok
}

// IsCommit reports whether git knows a revision by that name, unless a file has the name.
func IsCommit(name string) bool {
	if _, err := os.Stat(name); err == nil || strings.HasPrefix(name, "-") || strings.Contains(name, ":") {
		return false
	}
	_, err := git(nil, "rev-parse", "--verify", "--quiet", name+"^{tree}")
	return err == nil
}

// Checkout writes all files of a revision to a directory, which must exist, and returns the directory in it that is the
// working directory of the repository. Links that lead out of the repository are left out. The repository does not
// change.
func Checkout(ctx context.Context, commit, dir string) (string, error) {
	prefix, err := Git(ctx, "", nil, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	root, err := Git(ctx, "", nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(commit, "-") {
		return "", fmt.Errorf("unknown revision %s", commit)
	}
	data, err := Git(ctx, text(root), nil, "archive", "--format=tar", commit)
	if err != nil {
		return "", err
	}
	if err := extract(tar.NewReader(bytes.NewReader(data)), dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.FromSlash(text(prefix))), nil
}

// extract writes the files of an archive below a directory.
func extract(archive *tar.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var links []string
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return dropLinks(root, links)
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(strings.TrimSuffix(header.Name, "/"))
		switch header.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o777)
		case tar.TypeSymlink:
			links = append(links, name)
			err = root.Symlink(header.Linkname, name)
		case tar.TypeReg:
			err = extractFile(root, name, archive)
		}
		if err != nil {
			return err
		}
	}
}

// dropLinks removes the links that lead out of root, or nowhere: others read the files without root.
func dropLinks(root *os.Root, links []string) error {
	for _, name := range links {
		if _, err := root.Stat(name); err != nil {
			if err := root.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func extractFile(root *os.Root, name string, content io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

// UnknownCommit reports an argument that is neither a file nor a revision.
func UnknownCommit(arg string) diag.Diagnostic {
	return Errorf("%s is neither a file, a directory nor a git revision", arg).
		Help("%s", revision{arg: arg, commit: arg}.meant())
}
