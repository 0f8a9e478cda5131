// Package verify compares generated files with those on disk.
//
// Its input is the generated files and the stale files. Its output is the differences, as findings, as lines of text or
// as diffs. It changes no files.
package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/stale"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/input"
)

// The checks of --verify.
var (
	fileDiffers = &diag.Check{ID: "file-differs", Mistake: true, Result: true}
	fileMissing = &diag.Check{ID: "file-missing", Mistake: true, Result: true}
)

// A Difference is a file that a run would write or remove.
type Difference struct {
	// path is relative to the working directory or absolute.
	path  string
	check *diag.Check
	// disk and want are the actual and the expected content; nil if the file does not or must not exist.
	disk, want []byte
	// stale is set if the file must not exist.
	stale *stale.File
}

// Differences compares generated files with those on disk, and adds the stale files. The result is sorted by path. A
// file outside of the bounds is an error, because a difference shows what is in it.
func Differences(bounds *target.Bounds, made []emit.File, left []stale.File) ([]Difference, error) {
	var out []Difference
	for _, a := range emit.Effective(made) {
		at, err := bounds.File(a.Path)
		if err != nil {
			return nil, unreadable(a.Path, err)
		}
		_, same, err := Compare(at, a.Data)
		if err != nil {
			return nil, unreadable(a.Path, err)
		}
		if same {
			continue
		}
		d := Difference{path: a.Path, check: fileDiffers, want: a.Data}
		if d.disk, err = at.Read(); errors.Is(err, fs.ErrNotExist) {
			d.check = fileMissing
		} else if err != nil {
			return nil, unreadable(a.Path, err)
		}
		out = append(out, d)
	}
	for i := range left {
		s := &left[i]
		at, err := bounds.Entry(s.Path)
		if err != nil {
			return nil, unreadable(s.Path, err)
		}
		disk, err := at.Read()
		if err != nil {
			return nil, unreadable(s.Path, err)
		}
		out = append(out, Difference{path: s.Path, check: stale.Check, disk: disk, stale: s})
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

func unreadable(path string, err error) error {
	return &fs.PathError{Op: "read", Path: path, Err: input.Cause(err)}
}

// Finding returns the difference as a finding, for the formats for programs.
func (d *Difference) Finding() diag.Diagnostic {
	const remedy = "run the same command without --verify and commit the file"
	switch d.check {
	case fileMissing:
		return diag.Errorf(diag.At(d.source(), 0, 0), fileMissing, "the generated file is missing").
			Help(remedy)
	case stale.Check:
		return d.stale.Finding(diag.Error)
	}
	src, same := d.source(), sameLines(d.disk, d.want)
	got, want := lineAt(d.disk, same), lineAt(d.want, same)
	at := diag.At(src, same, same+len(got))
	if d.onlyLineEnds() {
		return diag.Errorf(at, fileDiffers,
			"the lines end in CRLF; generated lines end in LF; nothing else differs").
			Help("%s", keepLineEnds(d.path))
	}
	if same == len(d.disk) && same > 0 { // the file ends too early: report its last line
		at = diag.At(src, bytes.LastIndexByte(d.disk[:same-1], '\n')+1, same-1)
	}
	out := diag.Errorf(at, fileDiffers, "the file differs from the generated one, from this line on").Help(remedy)
	switch {
	case got == nil:
		return out.Note("got the end of the file").Note("expected %s", want)
	case want == nil:
		return out.Note("got      %s", got).Note("expected the end of the file")
	case bytes.Equal(got, want):
		return out.Note("the line break at the end of the file is missing or must be removed")
	}
	return out.Note("got      %s", got).Note("expected %s", want)
}

// onlyLineEnds reports whether the file only differs in line endings, CRLF instead of LF.
func (d *Difference) onlyLineEnds() bool {
	return d.check == fileDiffers && bytes.Equal(bytes.ReplaceAll(d.disk, []byte("\r\n"), []byte("\n")), d.want)
}

func (d *Difference) source() *diag.Source {
	data := d.disk
	if data == nil {
		data = []byte{} // nil would be read from disk
	}
	return &diag.Source{Path: input.Absolute(d.path), Data: data, Syntax: diag.YAML}
}

// sameLines returns the length of the common lines at the beginning of two texts, in bytes.
func sameLines(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return bytes.LastIndexByte(a[:n], '\n') + 1
}

// lineAt returns the line at an offset, without its line break; nil at the end of the text.
func lineAt(text []byte, offset int) []byte {
	if offset == len(text) {
		return nil
	}
	line, _, _ := bytes.Cut(text[offset:], []byte("\n"))
	return line
}

// WriteDiffs writes diffs for git apply and patch -p1.
func WriteDiffs(w io.Writer, list []Difference, color bool) error {
	for i := range list {
		text := list[i].diff()
		if color {
			text = colored(text)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// String describes the difference in a line, which follows the diffs.
func (d *Difference) String() string {
	switch d.check {
	case fileMissing:
		return input.Shown(d.path) + " is missing"
	case stale.Check:
		f := d.stale.Finding(diag.Error)
		lines := append([]string{input.Shown(d.path) + " is stale: " + d.stale.Why}, f.Notes...)
		if d.stale.Foreign {
			lines = append(lines, "help: "+f.HelpText)
		}
		return strings.Join(lines, "\n   ")
	}
	if d.onlyLineEnds() {
		return input.Shown(d.path) + " differs only in its line endings\n   help: " + keepLineEnds(d.path)
	}
	return input.Shown(d.path) + " differs"
}

// keepLineEnds returns a help that keeps git from changing the line endings of generated files.
func keepLineEnds(path string) string {
	return fmt.Sprintf("add the line *%s text eol=lf to .gitattributes", filepath.Ext(path))
}

// Summary counts the differences and says what to do.
func Summary(list []Difference) string {
	count := map[*diag.Check]int{}
	for i := range list {
		count[list[i].check]++
	}
	var parts []string
	for _, form := range []struct {
		check     *diag.Check
		one, many string
	}{
		{fileDiffers, "differs", "differ"},
		{fileMissing, "is missing", "are missing"},
		{stale.Check, "is stale", "are stale"},
	} {
		n := count[form.check]
		if n == 0 {
			continue
		}
		amount, verb := fmt.Sprint(n), form.many
		if len(parts) == 0 {
			amount = diag.Counted(n, "file")
		}
		if n == 1 {
			verb = form.one
		}
		parts = append(parts, amount+" "+verb)
	}
	help := "run the same command without --verify"
	switch removable := slices.ContainsFunc(list,
		func(d Difference) bool { return d.stale != nil && !d.stale.Foreign }); {
	case removable:
		help = "run the same command with --prune instead of --verify"
	case count[stale.Check] == len(list):
		help = "remove the files that were generated here"
	}
	return strings.Join(parts, ", ") + "; " + help
}

// Checks returns the checks of --verify.
func Checks() []*diag.Check { return []*diag.Check{fileDiffers, fileMissing} }
