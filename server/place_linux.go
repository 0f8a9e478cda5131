package server

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// inMemory is a directory whose files are in memory.
const inMemory = "/dev/shm"

// openPlain are flags for opening a file: it does not wait for the other end of a pipe and does not follow links.
const openPlain = syscall.O_NONBLOCK | syscall.O_NOFOLLOW

// freeBytes returns the space in the file system of a directory that this user may use.
func freeBytes(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// isPrivate reports whether a file is a directory that belongs to this user and to which others have no access.
func isPrivate(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.IsDir() && int(stat.Uid) == os.Geteuid() && info.Mode().Perm() == 0o700
}
