package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/crdproof/crdproof/internal/cli/target"
)

// Compare reports whether a file has the given content, and returns its permissions, 0 if it does not exist. It reads
// the file in pieces, to keep the old content of hundreds of CRDs out of memory.
func Compare(at target.Target, data []byte) (mode fs.FileMode, same bool, err error) {
	info, err := at.Root.Lstat(at.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	if !info.Mode().IsRegular() { // to open a named pipe would wait for another process
		return 0, false, fmt.Errorf("expected a regular file, got %s", typeName(info.Mode()))
	}
	f, err := at.Root.Open(at.Name)
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

// typeName returns what a file is called that is not a regular one.
func typeName(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
