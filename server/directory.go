package server

import (
	"errors"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

// A directory has the data of a server. It is locked as long as the server runs.
type directory struct {
	path string
	lock *fileutil.LockedFile
}

const (
	directoryPattern = "crdproof-server-"
	lockName         = "lock"
)

// newDirectory makes a directory, in memory if the system has a place for that. It removes those that servers have left
// behind that were killed.
func newDirectory() (*directory, error) {
	var err error
	for _, parent := range []string{"/dev/shm", os.TempDir()} {
		var path string
		if path, err = os.MkdirTemp(parent, directoryPattern); err != nil {
			continue
		}
		lock, lockErr := fileutil.TryLockFile(filepath.Join(path, lockName), os.O_WRONLY|os.O_CREATE, 0o600)
		if lockErr != nil {
			return nil, errors.Join(lockErr, os.RemoveAll(path))
		}
		removeLeft(parent)
		return &directory{path, lock}, nil
	}
	return nil, err
}

// removeLeft removes the directories that are no longer locked. One without a lock file is about to be
// locked.
func removeLeft(parent string) {
	locks, err := filepath.Glob(filepath.Join(parent, directoryPattern+"*", lockName))
	if err != nil {
		return // the pattern is valid
	}
	for _, name := range locks {
		if lock, err := fileutil.TryLockFile(name, os.O_WRONLY, 0o600); err == nil {
			_ = os.RemoveAll(filepath.Dir(name)) // the next server tries again
			_ = lock.Close()
		}
	}
}

// remove removes the directory.
func (d *directory) remove() error { return errors.Join(os.RemoveAll(d.path), d.lock.Close()) }
