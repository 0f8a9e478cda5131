// Package stale finds files that earlier runs of the generators wrote for kinds that no longer exist.
//
// Its input is the files of a run, their packages and their folders. Its output is the stale files, and notes on files
// that may be stale. It changes no files. The steps, one file each:
//
//  1. stale.go finds the CRDs in the folder of the run that a generator has signed but the run does not write
//  2. groups.go searches the Go files of the repository for the groups that they declare
//  3. judge.go separates stale files from those of other runs and other modules
//  4. history.go asks git whether a file was generated here
//  5. helpers.go finds generated Go code whose kinds no longer exist
package stale

import (
	"bytes"
	"context"
	"errors"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/internal/input"
)

// Check is the check of stale files.
var Check = &diag.Check{ID: "file-stale", Mistake: true, MayWarn: true}

// A Run describes which files the generators write, and where.
type Run struct {
	// Files are the generated files.
	Files []emit.File
	// Dirs are the directories of the packages that they are generated from.
	Dirs []string
	// BuildTags are those that the packages are built with.
	BuildTags []string
	// CRDs are the folders of CRDs, and folder is the one that is being searched.
	CRDs   []Folder
	folder Folder
	// Helpers are the folders of helpers. BesideTypes is set if each helper is written beside its types.
	Helpers     []string
	BesideTypes bool
}

// A Folder is where the run writes a file for each CRD.
type Folder struct {
	Dir string
	// HasTemplates is set if the files are templates of a Helm chart; elsewhere, templates are not the run's.
	HasTemplates bool
}

// Folders returns the folders in which files may be stale, but for those of packages.
func (r *Run) Folders() []string {
	var out []string
	for _, f := range r.CRDs {
		out = append(out, f.Dir)
	}
	return append(out, r.Helpers...)
}

// writes returns the absolute paths of the generated files.
func (r *Run) writes() map[string]bool {
	out := map[string]bool{}
	for _, f := range r.Files {
		out[input.Absolute(f.Path)] = true
	}
	return out
}

// reads returns a function that reports whether the run reads the package in a directory.
func (r *Run) reads() func(dir string) bool {
	dirs := map[string]bool{}
	for _, dir := range r.Dirs {
		dirs[input.Resolved(dir)] = true
	}
	return func(dir string) bool { return dirs[input.Resolved(dir)] }
}

// builds returns a function that reports whether the run reads a file in a directory that it reads: build constraints
// may leave the file to another run.
func (r *Run) builds() func(dir, name string) bool {
	constraints := build.Default
	constraints.BuildTags = r.BuildTags
	return func(dir, name string) bool {
		matches, err := constraints.MatchFile(dir, name)
		return matches && err == nil
	}
}

// A File is a file that an earlier run wrote and this run does not write.
type File struct {
	// Path is relative to the working directory or absolute.
	Path string
	// Why is a clause that says why it is stale; At is the place of the name in the file.
	Why string
	At  diag.Span
	// Foreign is set if nothing shows that the file was generated in this repository: it may be a copy from another
	// one, and must not be removed.
	Foreign bool
	// Blind says why git cannot show that, "" if it has the whole history.
	Blind string
}

// Finding reports a stale file: as an error for --verify, as a warning otherwise.
func (f *File) Finding(severity diag.Severity) diag.Diagnostic {
	d := diag.Errorf(f.At, Check, "the file is stale: %s", f.Why).Help("run the same command with --prune to remove " +
		"it")
	d.Severity = severity
	if f.Blind != "" {
		d = d.Note("%s", f.Blind)
	}
	if f.Foreign {
		return d.Note("--prune does not remove it: git does not show that this repository defined its type, so it " +
			"may come from another repository").
			Help("remove the file if it was generated here, or move it to another folder, or remove the annotation " +
				"of the generator")
	}
	return d
}

// Found is what earlier runs left in the folders of a run.
type Found struct {
	Files []File
	// Notes are about files that may be stale or may belong to another run.
	Notes []diag.Diagnostic
}

// Warnings returns the findings of a run without --verify and --prune.
func (f *Found) Warnings() (out []diag.Diagnostic) {
	for i := range f.Files {
		out = append(out, f.Files[i].Finding(diag.Warning))
	}
	return out
}

// Removable returns the files that --prune removes.
func (f *Found) Removable() []File {
	return slices.DeleteFunc(slices.Clone(f.Files), func(f File) bool { return f.Foreign })
}

// Kept returns the notes, and warnings about the files that --prune does not remove.
func (f *Found) Kept() []diag.Diagnostic {
	out := slices.Clone(f.Notes)
	for i := range f.Files {
		if f.Files[i].Foreign {
			out = append(out, f.Files[i].Finding(diag.Warning))
		}
	}
	return out
}

// Find finds stale files in the folders of a run. The error is that of reading them. Only a thorough search finds out
// whether files come from another module if no package here declares their group: that takes time.
func Find(ctx context.Context, run Run, thorough bool) (Found, error) {
	var out Found
	for _, run.folder = range run.CRDs {
		candidates, err := unwrittenCRDs(run)
		if err != nil {
			return out, err
		}
		in, err := judge(ctx, candidates, run, thorough)
		if err != nil {
			return out, err
		}
		out.Files, out.Notes = append(out.Files, in.Files...), append(out.Notes, in.Notes...)
	}
	helpers, err := staleHelpers(run)
	out.Files = append(out.Files, helpers...)
	return out, err
}

// A crdFile is a file with a single CRD that a generator has signed.
type crdFile struct {
	path string
	// name is that of the object, <plural>.<group>; at is its place.
	name string
	at   diag.Span
	// kind is the name of the Go type, "" if it cannot be read.
	kind string
	// sharesGroup is set if a package of the repository declares the group.
	sharesGroup bool
}

func (f *crdFile) group() string {
	_, group, _ := strings.Cut(f.name, ".")
	return group
}

// unwrittenCRDs returns the files directly in the folder of CRDs that a generator has signed and the run does not
// write.
func unwrittenCRDs(run Run) (out []crdFile, err error) {
	entries, err := os.ReadDir(run.folder.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	written := run.writes()
	for _, e := range entries {
		path := filepath.Join(run.folder.Dir, e.Name())
		if !e.Type().IsRegular() || filepath.Ext(path) != ".yaml" || written[input.Absolute(path)] {
			continue
		}
		f, ok, err := readSigned(path, run.folder.HasTemplates)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// action finds lines of a template that are actions.
var action = regexp.MustCompile(`(?m)^ *\{\{.*$`)

// kindOfCRD finds spec.names.kind, as generators indent it.
var kindOfCRD = regexp.MustCompile(`\n {4}kind: (\w+)`)

// readSigned reads a file and reports whether a generator has signed it.
func readSigned(path string, isTemplate bool) (crdFile, bool, error) {
	data, err := os.ReadFile(path)
	o, ok := onlyCRD(data, isTemplate)
	if err != nil || !ok || !o.signed() {
		return crdFile{}, false, err
	}
	kind := ""
	if m := kindOfCRD.FindSubmatch(data); m != nil {
		kind = string(m[1])
	}
	src := &diag.Source{Path: input.Absolute(path), Data: data, Syntax: diag.YAML}
	at := src.Point(o.Name.Line, o.Name.Column)
	at.End += int32(len(o.Name.Value))
	return crdFile{path: path, name: o.Name.Value, at: at, kind: kind}, true, nil
}

// objectMeta is the part of a CRD that identifies it and its generator.
type objectMeta struct {
	Name        yaml.Node
	Annotations map[string]string
}

// signed reports whether the CRD has the annotation of a generator.
func (o *objectMeta) signed() bool {
	return o.Annotations[crd.VersionAnnotation] != "" || o.Annotations[crd.ControllerGenAnnotation] != ""
}

// onlyCRD reads the metadata of a file with a single CRD. It only parses the part before spec: generators write the
// keys of an object in alphabetical order. Of a template, it ignores the actions, which are on lines of their own
// there; such a line becomes a comment, so that lines and columns remain.
func onlyCRD(data []byte, isTemplate bool) (objectMeta, bool) {
	head, spec, ok := bytes.Cut(data, []byte("\nspec:"))
	if isTemplate {
		head = action.ReplaceAll(head, []byte("#"))
	}
	if !ok || bytes.Contains(spec, []byte("\n---")) {
		return objectMeta{}, false
	}
	var object struct {
		Kind     string
		Metadata objectMeta
	}
	decoder := yaml.NewDecoder(bytes.NewReader(head))
	if decoder.Decode(&object) != nil || !errors.Is(decoder.Decode(new(yaml.Node)), io.EOF) {
		return objectMeta{}, false // a template, or several documents
	}
	return object.Metadata, object.Kind == "CustomResourceDefinition"
}

// Checks returns the check of stale files.
func Checks() []*diag.Check { return []*diag.Check{Check} }
