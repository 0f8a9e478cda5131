package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

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
	clientSocket     = "client.sock"
	peerSocket       = "peer.sock"
)

// neededBytes is the free space with which a file system in memory is used: twice the 120 MB that a server took after
// 5000 objects of 2 kB and 400 writes of 100 kB, which are those for 100 CRDs. A server without objects takes 2 MB.
// Containers have 64 MiB, unless they ask for more.
const neededBytes = 256 << 20

// longestSocket is the number of bytes that the path of a socket may have, with a zero at the end.
const longestSocket = len(syscall.RawSockaddrUnix{}.Path) - 1

// newDirectory makes a directory, in memory if the system has enough space there. It removes those that servers have
// left behind that were killed.
func newDirectory() (*directory, error) {
	removeLeft(inMemory) // its space counts as free
	removeLeft(os.TempDir())
	err := checkSpace(inMemory)
	if err == nil {
		var d *directory
		if d, err = newDirectoryIn(inMemory); err == nil {
			return d, nil
		}
	}
	d, tempErr := newDirectoryIn(os.TempDir())
	if tempErr == nil {
		return d, nil
	}
	return nil, fmt.Errorf("no directory for the data of etcd: %w, and %w; set TMPDIR to a directory with a short "+
		"path in which you may write", err, tempErr)
}

// checkSpace returns an error if a file system in memory is too small.
func checkSpace(dir string) error {
	free, err := freeBytes(dir)
	if err == nil && free < neededBytes {
		err = fmt.Errorf("%s has %d MiB of free space: expected %d MiB", dir, free>>20, neededBytes>>20)
	}
	return err
}

// newDirectoryIn makes a directory in another one.
func newDirectoryIn(parent string) (*directory, error) {
	parent, err := filepath.Abs(parent) // the process may change its working directory
	if err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(parent, directoryPattern)
	if err != nil {
		return nil, err
	}
	lock, err := lockNew(path)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	return &directory{path, lock}, nil
}

// lockNew makes the lock of a new directory. It gets its name when it is locked: another server removes a directory
// whose lock it can get.
func lockNew(path string) (*fileutil.LockedFile, error) {
	if socket := filepath.Join(path, clientSocket); len(socket) > longestSocket {
		return nil, fmt.Errorf("%s: the path of a socket may have %d bytes, got %d",
			socket, longestSocket, len(socket))
	}
	name := filepath.Join(path, lockName)
	lock, err := fileutil.TryLockFile(name+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(name+".new", name); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// removeLeft removes the directories in another one that are no longer locked. One without a lock is about to be
// locked. Anyone may write into the other one, so what belongs to other users is not followed, opened or removed.
func removeLeft(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return // making a directory there reports it
	}
	for _, entry := range entries {
		path := filepath.Join(parent, entry.Name())
		if !strings.HasPrefix(entry.Name(), directoryPattern) {
			continue
		}
		if info, err := entry.Info(); err != nil || !isPrivate(info) {
			continue
		}
		lock, err := fileutil.TryLockFile(filepath.Join(path, lockName), os.O_WRONLY|openPlain, 0o600)
		if err != nil {
			continue
		}
		left := directory{path, lock}
		_ = left.remove() // the next server tries again
	}
}

// remove removes the directory. Its lock is the last file to go, so that the next server removes what remains if the
// process is killed.
func (d *directory) remove() error {
	entries, err := os.ReadDir(d.path)
	for _, entry := range entries {
		if entry.Name() != lockName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(d.path, entry.Name())))
		}
	}
	if err == nil {
		err = os.RemoveAll(d.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // another program has removed it
	}
	return errors.Join(err, d.lock.Close())
}
