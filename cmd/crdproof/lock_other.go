//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import (
	"errors"
	"os"
)

// lockFile returns errors.ErrUnsupported.
func lockFile(*os.File, bool) error { return errors.ErrUnsupported }

// cannotSync reports whether an error means that the file system does not support to sync a file.
func cannotSync(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
