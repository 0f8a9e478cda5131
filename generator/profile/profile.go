// Package profile says in which forms the CRDs of a run are written, and where: whole or without schemas, as YAML or as
// templates of a Helm chart, in one file or in many.
//
// The input is a finished CRD, the output is another one that shares what is unchanged, and bytes. Which outputs there
// are is a setting of the project. The files:
//
//  1. profile.go: outputs and the names of their files
//  2. minimal.go: CRDs without schemas
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package profile

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/schema"
)

// A Profile is a named list of outputs.
type Profile struct {
	Name    string
	Outputs []Output
}

// An Output says how all CRDs of a run are written to one place. The zero value writes whole CRDs.
type Output struct {
	// At is the output in the settings.
	At diag.Span
	// Dir is the directory for a file of each CRD, if File is "". File has all CRDs.
	Dir, File string
	// FileName is the name of the files in Dir, with placeholders; "" is that of controller-gen.
	FileName schema.Text
	// List writes the CRDs of File as the items of one list of kind List; otherwise they are documents.
	List bool
	// OmitSchemas leaves out the schemas of fields.
	OmitSchemas bool
	// MaxDescLen cuts descriptions as the option does; nil keeps all.
	MaxDescLen *int
	// Helm writes templates of a chart, nil plain YAML.
	Helm *crd.Template
}

// Vary returns the CRD that an output writes: the same if it is whole.
func (o *Output) Vary(c *schema.CRD) *schema.CRD {
	if o.OmitSchemas {
		c = minimal(c)
	}
	if o.MaxDescLen != nil {
		c = describe.Cut(c, *o.MaxDescLen)
	}
	return c
}

// Append appends a CRD in the form of the output.
func (o *Output) Append(buffer []byte, c *schema.CRD, opts crd.Options) []byte {
	if o.File != "" {
		opts.Header = nil // that of the file is before all CRDs
	}
	if o.Helm != nil {
		return crd.AppendTemplate(buffer, c, opts, o.templateOf(c))
	}
	return crd.Append(buffer, c, opts)
}

// Header returns the text before all CRDs of a file.
func (o *Output) Header(text []byte) []byte {
	if o.Helm != nil {
		return crd.EscapeTemplate(text)
	}
	return text
}

// templateOf returns the expressions of the template of a CRD.
func (o *Output) templateOf(c *schema.CRD) crd.Template {
	t := *o.Helm
	for _, text := range []*string{&t.Condition, &t.Keep, &t.Annotations, &t.Conversion, &t.ServiceName, &t.Namespace} {
		*text = expand(*text, c)
	}
	return t
}

// Path returns the path of the file of a CRD.
func (o *Output) Path(c *schema.CRD) string {
	switch {
	case o.File != "":
		return o.File
	case o.FileName.V != "":
		return filepath.Join(o.Dir, expand(o.FileName.V, c))
	}
	return filepath.Join(o.Dir, crd.FileName(c))
}

// Folder returns the directory of the files.
func (o *Output) Folder() string {
	if o.File != "" {
		return filepath.Dir(o.File)
	}
	return filepath.Clean(o.Dir)
}

// Names reports whether a path can be that of a file of the output.
func (o *Output) Names(path string) bool {
	if o.File != "" {
		return path == o.File
	}
	return filepath.Dir(path) == o.Folder() && filepath.Ext(path) == ".yaml"
}

// Placeholders returns the placeholders of file names and expressions.
func Placeholders() []string { return []string{"{group}", "{kind}", "{plural}", "{singular}"} }

// expand replaces the placeholders by names of a CRD.
func expand(text string, c *schema.CRD) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return strings.NewReplacer("{group}", c.Group.V, "{kind}", c.Kind.V, "{plural}", c.Plural.V,
		"{singular}", c.Singular.V).Replace(text)
}

// NameFault returns what is wrong with a name of files, and what to write instead; "" for a valid one.
func NameFault(name string) (why, help string) {
	const example = "write a name such as {group}_{plural}.yaml"
	rest := name
	for _, p := range Placeholders() {
		rest = strings.ReplaceAll(rest, p, "x")
	}
	switch start := strings.IndexAny(rest, "{}"); {
	case start >= 0:
		end := strings.IndexByte(rest[start:], '}')
		unknown := rest[start:]
		if end > 0 {
			unknown = rest[start : start+end+1]
		}
		if near := diag.Near(unknown, Placeholders()); near != "" {
			return "unknown placeholder " + unknown, diag.Meant(near)
		}
		return "unknown placeholder " + unknown, "write one of " + strings.Join(Placeholders(), ", ")
	case strings.ContainsAny(rest, `/\:`) || !filepath.IsLocal("x"+rest):
		return "the name has a directory", "name the directory with the key dir"
	case filepath.Ext(rest) != ".yaml":
		return "the name does not end in .yaml", example
	case !slices.ContainsFunc(Placeholders(), func(p string) bool { return strings.Contains(name, p) }):
		return "all CRDs have the same name", example + ", or write all CRDs into one file with the key file"
	}
	return "", ""
}
