package main

import (
	"bytes"
	"cmp"
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
)

// toolAnnotations are those by which a generator signs the CRDs that it writes.
func toolAnnotations() []string {
	return []string{crd.VersionAnnotation, "controller-gen.kubebuilder.io/version"}
}

// A staleFile is a file that an earlier run of a generator has written, and that this run would not write.
type staleFile struct {
	// path is relative to the working directory or absolute.
	path string
	// why says in a clause what is gone, and at where in the file it is named.
	why string
	at  diag.Span
	// foreign is set where nothing shows that a package of this repository has ever made the file: it may have been copied from
	// another one. It is not removed.
	foreign bool
}

// finding tells of a stale file: as an error where it is asked whether there are any, as a warning else.
func (s *staleFile) finding(severity diag.Severity) diag.Diagnostic {
	d := diag.Errorf(s.at, fileStale, "the file is stale: %s", s.why).Help("%s", s.help())
	d.Severity, d.Notes = severity, s.notes()
	return d
}

func (s *staleFile) help() string {
	if s.foreign {
		return "remove it if it was made here; else keep it in a folder of its own, or take the annotation of the generator off it"
	}
	return "run the same with --prune, which removes it"
}

// notes say what --prune does not do.
func (s *staleFile) notes() []string {
	if !s.foreign {
		return nil
	}
	return []string{"--prune leaves it: the commit that last changed it has no package of that group either, so that it may come from another repository"}
}

// leftovers are what earlier runs have left in the folders of a run.
type leftovers struct {
	files []staleFile
	// notes tell of files that look like it, and are somebody else's.
	notes []diag.Diagnostic
}

// warnings are what a run says that neither verifies nor removes anything.
func (l *leftovers) warnings() (out []diag.Diagnostic) {
	for i := range l.files {
		out = append(out, l.files[i].finding(diag.Warning))
	}
	return out
}

// removable are the files that --prune removes.
func (l *leftovers) removable() []staleFile {
	return slices.DeleteFunc(slices.Clone(l.files), func(f staleFile) bool { return f.foreign })
}

// kept are notes and warnings of what --prune leaves.
func (l *leftovers) kept() []diag.Diagnostic {
	out := slices.Clone(l.notes)
	for i := range l.files {
		if l.files[i].foreign {
			out = append(out, l.files[i].finding(diag.Warning))
		}
	}
	return out
}

// findLeftovers looks for stale files in the folders that crd and helpers write to. The error is one of reading them. Only a thorough
// search takes the time to find out whether files whose group nothing here declares come from another module.
func findLeftovers(ctx context.Context, p plan, made product, thorough bool) (leftovers, error) {
	var out leftovers
	if folder := crdFolder(p); folder != "" {
		candidates, err := unwrittenCRDs(folder, made.artifacts)
		if err != nil {
			return out, err
		}
		if out, err = judge(ctx, folder, candidates, made, thorough); err != nil {
			return out, err
		}
	}
	helpers, err := staleHelpers(p, made)
	out.files = append(out.files, helpers...)
	return out, err
}

// crdFolder is where crd writes its files, "" where it writes none.
func crdFolder(p plan) string {
	rule := p.outputs.of("crd")
	if !p.invokes("crd") || rule.kind != toDir && rule.kind != toArtifacts {
		return ""
	}
	return cmp.Or(rule.dir, ".")
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

// unwrittenCRDs returns the files in a folder, but not below it, that a generator has written and that are not among the artifacts.
func unwrittenCRDs(folder string, made []emit.File) (out []crdFile, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	written := map[string]bool{}
	for _, a := range made {
		written[absolute(a.Path)] = true
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if !e.Type().IsRegular() || filepath.Ext(path) != ".yaml" || written[absolute(path)] {
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

// headSize is how much of a file is read at first. What tells whether it is a CRD, and whose, stands before the schema.
const headSize = 16 << 10

// readSigned reads a file as far as is needed to say whether a generator has written it.
func readSigned(path string) (crdFile, bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return crdFile{}, false, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, headSize))
	if err != nil || !bytes.Contains(data, []byte("CustomResourceDefinition")) {
		return crdFile{}, false, err
	}
	rest, err := io.ReadAll(f)
	if err != nil {
		return crdFile{}, false, err
	}
	data = append(data, rest...)
	o, ok := onlyCRD(data)
	kind := ""
	if m := kindOfCRD.FindSubmatch(data); m != nil {
		kind = string(m[1])
	}
	src := &diag.Source{Path: absolute(path), Data: data, Syntax: diag.YAML}
	at := src.Point(o.Name.Line, o.Name.Column)
	at.End += int32(len(o.Name.Value))
	return crdFile{path: path, name: o.Name.Value, at: at, kind: kind}, ok && o.signed(), nil
}

// objectMeta is what is read of a CRD to tell whose it is.
type objectMeta struct {
	Name        yaml.Node
	Annotations map[string]string
}

// signed reports whether a generator says in it that it has written it.
func (o *objectMeta) signed() bool {
	return slices.ContainsFunc(toolAnnotations(), func(a string) bool { return o.Annotations[a] != "" })
}

// onlyCRD reads the metadata of the one CRD that a file holds. Only what stands before spec is parsed: generators write the keys of
// an object in the order of the alphabet.
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
