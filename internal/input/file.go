package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/crdproof/crdproof/internal/effort"
)

// ErrNotRegular means that a path leads to a device, a pipe or a socket, which may have no end.
var ErrNotRegular = errors.New("not a regular file")

// ReadFile reads a regular file of limited size, such as those in a repository, where a link may lead to a device that
// never ends.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir(): // reading a directory has a better error
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	return ReadNamed(path)
}

// ReadNamed reads any file of limited size that a user names, such as a pipe of the shell.
func ReadNamed(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readLimited(f)
	if errors.Is(err, ErrTooLarge) {
		err = &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return data, err
}

// ErrTooLarge means that a file is larger than effort.FileBytes.
var ErrTooLarge = fmt.Errorf("larger than %d MiB (%s in docs/limits.md)", effort.FileBytes.Most>>20,
	effort.FileBytes.Name)

// readLimited reads a stream up to effort.FileBytes.
func readLimited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, effort.FileBytes.Most+1))
	if err == nil && int64(len(data)) > effort.FileBytes.Most {
		return nil, ErrTooLarge
	}
	return data, err
}
