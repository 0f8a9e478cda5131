package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeAll brings the artifacts to disk, and what is for standard output there, in order. All files are first written
// beside their targets, so that a full disk or a missing permission is found before the first target changes.
func writeAll(list []artifact, stdout io.Writer) error {
	staged, err := stageAll(list)
	if err != nil {
		for _, s := range staged {
			os.Remove(s.temp)
		}
		return fmt.Errorf("%w; no file was changed", err)
	}
	var errs []error
	for _, s := range staged {
		if err := os.Rename(s.temp, s.target); err != nil {
			os.Remove(s.temp)
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, a := range list {
		if a.path == "" {
			if _, err := stdout.Write(a.data); err != nil {
				return err
			}
		}
	}
	return nil
}

// A stagedFile is written under a temporary name and waits to be renamed.
type stagedFile struct {
	temp, target string
}

// stageAll returns what it has staged even when it fails.
func stageAll(list []artifact) ([]stagedFile, error) {
	// Where two generators make the same file the later one wins, as if each had written it in its turn.
	last := map[string]int{}
	for i, a := range list {
		if a.path != "" {
			last[filepath.Clean(a.path)] = i
		}
	}
	var staged []stagedFile
	for i, a := range list {
		if a.path == "" || last[filepath.Clean(a.path)] != i {
			continue
		}
		s, changed, err := stage(a)
		if err != nil {
			return staged, err
		}
		if changed {
			staged = append(staged, s)
		}
	}
	return staged, nil
}

// stage writes one artifact beside its target, unless the target has that content already.
func stage(a artifact) (s stagedFile, changed bool, err error) {
	target := followed(a.path)
	mode, same, err := compare(target, a.data)
	if err != nil || same {
		return stagedFile{}, false, err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return stagedFile{}, false, err
	}
	s = stagedFile{temp: filepath.Join(filepath.Dir(target), ".crdproof-"+rand.Text()), target: target}
	if err := writeNew(s.temp, a.data, mode); err != nil {
		os.Remove(s.temp)
		return stagedFile{}, false, err
	}
	return s, true, nil
}

// followed returns what a path leads to: the end of a link is replaced, not the link, even where nothing is there yet.
func followed(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	for range 40 { // as many links as Linux follows
		next, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return path
}

// compare reports whether a file has the given content already, and its permissions; 0 where there is no file. It reads
// piece by piece: the old content of hundreds of CRDs need not be in memory beside the new.
func compare(path string, data []byte) (mode fs.FileMode, same bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	if !info.Mode().IsRegular() {
		return 0, false, fmt.Errorf("%s is in the way: it is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	mode = info.Mode().Perm()
	if info.Size() != int64(len(data)) {
		return mode, false, nil
	}
	buffer := make([]byte, 64<<10)
	for len(data) > 0 {
		n, err := f.Read(buffer)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, false, err
		}
		if n == 0 || n > len(data) || !bytes.Equal(buffer[:n], data[:n]) {
			return mode, false, nil
		}
		data = data[n:]
	}
	return mode, true, nil
}

// writeNew creates a file with the given permissions; 0 leaves them to the umask.
func writeNew(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	_, err = f.Write(data)
	return err
}
