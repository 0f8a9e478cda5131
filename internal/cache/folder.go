package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/internal/filestate"
)

// The permissions of folders and entries: what is in the cache decides what a run writes.
const (
	folderMode = 0o700
	entryMode  = 0o600
	// byOthers are the permissions to write of all users but the owner.
	byOthers fs.FileMode = 0o022
)

// Unusable says why the cache has no entries and stores none, and what to do, "" if it does.
func (c *Cache) Unusable() string {
	if c == nil {
		return "it is off"
	}
	c.open(false)
	return c.distrust
}

// open returns the folder, nil if it does not exist or must not be used. From then on, entries are read and written in
// this folder, even if another one takes its name.
func (c *Cache) open(create bool) *os.Root {
	c.opening.Lock()
	defer c.opening.Unlock()
	if c.root != nil || c.distrust != "" {
		return c.root
	}
	if link := foreignLink(c.dir); link != "" {
		c.distrust = fmt.Sprintf("the link %s belongs to another user; set CRDPROOF_CACHE to a folder of your own",
			link)
		return nil
	}
	root, err := os.OpenRoot(c.dir)
	if errors.Is(err, fs.ErrNotExist) && create {
		root, err = newFolder(c.dir)
	}
	if err != nil {
		return nil
	}
	if c.distrust = distrust(root); c.distrust != "" {
		root.Close()
		return nil
	}
	c.root = root
	return root
}

// tag marks the folder for programs that make backups (https://bford.info/cachedir/).
const tag = "Signature: 8a477f597d28d172789f06886806bc55\n" +
	"# This directory has results of earlier runs of crdproof. It can be removed at any time.\n"

// newFolder creates the folder.
func newFolder(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if err := root.WriteFile("CACHEDIR.TAG", []byte(tag), entryMode); err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// distrust says why a folder must not be used, and what to do, "" if only this user can write in it. It takes all
// permissions from others: earlier versions let them read. Systems without numbers of users decide by other means.
func distrust(root *os.Root) string {
	info, err := root.Stat(".")
	if err != nil {
		return fmt.Sprintf("cannot read %s: %v", root.Name(), err)
	}
	switch user, known := filestate.Owner(info); {
	case !known:
		return ""
	case user != os.Geteuid():
		return fmt.Sprintf("%s belongs to another user; set CRDPROOF_CACHE to a folder of your own", root.Name())
	case info.Mode()&byOthers != 0:
		return fmt.Sprintf("other users can write in %s; remove it", root.Name())
	case info.Mode().Perm()&^folderMode != 0:
		if err := root.Chmod(".", info.Mode().Perm()&folderMode); err != nil {
			return fmt.Sprintf("other users can read %s: %v; remove it", root.Name(), err)
		}
	}
	return ""
}

// isOwn reports whether a file of the folder is an entry that this user has written.
func isOwn(info fs.FileInfo) bool {
	user, known := filestate.Owner(info)
	return info.Mode().IsRegular() && (!known || user == os.Geteuid() && info.Mode()&byOthers == 0)
}

// foreignLink returns a link in a path that neither this user nor the system's owns, "" for none: its owner could lead
// the run to any folder of this user.
func foreignLink(path string) string {
	at := filepath.VolumeName(path) + string(filepath.Separator)
	rest := strings.Split(strings.TrimPrefix(path, at), string(filepath.Separator))
	for links := 0; len(rest) > 0 && links < maxLinks; {
		next := filepath.Join(at, rest[0])
		rest = rest[1:]
		info, err := os.Lstat(next)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		links++
		if user, known := filestate.Owner(info); known && user != os.Geteuid() && user != 0 {
			return next
		}
		to, err := os.Readlink(next)
		if err != nil {
			return next
		}
		if filepath.IsAbs(to) {
			at = filepath.VolumeName(to) + string(filepath.Separator)
			to = strings.TrimPrefix(to, at)
		}
		rest = append(strings.Split(to, string(filepath.Separator)), rest...)
	}
	return ""
}

// maxLinks is how many links a path may lead through; systems follow no more.
const maxLinks = 40
