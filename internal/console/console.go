// Package console says what the terminal behind a stream can show.
package console

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// defaultColumns is the width of a terminal that does not say how wide it is.
const defaultColumns = 80

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// IsSmart reports whether the terminal can move the cursor and erase.
func IsSmart() bool { return os.Getenv("TERM") != "dumb" }

// Colors reports whether text on a stream may be coloured. See no-color.org.
func Colors(stream any) bool { return Is(stream) && IsSmart() && os.Getenv("NO_COLOR") == "" }

// Columns returns how many columns the lines on a stream may have: what the environment variable COLUMNS says, or else
// the width of the terminal. It is 0 if nothing limits them, as in a pipe or a file.
func Columns(stream any) int {
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	if !Is(stream) {
		return 0
	}
	return Width(stream.(*os.File))
}

// Width returns how many columns a terminal has.
func Width(f *os.File) int {
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return defaultColumns
}
