package main

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

	"github.com/crdproof/crdproof/generator/diag"
)

// The ids of what --verify finds.
const (
	ruleDiffers = "file-differs"
	ruleMissing = "file-missing"
	ruleStale   = "file-stale"
)

// A difference is a file that is not as a run would leave it.
type difference struct {
	// path is relative to the working directory or absolute.
	path string
	rule string
	// disk and want are the content that the file has and should have; nil where there is none, or should be none.
	disk, want []byte
	// stale is set where the file should not be there.
	stale *staleFile
}

// differences compares what a run made with what is on disk, and adds the stale files. They are in the order of their paths.
func differences(made []artifact, stale []staleFile) ([]difference, error) {
	var out []difference
	for _, a := range effective(made) {
		if _, same, err := compare(followed(a.path), a.data); err != nil || same {
			if err != nil {
				return nil, &fs.PathError{Op: "read", Path: a.path, Err: cause(err)}
			}
			continue
		}
		d := difference{path: a.path, rule: ruleDiffers, want: a.data}
		var err error
		if d.disk, err = os.ReadFile(a.path); errors.Is(err, fs.ErrNotExist) {
			d.rule = ruleMissing
		} else if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	for i := range stale {
		s := &stale[i]
		disk, err := os.ReadFile(s.path)
		if err != nil {
			return nil, err
		}
		out = append(out, difference{path: s.path, rule: ruleStale, disk: disk, stale: s})
	}
	slices.SortStableFunc(out, func(a, b difference) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

// checkMode finds flags that make no sense together, or with the output rules.
func checkMode(set settings, p plan) []diag.Diagnostic {
	switch {
	case set.verify && set.prune:
		return []diag.Diagnostic{verifyAndPrune()}
	case set.verify && !slices.ContainsFunc(p.generators, func(g invocation) bool { return p.writesFiles(g.name) }):
		return []diag.Diagnostic{nothingToVerify()}
	case set.prune && !p.writesFiles("crd") && !p.writesFiles("helpers"):
		return []diag.Diagnostic{nothingToPrune()}
	}
	return nil
}

// writesFiles reports whether a generator runs and has a place for its files. That of applyconfiguration is no output rule's.
func (p *plan) writesFiles(generator string) bool {
	kind := p.outputs.of(generator).kind
	return p.invokes(generator) && (kind == toDir || kind == toArtifacts || generator == "applyconfiguration")
}

// differences reports what a run would change: as findings beside the others in the formats for programs, else as a diff. It
// returns the exit code.
func (r *reporter) differences(made []artifact, stale leftovers, found []diag.Diagnostic) int {
	list, err := differences(made, stale.files)
	if err != nil {
		return r.failed(err)
	}
	found = append(found, stale.notes...)
	if r.format != formatText {
		for i := range list {
			found = append(found, list[i].finding())
		}
		return r.write(diag.Sort(found))
	}
	code := r.write(found)
	if code != exitClean || len(list) == 0 {
		return code
	}
	if err := writeDiffs(r.stdout, list, wantsColor(r.stdout)); err != nil {
		return r.failed(err)
	}
	for i := range list {
		fmt.Fprintln(r.stderr, list[i].String())
	}
	fmt.Fprintln(r.stderr, summary(list))
	return exitFound
}

// finding is a difference in the formats for programs.
func (d *difference) finding() diag.Diagnostic {
	switch d.rule {
	case ruleMissing:
		return missingFile(d.source())
	case ruleStale:
		return d.stale.finding(diag.Error)
	}
	src, same := d.source(), sameLines(d.disk, d.want)
	is, want := lineAt(d.disk, same), lineAt(d.want, same)
	at := diag.At(src, same, same+len(is))
	if d.onlyLineEnds() {
		return otherLineEnds(at, d.path)
	}
	if same == len(d.disk) && same > 0 { // which ends too early: the finding is at its last line
		at = diag.At(src, bytes.LastIndexByte(d.disk[:same-1], '\n')+1, same-1)
	}
	return changedFile(at, is, want)
}

// onlyLineEnds reports whether the file would be right, were its lines not ended as Windows ends them.
func (d *difference) onlyLineEnds() bool {
	return d.rule == ruleDiffers && bytes.Equal(bytes.ReplaceAll(d.disk, []byte("\r\n"), []byte("\n")), d.want)
}

func (d *difference) source() *diag.Source {
	data := d.disk
	if data == nil {
		data = []byte{} // else it would be read
	}
	return &diag.Source{Path: absolute(d.path), Data: data, Syntax: diag.YAML}
}

// absolute is the path that positions have, which formats shorten again as they need it.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
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

// writeDiffs writes what git apply and patch -p1 understand.
func writeDiffs(w io.Writer, list []difference, color bool) error {
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
