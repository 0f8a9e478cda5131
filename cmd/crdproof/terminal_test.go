package main

import (
	"bytes"
	"io"
	"testing"
)

// TestProgressLine draws the line by hand instead of by the clock.
func TestProgressLine(t *testing.T) {
	var screen bytes.Buffer
	width := 80
	line := &progressLine{out: &screen, width: func() int { return width }, paced: true}
	stderr := &terminal{file: &screen, line: line}
	expect := func(what, want string) {
		t.Helper()
		if screen.String() != want {
			t.Errorf("%s: %q, want %q", what, &screen, want)
		}
		screen.Reset()
	}
	line.report("validating CRDs", 1, 9)
	expect("before the clock draws", "")
	line.draw()
	expect("first", "\r\x1b[Kcrdproof: validating CRDs, 1 of 9")
	line.draw()
	expect("nothing new", "")
	line.report("validating CRDs", 2, 9)
	line.report("validating CRDs", 3, 9)
	line.draw()
	expect("two at once", "\r\x1b[Kcrdproof: validating CRDs, 3 of 9")
	width = 15
	line.draw()
	expect("a narrow window", "\r\x1b[Kcrdproof: vali")
	width = 0
	line.draw()
	expect("no window", "\r\x1b[K")
	width = 80
	line.report("größe", 3, 0)
	width = 14
	line.draw()
	expect("cut between characters", "\r\x1b[Kcrdproof: grö")
	if _, err := io.WriteString(stderr, "error: x\n"); err != nil {
		t.Fatal(err)
	}
	expect("text", "\r\x1b[Kerror: x\n")
	line.draw()
	if _, err := io.WriteString(stderr, "1 error\n"); err != nil {
		t.Fatal(err)
	}
	expect("more text", "1 error\n")
}

// TestNoProgress makes sure that no progress is drawn if standard error is not a terminal, or cannot erase lines.
func TestNoProgress(t *testing.T) {
	for _, stderr := range []io.Writer{io.Discard, &terminal{file: io.Discard}} {
		rep := &reporter{stderr: stderr}
		if rep.progress() != nil {
			t.Errorf("progress on %T", stderr)
		}
		rep.progress().Report("nothing", 1, 2)
	}
	var line *progressLine
	line.pace()
	line.clear()
}
