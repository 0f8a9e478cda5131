// Package extensions reads files in which a project declares formats of its own for the tag format of declarative
// validation, as validation-gen does with --validation-extensions-file (k8s.io/code-generator v0.38,
// cmd/validation-gen/validators/extensions.go).
//
// The input is the files, the output is the formats, and every mistake at its position. It rejects what validation-gen
// rejects, and also what validation-gen reads as something else: numbers for strings, and keys in capital letters.
package extensions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// Mistake is the check of files of formats.
var Mistake = &diag.Check{ID: "formats-file", Mistake: true}

// Checks returns the check of files of formats.
func Checks() []*diag.Check { return []*diag.Check{Mistake} }

// The keys of a file and of a format.
const (
	keyFormats = "formats"
	keyName    = "name"
	keyPattern = "pattern"
	keyMessage = "message"
)

// A key is a key of a format; all of them are required.
type key struct {
	name string
	// write says what to write if the key is missing.
	write string
}

// keys returns the keys of a format, in the order of validation-gen's documentation.
func keys() []key {
	return []key{
		{keyName, "add a name in lowercase, such as name: example-digest"},
		{"docs", "add a sentence about the format, such as docs: This field holds a digest."},
		{keyPattern, "add a regular expression in single quotes, such as pattern: '^[0-9a-f]+$'"},
		{keyMessage, "add what the error says, such as message: must be a digest in lowercase"},
	}
}

// names returns the names of all keys of a format.
func names() (out []string) {
	for _, k := range keys() {
		out = append(out, k.name)
	}
	return out
}

// A reader reads the files of a run, whose formats need different names.
type reader struct {
	formats []lower.Format
	// declared has the names of the formats so far.
	declared map[string]diag.Span
	found    []diag.Diagnostic
}

// Read reads the files, whose Data must be set; Read sets their Syntax. If there are mistakes, formats are missing.
func Read(files []*diag.Source) ([]lower.Format, []diag.Diagnostic) {
	r := &reader{declared: map[string]diag.Span{}}
	for _, src := range files {
		trees, problems := read.Trees(src)
		for _, d := range problems {
			r.report(d)
		}
		for _, tree := range trees {
			for _, d := range tree.Found {
				d.Notes = nil // they are about objects
				r.report(d)
			}
			r.document(tree.Root)
		}
	}
	return r.formats, diag.Sort(r.found)
}

// report adds a mistake that another package has found.
func (r *reader) report(d diag.Diagnostic) {
	d.Check, d.Severity = Mistake.ID, diag.Error
	r.found = append(r.found, d)
}

func (r *reader) errorf(at diag.Span, help, format string, args ...any) {
	r.found = append(r.found, diag.Errorf(at, Mistake, format, args...).Help("%s", help))
}

// document reads one document of a file. An empty one has no formats.
func (r *reader) document(root *schema.Value) {
	if root.Kind == schema.Null {
		return
	}
	if root.Kind != schema.Object {
		r.errorf(root.Start(), "write formats: and below it a list", "expected the key formats, got %s",
			root.Kind.InYAML())
		return
	}
	for i := range root.Members {
		m := &root.Members[i]
		switch {
		case m.Key != keyFormats:
			r.unknown(m, "a file of formats", []string{keyFormats})
		case int64(len(m.Value.Items)+len(r.declared)) > effort.DeclaredFormats.Most:
			r.report(effort.DeclaredFormats.Rejected(m.KeyAt, "the list of formats").Help("declare fewer formats"))
		case m.Value.Kind == schema.Array:
			for j := range m.Value.Items {
				r.format(&m.Value.Items[j])
			}
		case m.Value.Kind != schema.Null:
			r.errorf(m.KeyAt, "write a list with an entry for each format", "formats: expected a list, got %s",
				m.Value.Kind.InYAML())
		}
	}
}

// unknown reports a key that a mapping does not have.
func (r *reader) unknown(m *schema.Member, owner string, known []string) {
	d := diag.Errorf(m.KeyAt, Mistake, "unknown key %q of %s", m.Key, owner)
	if near := diag.DidYouMean(m.Key, known); near != "" {
		r.found = append(r.found, d.Help("%s", near))
		return
	}
	r.found = append(r.found, d.Note("validation-gen reads %s", diag.And(known)).Help("remove the key"))
}

// format reads an entry of the list.
func (r *reader) format(n *schema.Value) {
	if n.Kind != schema.Object {
		r.errorf(n.Start(), "write a mapping with "+diag.And(names()), "expected a format, got %s", n.Kind.InYAML())
		return
	}
	before := len(r.found)
	for i := range n.Members {
		if m := &n.Members[i]; !slices.Contains(names(), m.Key) {
			r.unknown(m, "a format", names())
		}
	}
	for _, k := range keys() {
		r.text(n, k)
	}
	if len(r.found) > before {
		return
	}
	f := lower.Format{Name: n.Find(keyName).Text, Pattern: n.Find(keyPattern).Text, Message: n.Find(keyMessage).Text}
	if r.checkName(f.Name, n.Find(keyName).At) && r.checkPattern(f.Pattern, n.Find(keyPattern).At) {
		r.formats = append(r.formats, f)
	}
}

// text reports a key of a format that is not a string, or is empty.
func (r *reader) text(n *schema.Value, k key) {
	m := n.Member(k.name)
	switch {
	case m == nil || m.Value.Kind == schema.Null:
		at := n.Start()
		if m != nil {
			at = m.KeyAt
		}
		r.errorf(at, k.write, "missing %s of a format", k.name)
	case m.Value.Kind != schema.String:
		r.errorf(m.Value.Start(), "write the value in single quotes", "%s: expected a string, got %s", k.name,
			m.Value.Kind.InYAML())
	case m.Value.Text == "":
		r.errorf(m.Value.At, k.write, "%s is empty", k.name)
	}
}

var isName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// checkName reports a name that validation-gen rejects, and a duplicate.
func (r *reader) checkName(name string, at diag.Span) bool {
	first, isDuplicate := r.declared[name]
	switch {
	case !isName.MatchString(name):
		r.errorf(at, "write a name such as example-digest",
			"expected lowercase letters and digits with dashes between words, got %q", name)
	case name == "k8s" || strings.HasPrefix(name, "k8s-"):
		r.errorf(at, "write another prefix, such as the name of your project",
			"formats that begin with k8s- are those of Kubernetes, got %q", name)
	case isDuplicate:
		r.found = append(r.found, diag.Errorf(at, Mistake, "duplicate format %q", name).
			Help("remove or rename one of the two").See(first, "first declared here"))
	default:
		r.declared[name] = at
		return true
	}
	return false
}

// checkPattern reports a pattern that is not a regular expression. API servers use the same syntax as validation-gen,
// so a CRD can have any other.
func (r *reader) checkPattern(pattern string, at diag.Span) bool {
	fault := regular.FaultOf(pattern)
	if fault != nil {
		at = schema.Text{V: pattern, At: at}.Range(fault.Start, fault.End)
		r.errorf(at, fault.Help, "invalid pattern: %s", fault.Why)
	}
	return fault == nil
}
