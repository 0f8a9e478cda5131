package adopt

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
)

// A file may have calls.
type file struct {
	// name is the path with slashes, relative to the repository.
	name string
	data []byte
	kind *kind
	// ends are the offsets of the line ends.
	ends []int
}

func newFile(name string, data []byte, k *kind) *file {
	f := &file{name: name, data: data, kind: k}
	for i, c := range data {
		if c == '\n' {
			f.ends = append(f.ends, i)
		}
	}
	return f
}

// line returns the number of the line at an offset.
func (f *file) line(offset int) int {
	before, _ := slices.BinarySearch(f.ends, offset)
	return 1 + before
}

// lineText returns the line at an offset without blanks around it.
func (f *file) lineText(offset int) string {
	start := bytes.LastIndexByte(f.data[:offset], '\n') + 1
	line, _, _ := bytes.Cut(f.data[start:], []byte("\n"))
	return strings.TrimSpace(string(line))
}

// A kind is a kind of files that may call controller-gen.
type kind struct {
	name string
	// has reports whether a file with a name is of the kind.
	has func(name string) bool
	// calls returns the calls in a file.
	calls func(ctx context.Context, f *file, all map[string]*file) []Call
	// invocation returns what a file of the kind writes to start crdproof.
	invocation func(tool, command string) string
}

// kinds returns the table of kinds of files, in the order of the documentation.
func kinds() []*kind {
	hasExt := func(list ...string) func(string) bool {
		return func(name string) bool { return slices.Contains(list, filepath.Ext(name)) }
	}
	return []*kind{
		{"Makefile", isMakefile, makefileCalls, inMakefile},
		{"script", hasExt(".sh", ".bash"), scriptCalls, inShell},
		{"Taskfile", isTaskfile, taskfileCalls, inShell},
		{"go:generate", hasExt(".go"), generateCalls, inGo},
	}
}

func isMakefile(name string) bool {
	return slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, name) || filepath.Ext(name) == ".mk"
}

func isTaskfile(name string) bool {
	stem, ext := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
	return strings.EqualFold(stem, "taskfile") && (ext == ".yml" || ext == ".yaml")
}

// Find searches a repository for calls.
func Find(ctx context.Context, root string) (Found, error) {
	files, isComplete, err := read(ctx, root)
	if err != nil {
		return Found{}, err
	}
	byName := map[string]*file{}
	for _, f := range files {
		byName[f.name] = f
	}
	out := Found{IsIncomplete: !isComplete}
	for _, f := range files {
		if ctx.Err() != nil {
			return Found{}, ctx.Err()
		}
		if at := started.FindIndex(f.data); at != nil && out.Done == "" {
			out.Done = fmt.Sprintf("%s:%d", f.name, f.line(at[0]))
		}
		out.add(f.kind.calls(ctx, f, byName))
	}
	for _, f := range files {
		out.add(out.unread(f))
	}
	slices.SortStableFunc(out.Calls, func(a, b Call) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	})
	out.Version = versionOf(ctx, root, files, out.Calls)
	return out, nil
}

// add adds calls. A file that two Makefiles include has calls in two directories.
func (o *Found) add(calls []Call) {
	for _, c := range calls {
		if len(o.Calls) == effort.AdoptCalls.N() {
			o.IsIncomplete = true
			return
		}
		i := slices.IndexFunc(o.Calls, func(old Call) bool {
			return old.file == c.file && old.Line == c.Line && old.Start == c.Start
		})
		switch {
		case i < 0:
			o.Calls = append(o.Calls, c)
		case o.Calls[i].main != c.main && o.Calls[i].Why == "":
			o.Calls[i].Why = "several Makefiles include the file"
		}
	}
}

// unread returns the lines of a file that look like calls, but are not in a place where calls are searched, so that the
// user hears of them.
func (o *Found) unread(f *file) (out []Call) {
	text := string(f.data)
	for at := 0; at < len(text) && f.kind.name != "go:generate"; {
		n := lineEnd(text[at:])
		line, first := text[at:at+n], at
		at += n
		if !strings.Contains(line, "paths=") || !mentions.MatchString(line) ||
			strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		isKnown := slices.ContainsFunc(o.Calls, func(c Call) bool {
			return c.file == f && f.line(first) <= c.Line && c.Line <= f.line(first+n-1)
		})
		if !isKnown {
			out = append(out, f.notUnderstood(command{text: line, at: first}, "adopt does not know when it runs"))
		}
		if len(o.Calls)+len(out) > effort.AdoptCalls.N() {
			return out
		}
	}
	return out
}

// started matches what starts crdproof.
var started = regexp.MustCompile(`\bCRDPROOF\b|crdproof/cmd/crdproof|go tool (?:-modfile=\S+ )?crdproof\b`)

// skips reports whether the files of a directory are not those of the repository.
func skips(name string) bool {
	return name != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) ||
		slices.Contains([]string{"vendor", "node_modules", "third_party", "testdata"}, name)
}

// read reads the files that may have calls, sorted by name. It returns false if a limit has ended the search. It
// follows no links.
func read(ctx context.Context, root string) (out []*file, isComplete bool, err error) {
	count, size := effort.New(ctx, effort.AdoptFiles), effort.New(ctx, effort.AdoptBytes)
	table := kinds()
	err = filepath.WalkDir(root, func(full string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && full == root:
			return err
		case err != nil:
			return nil // what cannot be read has no calls that can be edited
		case entry.IsDir() && full != root && skips(entry.Name()):
			return fs.SkipDir
		case !count.Spend(1):
			return fs.SkipAll
		case !entry.Type().IsRegular():
			return nil
		}
		i := slices.IndexFunc(table, func(k *kind) bool { return k.has(entry.Name()) })
		info, err := entry.Info()
		if i < 0 || err != nil || info.Size() > effort.AdoptFile.Most {
			return nil
		}
		if !size.Spend(int(info.Size())) {
			return fs.SkipAll
		}
		data, err := os.ReadFile(full)
		if err != nil || table[i].name == "go:generate" && !bytes.Contains(data, []byte(directive)) {
			return nil
		}
		name, err := filepath.Rel(root, full)
		out = append(out, newFile(filepath.ToSlash(name), data, table[i]))
		return err
	})
	return out, !count.Exceeded() && !size.Exceeded(), err
}
