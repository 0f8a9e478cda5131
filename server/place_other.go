//go:build !linux

package server

import (
	"errors"
	"fmt"
	"io/fs"
)

// inMemory is where Linux has a file system in memory.
const inMemory = "/dev/shm"

// openPlain is without flags: the temporary directory belongs to the user.
const openPlain = 0

// freeBytes returns an error: only Linux has file systems in memory that everybody may use.
func freeBytes(dir string) (uint64, error) {
	return 0, fmt.Errorf("%s: %w", dir, errors.ErrUnsupported)
}

// isPrivate reports whether a file is a directory.
func isPrivate(info fs.FileInfo) bool { return info.IsDir() }
