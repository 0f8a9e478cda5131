package verify

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Target follows links: the target of a link is replaced, not the link, even if the target does not exist yet.
func Target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	for range 40 { // as many links as Linux follows
		next, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return path
}

// Compare reports whether a file has the given content, and returns its permissions, 0 if it does not exist. It reads
// the file in pieces, to keep the old content of hundreds of CRDs out of memory.
func Compare(path string, data []byte) (mode fs.FileMode, same bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	if !info.Mode().IsRegular() {
		return 0, false, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	mode = info.Mode().Perm()
	if info.Size() != int64(len(data)) {
		return mode, false, nil
	}
	buffer := make([]byte, 64<<10)
	for len(data) > 0 {
		n, err := f.Read(buffer)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, false, err
		}
		if n == 0 || n > len(data) || !bytes.Equal(buffer[:n], data[:n]) {
			return mode, false, nil
		}
		data = data[n:]
	}
	return mode, true, nil
}
