//go:build darwin || freebsd || netbsd

package filestate

import (
	"io/fs"
	"syscall"
)

// systemState returns the time of the last change, and the numbers of a file and of its file system.
func systemState(info fs.FileInfo) (changed, node, device int64) {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return sys.Ctimespec.Nano(), int64(sys.Ino), int64(sys.Dev)
	}
	return 0, 0, 0
}
