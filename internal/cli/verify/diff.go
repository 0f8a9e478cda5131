package verify

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/input"
)

// noFile is the name of a missing file in a diff.
const noFile = "/dev/null"

// diff returns the unified diff from the file on disk to the generated file. It has no line "diff --git", because git
// would then interpret the paths relative to the root of the repository.
func (d *Difference) diff() string {
	from, to := label("a/", d.path), label("b/", d.path)
	switch d.check {
	case fileMissing:
		from = noFile
	case stale.Check:
		to = noFile
	}
	text := udiff.Unified(from, to, string(d.disk), string(d.want))
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), "\t", " ")
		// As for binary files, so that no terminal interprets it and no tool applies it.
		if diag.Printable(line) != line {
			return fmt.Sprintf("Binary files %s and %s differ\n", diag.Printable(from), diag.Printable(to))
		}
	}
	return text
}

// label names a side of a diff. Paths below the working directory are relative to it. As in git, a tab ends a name with
// spaces, because patch would cut it at the first space.
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

// colored colours the lines of a diff as git does, by ANSI "select graphic rendition".
func colored(text string) string {
	const bold, red, green, cyan = "1", "31", "32", "36"
	ofHunks := map[string]string{"@": cyan, "-": red, "+": green}
	var out strings.Builder
	inHunk := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		inHunk = inHunk || strings.HasPrefix(line, "@@")
		style := bold
		if inHunk {
			style = ofHunks[line[:min(1, len(line))]]
		}
		if style != "" {
			line = "\x1b[" + style + "m" + line + "\x1b[0m"
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}
