package sample

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/schema"
)

// The ids of findings.
const (
	idField     = "object-field"
	idUnknown   = "object-field-unknown"
	idDuplicate = "object-field-duplicate"
	idKind      = "object-kind"
	idVersion   = "object-version"
	idRefused   = "object-refused"
	idWarning   = "object-warning"
)

// RuleStored is the id of findings about objects that are stored.
const RuleStored = "object-stored"

// strictly is how a server begins what it says of bodies that it was asked to read strictly.
const strictly = "strict decoding error: "

func unknownField(path string, v Validation) diag.Diagnostic {
	d := diag.Diagnostic{Check: idUnknown, Message: fmt.Sprintf("unknown field %q", path)}
	if v == Strict {
		d.Message = strictly + d.Message
	} else {
		d.Severity, d.Notes = diag.Warning, []string{"the API server drops it"}
	}
	return d
}

// maxListed is how many fields a note lists.
const maxListed = 12

// fieldsThere are notes about what an object could have.
func fieldsThere(where string, fields []string) []string {
	switch n := len(fields); {
	case n == 0:
		return []string{"the schema of " + where + " has no fields"}
	case n == 1:
		return []string{"the only field of " + where + " is " + fields[0]}
	case n > maxListed:
		return []string{fmt.Sprintf("%s has %d fields: %s, …", where, n, strings.Join(fields[:maxListed], ", "))}
	}
	return []string{"the fields of " + where + " are " + strings.Join(fields, ", ")}
}

func noObject(where, jsonType string) string {
	return fmt.Sprintf("%s is of type %s, which has no fields", where, jsonType)
}

func inAnother(name, where string) string {
	return fmt.Sprintf("%s is a field of %s: move it there", name, where)
}

// inVersion is about a field of another version.
func (j *judge) inVersion(name string, v *version) string {
	other := j.kind.group + "/" + v.Name.V
	if v.Deprecated {
		return fmt.Sprintf("%s is a field of %s, which is deprecated: leave it out", name, other)
	}
	return fmt.Sprintf("%s is a field of %s: leave it out, or write that apiVersion", name, other)
}

func duplicateField(d diag.Diagnostic, strict bool) diag.Diagnostic {
	d.Check, d.Message = idDuplicate, fmt.Sprintf("duplicate field %q", d.Path)
	d.Notes = []string{"clients send one of the two values, and say nothing of the other"}
	d.Severity = diag.Warning
	if strict {
		d.Message, d.Severity = strictly+d.Message, diag.Error
	}
	return d
}

const noteUnchecked = "the API server checks some rules only once this is repaired"

func theRule(text string) string {
	return "the rule: " + shortened(strings.Join(strings.Fields(text), " "))
}

// maxRule is how many characters of a rule are shown.
const maxRule = 160

func shortened(text string) string {
	if r := []rune(text); len(r) > maxRule {
		return string(r[:maxRule-1]) + "…"
	}
	return text
}

// These say what to write.

func addField(name, where string, s *schema.Schema) string {
	what := ""
	if s != nil && s.Type.V != "" {
		what = map[string]string{
			"string": ", a text", "integer": ", an integer", "number": ", a number", "boolean": ", true or false", "array": ", a list", "object": ", an object",
		}[s.Type.V]
	}
	if s != nil && len(s.Enum) > 0 && len(s.Enum) <= maxListed {
		var values []string
		for _, v := range s.Enum {
			values = append(values, v.Value.Text)
		}
		what = ", one of " + strings.Join(values, ", ")
	}
	return fmt.Sprintf("add %s to %s%s", name, where, what)
}

const (
	nothingWritten = "there is nothing, which is null: write a value"
	asList         = "begin each item of the list with a dash"
)

func inQuotes(source string) string { return fmt.Sprintf("put it in quotes: %q", source) }

func withoutQuotes(text string) string { return "write " + text + " without quotes" }

func refusedWhole(message string) diag.Diagnostic {
	return diag.Diagnostic{Check: idRefused, Message: message}
}

// wrongMetadata is about a value in metadata that cannot be decoded.
func wrongMetadata(message string, n *read.Node) diag.Diagnostic {
	d := refusedWhole(message)
	if strings.HasSuffix(message, " of type string") && (n.Kind == schema.Bool || n.Kind == schema.NumberKind) {
		d.HelpText = inQuotes(n.At.Text())
	}
	return d
}

func warned(text string) diag.Diagnostic {
	return diag.Diagnostic{Check: idWarning, Severity: diag.Warning, Message: text}
}

// deprecated is the warning of a version that is.
func (j *judge) deprecated(text string) diag.Diagnostic {
	d := warned(text)
	d.Check = idVersion
	if at := j.object.Root.Find("apiVersion"); at != nil {
		d.Span = at.At
	}
	better := ""
	for _, v := range j.kind.crd.Object.Spec.Versions {
		if v.Served && !v.Deprecated && (better == "" || v.Storage) {
			better = v.Name
		}
	}
	if better != "" {
		d.HelpText = fmt.Sprintf("write apiVersion: %s/%s", j.kind.group, better)
	}
	return d
}

// fieldOr is where the value of a field of the root stands, or else where the object begins.
func fieldOr(o *read.Object, name string) diag.Span {
	if n := o.Root.Find(name); n != nil && n.At.IsValid() && n.At.Start < n.At.End {
		return n.At
	}
	return o.At
}

// notServed says that the CRD has no such version, or does not serve it, in kubectl's words.
func (k *kind) notServed(o *read.Object) diag.Diagnostic {
	served := k.servedVersions()
	d := diag.Diagnostic{
		Span: fieldOr(o, "apiVersion"), Check: idVersion, Path: "apiVersion",
		Message: fmt.Sprintf("no matches for kind %q in version %q", k.name, o.APIVersion),
		SeeAlso: []diag.Related{{Span: k.crd.IR.At, Message: "the CRD"}},
	}
	if k.version(versionOf(o)) != nil {
		d.Notes = []string{"the CRD has the version, but does not serve it"}
	}
	switch len(served) {
	case 0:
		d.Notes = append(d.Notes, "no version of the CRD is served")
	case 1:
		d.HelpText = "write apiVersion: " + served[0]
	default:
		d.Notes = append(d.Notes, "served are "+strings.Join(served, ", "))
		if near := diag.Near(o.APIVersion, served); near != "" {
			d.HelpText = diag.Meant(near)
		}
	}
	return d
}

func unknownKind(o *read.Object, group string, inGroup []*kind) diag.Diagnostic {
	var names []string
	for _, k := range inGroup {
		names = append(names, k.name)
	}
	slices.Sort(names)
	d := diag.Diagnostic{
		Span: fieldOr(o, "kind"), Check: idKind, Path: "kind",
		Message: fmt.Sprintf("no matches for kind %q in version %q", o.Kind, o.APIVersion),
	}
	if near := diag.Near(o.Kind, names); near != "" {
		d.HelpText = diag.Meant(near)
		return d
	}
	d.Notes = []string{"the CRDs of " + group + " have the kinds " + strings.Join(names[:min(len(names), maxListed)], ", ")}
	return d
}

func noKind(o *read.Object, inGroup []*kind) diag.Diagnostic {
	d := diag.Diagnostic{Span: fieldOr(o, "kind"), Check: idKind, Message: "Object 'Kind' is missing"}
	if len(inGroup) == 1 {
		d.HelpText = "write kind: " + inGroup[0].name
	}
	return d
}

// noGroup is about an object of a kind that stands in another group than the one that is named.
func noGroup(o *read.Object, k *kind) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: fieldOr(o, "apiVersion"), Check: idVersion, Path: "apiVersion",
		Message: fmt.Sprintf("no matches for kind %q in version %q", o.Kind, o.APIVersion),
	}
	if o.APIVersion == "" {
		d.Path, d.Message = "", "Object 'apiVersion' is missing"
	}
	if served := k.servedVersions(); len(served) > 0 {
		meant := served[0]
		if slices.Contains(served, k.group+"/"+o.APIVersion) {
			meant = k.group + "/" + o.APIVersion
		}
		d.HelpText = "write apiVersion: " + meant
	}
	return d
}

func unknownGroup(o *read.Object, group string, k *kind) diag.Diagnostic {
	return diag.Diagnostic{
		Span: fieldOr(o, "apiVersion"), Check: idVersion, Path: "apiVersion",
		Message:  fmt.Sprintf("no matches for kind %q in version %q", o.Kind, o.APIVersion),
		HelpText: diag.Meant(k.group + strings.TrimPrefix(o.APIVersion, group)),
	}
}

// notStored says that no server could return an object.
func notStored(o *read.Object, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: fieldOr(o, "metadata"), Check: RuleStored, Message: "no API server has this stored: " + err.Error()}
}

func noRevision(o *read.Object, revision string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: o.At, Check: RuleStored, Path: "metadata.resourceVersion",
		Message: fmt.Sprintf("the resource version of a stored object is a number, not %q", revision), HelpText: "leave it out",
	}
	if at := o.Root.Locate(d.Path); at.Missing == "" {
		d.Span = at.Node.At
	}
	return d
}
