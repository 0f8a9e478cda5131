package verify

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Target returns what a path leads to: the end of a link is replaced, not the link, even where nothing is there yet.
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

// Compare reports whether a file has the given content already, and its permissions; 0 where there is no file. It reads
// piece by piece: the old content of hundreds of CRDs need not be in memory beside the new.
func Compare(path string, data []byte) (mode fs.FileMode, same bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	if !info.Mode().IsRegular() {
		return 0, false, &fs.PathError{Op: "open", Path: path, Err: errors.New("what is there is no regular file")}
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
