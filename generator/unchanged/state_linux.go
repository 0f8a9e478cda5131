package unchanged

import (
	"io/fs"
	"syscall"
)

// systemState returns the time of the last change, and the number of a file.
func systemState(info fs.FileInfo) (changed, node int64) {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return sys.Ctim.Nano(), int64(sys.Ino)
	}
	return 0, 0
}
