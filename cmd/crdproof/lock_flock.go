//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file or directory until it is closed. If another process has locked it, lockFile waits or returns an
// error. The error is errors.ErrUnsupported if the file system has no locks.
func lockFile(f *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err == nil, errors.Is(err, syscall.EWOULDBLOCK):
			return err
		}
		return errors.Join(errors.ErrUnsupported, err)
	}
}

// cannotSync reports whether an error means that the file system does not support to sync a file.
func cannotSync(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}
