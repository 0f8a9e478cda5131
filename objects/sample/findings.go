package sample

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// report adds a finding about a field at its place.
func (j *judgement) report(at schema.Location, path string, d diag.Diagnostic) {
	if !d.Span.IsValid() {
		d.Span = j.at(at)
	}
	d.Path = path
	j.found = append(j.found, d)
}

// at returns the position to report for a location: the value, or the key if the value is long or lacks the rest of
// the path. For the root it is the kind.
func (j *judgement) at(at schema.Location) diag.Span {
	switch {
	case len(at.Way) == 0:
		return j.object.Root.Find("kind").At
	case at.Missing == "" && at.Value.IsValid() && at.Value.Start < at.Value.End && isShort(at):
		return at.Value
	case at.Key.IsValid():
		return at.Key
	}
	return at.Node.Start()
}

// isShort reports whether a value is on one line.
func isShort(at schema.Location) bool {
	isCollection := at.Node.Kind == schema.Object || at.Node.Kind == schema.Array
	return !isCollection || !strings.Contains(at.Value.Text(), "\n")
}

// strictly begins a server's errors about the strict decoding of a body.
const strictly = "strict decoding error: "

// duplicates reports duplicate keys. Clients send only one of them, so a server cannot report them; the message is the
// one that it has for a body with duplicates.
func (j *judgement) duplicates() {
	if j.opts.Validation == Ignore {
		return
	}
	for _, key := range j.object.Duplicates {
		d := diag.Warningf(key.Span, duplicated, "duplicate field %q", key.Path).In(key.Path).
			Note("clients send one of the two values and silently drop the other").Help("%s", key.HelpText)
		d.SeeAlso = key.SeeAlso
		if j.opts.Validation == Strict {
			d.Message, d.Severity = strictly+d.Message, diag.Error
		}
		j.found = append(j.found, d)
	}
}

// rejection reports why the object is rejected.
func (j *judgement) rejection(said write.Answer) {
	if said.Rejection == nil {
		return
	}
	if len(said.Errors) == 0 {
		j.rejectedWhole(said.Rejection.ErrStatus.Message)
		return
	}
	unchecked, blocking := false, len(j.found)
	for _, e := range said.Errors {
		switch {
		case write.IsUnchecked(e):
			unchecked = true
		case e.Field == "metadata.name" && j.isNameGenerated():
			// the server reports generateName too
		default:
			if write.BlocksRules(e) {
				blocking = len(j.found)
			}
			j.fieldError(e)
		}
	}
	if unchecked && blocking < len(j.found) {
		j.found[blocking] = j.found[blocking].Note("the API server checks some rules only after this is fixed")
	}
}

// undecodable reports a value that the server accepts, and that Go clients cannot decode.
func (j *judgement) undecodable(s *schema.Schema, v *schema.Value, at schema.Path) {
	d := diag.Warningf(v.At, undecodable, "%s: Go clients cannot decode %s as %s", at, v.At.Text(), s.Origin)
	if meant, ok := readHuman(v.Text, s); ok && v.Kind == schema.String {
		d = d.Note("the units of a %s are %s", meant.what, meant.units).Help("write %s", meant.text)
	}
	j.report(schema.Location{Node: v, Value: v.At}, at.String(), d)
}

// isNameGenerated reports whether the server generates the name.
func (j *judgement) isNameGenerated() bool {
	made := j.object.Root.Locate("metadata.generateName")
	return j.object.Name == "" && made.Missing == "" && made.Node.Text != ""
}

// fieldError reports one cause of a rejection.
func (j *judgement) fieldError(e *field.Error) {
	at := j.object.Root.Locate(e.Field)
	d := diag.Errorf(diag.Span{}, wrongField, "%s", kube.Sentence(e))
	if bad, isText := e.BadValue.(string); isText && at.Missing == "" {
		d.Span = partOf(at.Node, bad)
	}
	if at.Missing != "" {
		d.Message = strings.TrimPrefix(at.Missing, ".") + ": " + d.Message // the source does not show the name
	}
	j.helpWithValue(&d, e, at)
	d.SeeAlso = j.rules(e, at)
	path := e.Field
	if path == "<nil>" {
		path = ""
	}
	j.report(at, path, d)
}

// partOf returns the key or the value in a collection that an error is about if it names only the collection, as
// errors about labels do. It is invalid if there is none.
func partOf(n *schema.Value, text string) diag.Span {
	for i := range n.Members {
		switch m := &n.Members[i]; {
		case m.Key == text:
			return m.KeyAt
		case m.Value.Kind == schema.String && m.Value.Text == text:
			return m.Value.At
		}
	}
	for _, item := range n.Items {
		if item.Kind == schema.String && item.Text == text {
			return item.At
		}
	}
	return diag.Span{}
}

// ofMetadata matches the server's error for metadata that cannot be decoded.
var ofMetadata = regexp.MustCompile(
	`cannot unmarshal (\w+) into Go struct field ObjectMeta\.(?:metadata\.)?([\w.]+) of type (\S+)`)

// rejectedWhole reports a rejection that names no field. It finds the position of metadata of a wrong type anyway.
func (j *judgement) rejectedWhole(message string) {
	rejected := diag.Errorf(diag.Span{}, rejectedWhole, "%s", message)
	said := ofMetadata.FindStringSubmatch(message)
	if said == nil {
		j.report(schema.Location{Node: j.object.Root}, "", rejected)
		return
	}
	// ofValue adds what to write instead of a value.
	ofValue := func(n *schema.Value) diag.Diagnostic {
		if strings.HasSuffix(message, " of type string") && (n.Kind == schema.Bool || n.Kind == schema.NumberKind) {
			return rejected.Help("%s", inQuotes(n.At.Text()))
		}
		return rejected
	}
	path := "metadata." + said[2]
	at := j.object.Root.Locate(path)
	if at.Missing == "" {
		for i := range at.Node.Members {
			m := &at.Node.Members[i]
			if m.Value.Kind != schema.String {
				d := ofValue(&m.Value)
				d.Span = m.Value.At
				j.report(schema.Location{}, path+"["+m.Key+"]", d)
				return
			}
		}
	}
	j.report(at, path, ofValue(at.Node))
}

// ofField matches a warning that begins with a field.
var ofField = regexp.MustCompile(`^(metadata|spec|status)[^ :]*`)

// warnings reports the server's warnings.
func (j *judgement) warnings(list []string) {
	for _, text := range list {
		warned := diag.Warningf(diag.Span{}, warning, "%s", text)
		switch path := ofField.FindString(text); {
		case strings.HasPrefix(text, "unknown field "):
			// unknown reports it with its position
		case j.isDeprecation(text):
			j.report(schema.Location{}, "apiVersion", j.deprecated(text))
		case path != "" && j.object.Root.Locate(path).Missing == "":
			j.report(j.object.Root.Locate(path), path, warned)
		default:
			j.report(schema.Location{}, "", warned)
		}
	}
}

// deprecated returns the warning of a deprecated version.
func (j *judgement) deprecated(text string) diag.Diagnostic {
	d := diag.Warningf(j.object.Root.Find("apiVersion").At, wrongVersion, "%s", text)
	better := ""
	for _, v := range j.kind.crd.Object.Spec.Versions {
		if v.Served && !v.Deprecated && (better == "" || v.Storage) {
			better = v.Name
		}
	}
	if better != "" {
		d = d.Help("write apiVersion: %s/%s", j.kind.group, better)
	}
	return d
}

// isDeprecation reports whether a warning says that the version is deprecated.
func (j *judgement) isDeprecation(text string) bool {
	if w := j.version.DeprecationWarning; w != nil {
		return j.version.Deprecated && text == w.V
	}
	return j.version.Deprecated && strings.Contains(text, " is deprecated")
}
