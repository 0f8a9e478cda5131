// Package verify compares the files that a run writes with those on disk.
//
// The input is finished files and stale files. The output is differences, each as a finding, as a line or as a diff.
// The package changes no files.
package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stale"
)

// What --verify finds.
var (
	fileDiffers = &diag.Check{
		ID: "file-differs", Mistake: true,
		Doc: "With --verify: a file is not what would be generated, from this line on. Run the same without " +
			"--verify, and commit the file.",
	}
	fileMissing = &diag.Check{
		ID: "file-missing", Mistake: true,
		Doc: "With --verify: a file would be generated, but is not there. Run the same without --verify, and commit " +
			"the file.",
	}
)

// A Difference is a file that is not as a run would leave it.
type Difference struct {
	// path is relative to the working directory or absolute.
	path  string
	check *diag.Check
	// disk and want are the content that the file has and should have; nil where there is none, or should be none.
	disk, want []byte
	// stale is set where the file should not be there.
	stale *stale.File
}

// Differences compares what a run made with what is on disk, and adds the stale files. They are in the order of their
// paths.
func Differences(made []emit.File, left []stale.File) ([]Difference, error) {
	var out []Difference
	for _, a := range emit.Effective(made) {
		_, same, err := Compare(Target(a.Path), a.Data)
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: a.Path, Err: input.Cause(err)}
		}
		if same {
			continue
		}
		d := Difference{path: a.Path, check: fileDiffers, want: a.Data}
		if d.disk, err = os.ReadFile(a.Path); errors.Is(err, fs.ErrNotExist) {
			d.check = fileMissing
		} else if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	for i := range left {
		s := &left[i]
		disk, err := os.ReadFile(s.Path)
		if err != nil {
			return nil, err
		}
		out = append(out, Difference{path: s.Path, check: stale.Check, disk: disk, stale: s})
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

// Finding is a difference in the formats for programs.
func (d *Difference) Finding() diag.Diagnostic {
	const remedy = "run the same without --verify, and commit the file"
	switch d.check {
	case fileMissing:
		return diag.Errorf(diag.At(d.source(), 0, 0), fileMissing, "the file would be generated, but is not there").
			Help(remedy)
	case stale.Check:
		return d.stale.Finding(diag.Error)
	}
	src, same := d.source(), sameLines(d.disk, d.want)
	is, want := lineAt(d.disk, same), lineAt(d.want, same)
	at := diag.At(src, same, same+len(is))
	if d.onlyLineEnds() {
		return diag.Errorf(at, fileDiffers,
			"the lines end in CRLF, not in LF as they would be generated; nothing else differs").
			Help("%s", keepLineEnds(d.path))
	}
	if same == len(d.disk) && same > 0 { // which ends too early: the finding is at its last line
		at = diag.At(src, bytes.LastIndexByte(d.disk[:same-1], '\n')+1, same-1)
	}
	out := diag.Errorf(at, fileDiffers, "the file is not what would be generated, from this line on").Help(remedy)
	switch {
	case is == nil:
		return out.Note("it ends here").Note("it should go on with %s", want)
	case want == nil:
		return out.Note("it is        %s", is).Note("it should end before")
	case bytes.Equal(is, want):
		return out.Note("the line break at the end of the last line is missing, or too much")
	}
	return out.Note("it is        %s", is).Note("it should be %s", want)
}

// onlyLineEnds reports whether the file would be right, were its lines not ended as Windows ends them.
func (d *Difference) onlyLineEnds() bool {
	return d.check == fileDiffers && bytes.Equal(bytes.ReplaceAll(d.disk, []byte("\r\n"), []byte("\n")), d.want)
}

func (d *Difference) source() *diag.Source {
	data := d.disk
	if data == nil {
		data = []byte{} // else it would be read
	}
	return &diag.Source{Path: input.Absolute(d.path), Data: data, Syntax: diag.YAML}
}

// sameLines is how many bytes the lines have that two texts begin with.
func sameLines(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return bytes.LastIndexByte(a[:n], '\n') + 1
}

// lineAt is the line that begins at an offset, without its line break; nil at the end of the text.
func lineAt(text []byte, offset int) []byte {
	if offset == len(text) {
		return nil
	}
	line, _, _ := bytes.Cut(text[offset:], []byte("\n"))
	return line
}

// WriteDiffs writes what git apply and patch -p1 understand.
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

// String is a line about a difference, for who sees its diff above.
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
		return input.Shown(d.path) + " differs in its line ends alone\n   help: " + keepLineEnds(d.path)
	}
	return input.Shown(d.path) + " differs"
}

// keepLineEnds is how git is told to leave the line ends of generated files alone.
func keepLineEnds(path string) string {
	return fmt.Sprintf("*%s text eol=lf in .gitattributes keeps git from changing them", filepath.Ext(path))
}

// Summary counts differences, and says what to do.
func Summary(list []Difference) string {
	count := map[*diag.Check]int{}
	for i := range list {
		count[list[i].check]++
	}
	var parts []string
	for _, is := range []struct {
		check     *diag.Check
		one, many string
	}{
		{fileDiffers, "differs", "differ"},
		{fileMissing, "is missing", "are missing"},
		{stale.Check, "is stale", "are stale"},
	} {
		n := count[is.check]
		if n == 0 {
			continue
		}
		amount, verb := fmt.Sprint(n), is.many
		if len(parts) == 0 {
			amount = diag.Counted(n, "file")
		}
		if n == 1 {
			verb = is.one
		}
		parts = append(parts, amount+" "+verb)
	}
	help := "run the same without --verify"
	switch removable := slices.ContainsFunc(list,
		func(d Difference) bool { return d.stale != nil && !d.stale.Foreign }); {
	case removable:
		help = "run the same with --prune instead of --verify"
	case count[stale.Check] == len(list):
		help = "remove what was made here"
	}
	return strings.Join(parts, ", ") + "; " + help
}

// Checks is the table of differences.
func Checks() []*diag.Check { return []*diag.Check{fileDiffers, fileMissing} }
