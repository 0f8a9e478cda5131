// Package stale finds files that earlier runs of the generators wrote and that no kind needs any more.
//
// The input is what a run writes, from which packages, and where. The output is the stale files, and notes about files
// that cannot be classified. The package changes no files. The files:
//
//  1. stale.go finds CRDs in the output directory that a generator has signed and that the run does not write
//  2. groups.go searches the Go files of the repository for the groups that they declare
//  3. judge.go separates stale files from those of other runs and other modules
//  4. history.go asks git if a file was ever generated here
//  5. helpers.go finds generated Go code whose kinds no longer exist
package stale

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
)

// Check is the check of stale files.
var Check = &diag.Check{
	ID: "file-stale", Mistake: true,
	Doc: "An earlier run has generated the file for a kind that is gone. With --prune it is removed; " +
		"where nothing shows that it was made in this repository, it is left.",
}

// A Run is what generators make, and where.
type Run struct {
	// Files are those that are made.
	Files []emit.File
	// Dirs are the directories of the packages that they are made of.
	Dirs []string
	// CRDs is the folder that CRDs go to, "" where none are written.
	CRDs string
	// Helpers are the folders that helpers go to. BesideTypes is set where they go beside the types that they are for.
	Helpers     []string
	BesideTypes bool
}

// writes are the absolute paths of the files that the run makes.
func (r *Run) writes() map[string]bool {
	out := map[string]bool{}
	for _, f := range r.Files {
		out[input.Absolute(f.Path)] = true
	}
	return out
}

// A File is one that an earlier run of a generator has written, and that this run would not write.
type File struct {
	// Path is relative to the working directory or absolute.
	Path string
	// Why says in a clause what is gone, and At where in the file it is named.
	Why string
	At  diag.Span
	// Foreign is set where nothing shows that a package of this repository has ever made the file: it may have been
	// copied from another one. It is not to be removed.
	Foreign bool
}

// Finding tells of a stale file: as an error where it is asked whether there are any, as a warning else.
func (f *File) Finding(severity diag.Severity) diag.Diagnostic {
	d := diag.Errorf(f.At, Check, "the file is stale: %s", f.Why).Help("run the same with --prune, which removes it")
	d.Severity = severity
	if f.Foreign {
		return d.Note("--prune leaves it: the commit that last changed it has no package of that group either, " +
			"so that it may come from another repository").
			Help("remove it if it was made here; else keep it in a folder of its own, or take the annotation of the " +
				"generator off it")
	}
	return d
}

// Found is what earlier runs have left in the folders of a run.
type Found struct {
	Files []File
	// Notes tell of files that look like it, and are somebody else's.
	Notes []diag.Diagnostic
}

// Warnings are what a run says that neither verifies nor removes anything.
func (f *Found) Warnings() (out []diag.Diagnostic) {
	for i := range f.Files {
		out = append(out, f.Files[i].Finding(diag.Warning))
	}
	return out
}

// Removable are the files that may be removed.
func (f *Found) Removable() []File {
	return slices.DeleteFunc(slices.Clone(f.Files), func(f File) bool { return f.Foreign })
}

// Kept are the notes, and warnings of the files that may not be removed.
func (f *Found) Kept() []diag.Diagnostic {
	out := slices.Clone(f.Notes)
	for i := range f.Files {
		if f.Files[i].Foreign {
			out = append(out, f.Files[i].Finding(diag.Warning))
		}
	}
	return out
}

// Find looks for stale files in the folders of a run. The error is one of reading them. Only a thorough search takes
// the time to find out whether files whose group nothing here declares come from another module.
func Find(ctx context.Context, run Run, thorough bool) (Found, error) {
	var out Found
	if run.CRDs != "" {
		candidates, err := unwrittenCRDs(run)
		if err != nil {
			return out, err
		}
		if out, err = judge(ctx, candidates, run, thorough); err != nil {
			return out, err
		}
	}
	helpers, err := staleHelpers(run)
	out.Files = append(out.Files, helpers...)
	return out, err
}

// A crdFile is a file that holds a single CRD, which a generator has signed.
type crdFile struct {
	path string
	// name is that of the object, <plural>.<group>, and at where it stands.
	name string
	at   diag.Span
	// kind is the name of the Go type that it was made of; "" where it cannot be read.
	kind string
}

func (f *crdFile) group() string {
	_, group, _ := strings.Cut(f.name, ".")
	return group
}

// unwrittenCRDs returns the files in the folder of CRDs, but not below it, that a generator has written and that the
// run does not make.
func unwrittenCRDs(run Run) (out []crdFile, err error) {
	entries, err := os.ReadDir(run.CRDs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	written := run.writes()
	for _, e := range entries {
		path := filepath.Join(run.CRDs, e.Name())
		if !e.Type().IsRegular() || filepath.Ext(path) != ".yaml" || written[input.Absolute(path)] {
			continue
		}
		f, ok, err := readSigned(path)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// kindOfCRD finds spec.names.kind, as generators indent it.
var kindOfCRD = regexp.MustCompile(`\n {4}kind: (\w+)`)

// readSigned reads a file, and reports whether a generator has written it.
func readSigned(path string) (crdFile, bool, error) {
	data, err := os.ReadFile(path)
	o, ok := onlyCRD(data)
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

// objectMeta is what is read of a CRD to tell whose it is.
type objectMeta struct {
	Name        yaml.Node
	Annotations map[string]string
}

// signed reports whether a generator says in it that it has written it.
func (o *objectMeta) signed() bool {
	return o.Annotations[crd.VersionAnnotation] != "" || o.Annotations["controller-gen.kubebuilder.io/version"] != ""
}

// onlyCRD reads the metadata of the one CRD that a file holds. Only what stands before spec is parsed: generators write
// the keys of an object in the order of the alphabet.
func onlyCRD(data []byte) (objectMeta, bool) {
	head, spec, ok := bytes.Cut(data, []byte("\nspec:"))
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

// Checks is the table of what is said about stale files.
func Checks() []*diag.Check { return []*diag.Check{Check} }
