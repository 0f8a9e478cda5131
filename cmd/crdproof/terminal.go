package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/console"
)

// A terminal is standard output or standard error, if it is a terminal.
type terminal struct {
	file io.Writer
	// color is set if text may be coloured.
	color bool
	// line is erased before anything is written; nil if no progress is drawn.
	line *progressLine
	// elapsed returns how long the process has run.
	elapsed func() time.Duration
}

// Write implements io.Writer.
func (t *terminal) Write(p []byte) (int, error) {
	t.line.clear()
	return t.file.Write(p)
}

// terminals wraps each of the two files that is a terminal. Progress is shown only on standard error: line is nil if
// that is not a terminal, or one whose lines cannot be erased.
func terminals(stdout, stderr *os.File, elapsed func() time.Duration) (out, err io.Writer, line *progressLine) {
	if console.Is(stderr) && console.IsSmart() {
		line = &progressLine{out: stderr, width: func() int { return console.Width(stderr) }}
	}
	wrap := func(f *os.File) io.Writer {
		if console.Is(f) {
			return &terminal{f, console.Colors(f), line, elapsed}
		}
		return f
	}
	return wrap(stdout), wrap(stderr), line
}

// columnsOf returns how many columns lines on a stream of the process may have, or 0 if nothing limits them.
func columnsOf(w io.Writer) int {
	if t := terminalOf(w); t != nil {
		return console.Columns(t.file)
	}
	if f, ok := unwatched(w).(*os.File); ok {
		return console.Columns(f)
	}
	return 0
}

// wantsColor reports whether text on a stream may be coloured.
func wantsColor(w io.Writer) bool {
	t := terminalOf(w)
	return t != nil && t.color
}

// terminalOf returns the terminal behind a stream, or nil if it is not a terminal.
func terminalOf(w io.Writer) *terminal {
	t, _ := unwatched(w).(*terminal)
	return t
}

// unwatched returns the stream that a watched writer writes to.
func unwatched(w io.Writer) io.Writer {
	if s, ok := w.(*watched); ok {
		return s.Writer
	}
	return w
}

// A progressLine shows the progress of a run in the last line of a terminal. Its methods are safe for concurrent use;
// those of a nil line do nothing.
type progressLine struct {
	out   io.Writer
	width func() int

	mu sync.Mutex
	// text is the text to show, "" for none; shown is the text on the terminal.
	text, shown string
	// paced is set if a clock draws. Otherwise every text is drawn at once.
	paced bool
}

// The pace of progress: short runs show none.
const (
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
)

// pace draws at regular intervals until the process ends.
func (l *progressLine) pace() {
	if l == nil {
		return
	}
	l.paced = true
	go func() {
		time.Sleep(progressAfter)
		for range time.Tick(progressEvery) {
			l.draw()
		}
	}()
}

// report implements stage.Progress.
func (l *progressLine) report(stage string, done, total int) {
	text := "crdproof: " + stage
	switch {
	case total > 0:
		text += fmt.Sprintf(", %d of %d", done, total)
	case done > 0:
		text += fmt.Sprintf(", %d", done)
	}
	l.mu.Lock()
	l.text = diag.Printable(text)
	l.mu.Unlock()
	if !l.paced {
		l.draw()
	}
}

// draw updates the line on the terminal.
func (l *progressLine) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := []rune(l.text)
	text = text[:min(len(text), max(l.width()-1, 0))] // a full line would make some terminals begin another
	if string(text) != l.shown {
		l.shown = string(text)
		// A failure cannot be shown either; the run goes on.
		_, _ = io.WriteString(l.out, eraseLine+l.shown)
	}
}

// clear erases the line until the next report.
func (l *progressLine) clear() {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.text = ""
	l.mu.Unlock()
	l.draw()
}

// eraseLine moves to the beginning of the line and erases it (ECMA-48: CR, EL).
const eraseLine = "\r\x1b[K"
