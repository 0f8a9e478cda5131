package stale

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
)

// judge separates stale files from those of other runs: several runs may write to one folder for different packages. A
// search that is not thorough leaves out files whose groups no package of the repository declares.
func judge(ctx context.Context, candidates []crdFile, run Run, thorough bool) (Found, error) {
	var out Found
	folder := run.folder.Dir
	if len(candidates) == 0 {
		return out, nil
	}
	here, err := groupsIn(run.Dirs)
	if err != nil {
		return out, err
	}
	elsewhere, unread, err := groupsElsewhere(run)
	if err != nil {
		return out, err
	}
	writes := map[string]string{} // by the name of the CRD
	for _, f := range run.Files {
		if filepath.Dir(input.Absolute(f.Path)) != input.Absolute(folder) {
			continue
		}
		if o, ok := onlyCRD(f.Data, run.folder.HasTemplates); ok {
			writes[o.Name.Value] = f.Path
		}
	}
	var open, others []crdFile
	var declared []string
	for _, f := range candidates {
		dirs, err := f.mentioned().in(elsewhere[f.group()])
		if err != nil {
			return out, err
		}
		unbuilt, err := f.declared().except(run.builds()).in(here[f.group()])
		if err != nil {
			return out, err
		}
		dirs = append(dirs, unbuilt...)
		known := here[f.group()] != nil || elsewhere[f.group()] != nil
		switch {
		case writes[f.name] != "":
			out.Files = append(out.Files, File{Path: f.path, At: f.at,
				Why: fmt.Sprintf("%s is now written to %s", f.name, input.Shown(writes[f.name]))})
		case len(dirs) > 0:
			others, declared = append(others, f), append(declared, dirs...)
		case known || thorough:
			f.sharesGroup = known
			open = append(open, f)
		}
	}
	if len(others) > 0 {
		out.Notes = append(out.Notes, ofOthers(folder, others, declared))
	}
	switch {
	case len(open) == 0:
		return out, nil
	case len(unread) > 0: // where their packages may be
		out.Notes = append(out.Notes, undecided(folder, open, "be stale, or come from packages that cannot be read").
			Note("cannot read %s", shown(unread)))
		return out, nil
	}
	more, err := judgeOpen(ctx, open, run)
	return Found{append(out.Files, more.Files...), append(out.Notes, more.Notes...)}, err
}

// undecided returns a note about files in a folder that may be stale.
func undecided(folder string, files []crdFile, what string) diag.Diagnostic {
	var names []string
	for i := range files {
		names = append(names, filepath.Base(files[i].path))
	}
	return diag.Notef(diag.Span{}, Check, "%s in %s may %s", diag.Counted(len(files), "CRD"), input.Shown(folder),
		what).
		Note("%s", strings.Join(names, ", "))
}

// ofOthers returns a note about files that packages in dirs may define, which the run does not read.
func ofOthers(folder string, files []crdFile, dirs []string) diag.Diagnostic {
	slices.Sort(dirs)
	return undecided(folder, files, "come from packages that this run does not read").
		Note("their groups are declared in %s", shown(slices.Compact(dirs)))
}

// shown joins paths for a message.
func shown(paths []string) string {
	var out []string
	for _, path := range paths {
		out = append(out, input.Shown(path))
	}
	return strings.Join(out, ", ")
}

// A search looks for the kind of a file in the Go files of directories.
type search struct {
	pattern *regexp.Regexp
	// leaves returns whether a file is left out; nil leaves out none.
	leaves func(dir, name string) bool
}

// mentioned finds files that may declare the kind, in whatever way. If the kind is unknown, all may.
func (f *crdFile) mentioned() search {
	if f.kind == "" {
		return search{pattern: regexp.MustCompile("")}
	}
	return search{pattern: regexp.MustCompile(`\b` + regexp.QuoteMeta(f.kind) + `\b`)}
}

// declared finds files that declare the kind.
func (f *crdFile) declared() search {
	return search{pattern: regexp.MustCompile("(?m)" + f.declaration())}
}

// declaration returns a regular expression for the declaration of the kind, for Go and for git.
func (f *crdFile) declaration() string {
	kind := regexp.QuoteMeta(f.kind)
	return `^[[:space:]]*(type[[:space:]]+` + kind + `([[:space:]]|\[|$)|` + kind + `[[:space:]]+struct)`
}

func (s search) except(leaves func(dir, name string) bool) search {
	s.leaves = leaves
	return s
}

// in returns the directories that have such a file.
func (s search) in(dirs []string) (out []string, err error) {
	for _, dir := range dirs {
		files, err := sourcesIn(dir)
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			if s.leaves != nil && s.leaves(dir, filepath.Base(path)) {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if s.pattern.Match(data) {
				out = append(out, dir)
				break
			}
		}
	}
	return out, nil
}

// judgeOpen judges files whose types no package of the repository defines: the type was removed, or it belongs to
// another module and a run names it by its import path. Of other modules, it reads the imported packages.
func judgeOpen(ctx context.Context, candidates []crdFile, run Run) (Found, error) {
	var out Found
	listing, err := load.List(ctx, load.Config{Paths: []string{"all"}})
	if ctx.Err() != nil {
		return out, ctx.Err() // the error of the go command is then only a consequence
	}
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		out.Notes = append(out.Notes, undecided(run.folder.Dir, candidates, "be stale, or come from other modules").
			Note("cannot list the packages of other modules: %s", first))
		return out, nil
	}
	imported, err := groupsIn(slices.DeleteFunc(listing.Dirs(), run.reads()))
	if err != nil {
		return out, err
	}
	var others []crdFile
	var declared []string
	before := newHistory(ctx)
	for i := range candidates {
		f := &candidates[i]
		dirs := imported[f.group()]
		if f.sharesGroup {
			if dirs, err = f.mentioned().in(dirs); err != nil {
				return out, err
			}
		}
		if len(dirs) > 0 {
			others, declared = append(others, *f), append(declared, dirs...)
			continue
		}
		defined, blind := before.defined(ctx, f)
		gone := f.gone(defined)
		if gone.Foreign {
			gone.Blind = blind
		}
		out.Files = append(out.Files, gone)
	}
	if len(others) > 0 {
		out.Notes = append(out.Notes, ofOthers(run.folder.Dir, others, declared))
	}
	return out, nil
}

// gone returns the file as one whose type no package defines. ours is set if git shows that the repository defined it.
func (f *crdFile) gone(ours bool) File {
	why := fmt.Sprintf("no Go package declares the group %s of the CRD %s", f.group(), f.name)
	if f.sharesGroup {
		why = "no Go type defines the CRD " + f.name
	}
	if ours {
		why += " any more"
	}
	return File{Path: f.path, At: f.at, Why: why, Foreign: !ours}
}

// sourcesIn returns the Go files of a directory, without tests.
func sourcesIn(dir string) (out []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if isSource(e) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, err
}

// groupsIn returns the API groups that the Go files of directories declare, each with its directories.
func groupsIn(dirs []string) (map[string][]string, error) {
	var files []string
	for _, dir := range dirs {
		if dir == "" {
			continue // a package with tests only
		}
		found, err := sourcesIn(dir)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return groupsOf(files)
}

// groupMarker matches the marker that declares the API group of a Go package.
var groupMarker = regexp.MustCompile("(?m)^\\s*//\\s*\\+groupName=[\"`]?([^\\s\"`]+)")

// groupsOf returns the API groups that Go files declare, each with the directories of these files.
func groupsOf(files []string) (map[string][]string, error) {
	groups := make([][]string, len(files))
	errs := make([]error, len(files))
	stage.Each(len(files), func(i int) {
		data, err := os.ReadFile(files[i])
		errs[i] = err
		if bytes.Contains(data, []byte("+groupName=")) {
			for _, m := range groupMarker.FindAllSubmatch(data, -1) {
				groups[i] = append(groups[i], string(m[1]))
			}
		}
	})
	out := map[string][]string{}
	for i, list := range groups {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for _, group := range list {
			if dir := filepath.Dir(files[i]); !slices.Contains(out[group], dir) {
				out[group] = append(out[group], dir)
			}
		}
	}
	return out, nil
}
