// Package filestate returns what the system knows of a file without reading it: its size and times, which tell whether
// its content may have changed, and its owner.
package filestate

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// A State is what the system knows of a file without reading it. The zero value is that of a file that does not exist.
type State struct {
	Mode, Size int64
	// Modified and Changed are times in nanoseconds; Changed is that of the last change of any kind, 0 if the system
	// has none. Programs can set the first, but not the second.
	Modified, Changed int64
	// Node identifies a file among those of a file system, and Device the file system. They are 0 if the system has no
	// such numbers.
	Node, Device int64
}

// Of returns the state of a file or directory, through links.
func Of(path string) State {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}
	case err != nil:
		return State{Mode: -1}
	}
	return In(info)
}

// In returns the state that the system has reported.
func In(info fs.FileInfo) State {
	at := State{Mode: int64(info.Mode()), Size: info.Size(), Modified: info.ModTime().UnixNano()}
	at.Changed, at.Node, at.Device = systemState(info)
	return at
}

// IsSettled reports whether the state was reached before a time: a later change has another state. Systems take times
// from a clock that is late by up to a hundredth of a second, and some file systems drop the fractions of seconds.
func (s State) IsSettled(before time.Time) bool {
	last, late := s.Changed, 20*time.Millisecond
	if last == 0 {
		last = s.Modified
	}
	if last%int64(time.Second) == 0 {
		late = 3 * time.Second
	}
	return s == State{} || s.Mode >= 0 && last < before.Add(-late).UnixNano()
}

// Numbers returns all parts of the state, in the order of its fields.
func (s State) Numbers() []int64 {
	return []int64{s.Mode, s.Size, s.Modified, s.Changed, s.Node, s.Device}
}
