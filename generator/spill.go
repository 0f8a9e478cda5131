package generator

import (
	"bytes"
	"fmt"
	"os"
	"sync"

	"github.com/crdproof/crdproof/emit"
)

// fewBytes is how much the files of a usual project take at most.
const fewBytes = 8 << 20

// A spilled is a file that waits until all CRDs are validated.
type spilled struct {
	path string
	data []byte // nil if it is in the temporary file
	// at and length say where it is there.
	at     int64
	length int
}

// A spill is where the files of a project with hundreds of CRDs wait, which would take more memory than the types that
// they are made of: a temporary file. If there can be none, they wait in memory.
type spill struct {
	mu   sync.Mutex
	file *os.File
	// end is how long the file is, all how many bytes have been finished.
	end, all int64
	failed   bool
}

// put keeps a copy of a file's data.
func (s *spill) put(path string, data []byte) *spilled {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all += int64(len(data))
	if s.all > fewBytes && s.write(data) {
		s.end += int64(len(data))
		return &spilled{path: path, at: s.end - int64(len(data)), length: len(data)}
	}
	return &spilled{path: path, data: bytes.Clone(data)}
}

// write writes data at the end of the temporary file, and reports whether that worked.
func (s *spill) write(data []byte) bool {
	if s.file == nil && !s.failed {
		file, err := os.CreateTemp("", "crdproof-*")
		if s.failed = err != nil; s.failed {
			return false
		}
		s.file = file
		_ = os.Remove(file.Name()) // where open files cannot be removed, close does it
	}
	if !s.failed {
		_, err := s.file.WriteAt(data, s.end)
		s.failed = err != nil
	}
	return !s.failed
}

// take returns a file as it is written.
func (s *spill) take(f *spilled) (emit.File, error) {
	data := f.data
	if data == nil {
		data = make([]byte, f.length)
		if _, err := s.file.ReadAt(data, f.at); err != nil {
			return emit.File{}, fmt.Errorf("read %s back: %w", f.path, err)
		}
	}
	return emit.File{Path: f.path, Data: data}, nil
}

// close removes the temporary file.
func (s *spill) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name()) // it is gone unless put could not remove it
	}
}
