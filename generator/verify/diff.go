package verify

import (
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stale"
)

// noFile is how diffs name the side that has no file.
const noFile = "/dev/null"

// diff is the unified diff that leads from what is on disk to what should be there. It has no line "diff --git", with
// which git would take the paths as those below the root of the repository.
func (d *Difference) diff() string {
	from, to := label("a/", d.path), label("b/", d.path)
	switch d.check {
	case fileMissing:
		from = noFile
	case stale.Check:
		to = noFile
	}
	return udiff.Unified(from, to, string(d.disk), string(d.want))
}

// label names a side of a diff. What stands below the working directory is relative to it. As in git, a tab ends a name
// with spaces, which patch would cut there.
func label(side, path string) string {
	name := filepath.ToSlash(input.Shown(path))
	if !filepath.IsAbs(path) || name != filepath.ToSlash(path) {
		name = side + name
	}
	if strings.ContainsRune(name, ' ') {
		name += "\t"
	}
	return name
}

// The colours of a diff are those of git: ANSI "select graphic rendition" parameters.
const (
	boldText  = "1"
	redText   = "31"
	greenText = "32"
	cyanText  = "36"
)

// colored gives each line of a diff its colour.
func colored(text string) string {
	var out strings.Builder
	inHunk := false
	for line := range strings.Lines(text) {
		line, end := strings.TrimSuffix(line, "\n"), "\n"
		style := ""
		switch {
		case strings.HasPrefix(line, "@@"):
			style, inHunk = cyanText, true
		case !inHunk:
			style = boldText
		case strings.HasPrefix(line, "-"):
			style = redText
		case strings.HasPrefix(line, "+"):
			style = greenText
		}
		if style != "" {
			line = "\x1b[" + style + "m" + line + "\x1b[0m"
		}
		out.WriteString(line + end)
	}
	return out.String()
}
