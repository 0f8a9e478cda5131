//go:build unix

package filestate

import (
	"io/fs"
	"syscall"
)

// Owner returns the number of the user to whom a file belongs. known is unset if the system has no such number.
func Owner(info fs.FileInfo) (user int, known bool) {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(sys.Uid), true
	}
	return 0, false
}
