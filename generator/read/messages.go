package read

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// The ids of findings in files.
const (
	ruleSyntax    = "yaml-syntax"
	ruleTemplate  = "yaml-template"
	ruleDuplicate = "yaml-duplicate"
	ruleKey       = "yaml-key"
	ruleNoCRD     = "crd-unknown"
	ruleType      = "field-type"
	ruleUnknown   = "field-unknown"
)

func notUTF8(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Rule: ruleSyntax, Message: "the file is written in UTF-16", Help: "save the file as UTF-8"}
}

func afterSeparator(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleSyntax, Message: "nothing but a comment may follow the three dashes between documents",
		Help: "begin the document in the next line; kubectl refuses the file as it is",
	}
}

func afterDocument(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleSyntax, Message: "three dots end the document, and kubectl reads nothing of what follows them",
		Help: "separate documents by a line of three dashes",
	}
}

func notRendered(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleTemplate, Message: "this is a template, not YAML",
		Help: "render it first, as in: helm template --include-crds . | crdproof check -",
	}
}

func notJSON(at diag.Span, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Rule: ruleSyntax, Message: "this is no JSON: " + err.Error()}
}

func noObject(at diag.Span, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Rule: ruleSyntax, Message: "no client can send this: " + err.Error()}
}

func notYAML(at diag.Span, problem string) diag.Diagnostic {
	cures := []struct{ problem, help string }{
		{"mapping values are not allowed", "a key begins its own line; a text that holds a colon and a space stands in quotes"},
		{"found character that cannot start", "put a text that begins with this in quotes"},
		{"found a tab character", "indent with spaces"},
		{"did not find expected key", "all keys of a mapping begin in the same column, and nothing follows a quoted text"},
		{"did not find expected '-' indicator", "all items of a list begin in the same column"},
		{"could not find expected ':'", "a key needs a colon and a space behind it; a text that goes on is indented further than its key"},
		{"found unexpected end of stream", "a quote is missing at the end of the text that begins here"},
		{"found unknown escape character", "in double quotes a backslash is written twice; in single quotes it stands for itself"},
		{"UTF-8", "save the file as UTF-8"},
		{"unknown anchor", "an anchor (&name) stands before its aliases (*name), in the same document"},
	}
	if at.Text() == "\t" {
		problem = "found a tab character where spaces are expected"
	}
	d := diag.Diagnostic{Span: at, Rule: ruleSyntax, Message: "this cannot be read as YAML: " + problem}
	for _, c := range cures {
		if strings.Contains(problem, c.problem) {
			d.Help = c.help
			break
		}
	}
	return d
}

func selfReference(name string, at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Rule: ruleSyntax, Message: "the value of the anchor &" + name + " contains itself"}
}

func noMerge(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleSyntax, Message: "<< merges mappings, and this is none",
		Help: "write <<: *name, or << in quotes if it is a key",
	}
}

func noKey(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleSyntax, Message: "this key is no text, as the keys of JSON objects are",
		Help: "put it in quotes",
	}
}

// otherKey says that a key without quotes is sent as another one, since YAML 1.1 takes it for a boolean or a number.
func otherKey(written, sent string, kind schema.Kind, at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleKey, Severity: diag.Warning,
		Message: fmt.Sprintf("the key %s is read as %s %s, and sent as %q", written, strings.Replace(kindName(kind), "a ", "the ", 1), sent, sent),
		Help:    fmt.Sprintf("write it in quotes: %q", written),
	}
}

func noJSON(source string, at diag.Span, err error) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleSyntax, Message: fmt.Sprintf("%s has no form in JSON: %s", source, strings.TrimPrefix(err.Error(), "yaml: ")),
		Help: "put it in quotes if it is a text",
	}
}

func duplicateKey(key string, at, first diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Rule: ruleDuplicate, Severity: diag.Warning, Message: fmt.Sprintf("the key %q stands here a second time", key),
		Notes:   []string{"one of the two values is lost; an API server that reads the file strictly refuses it"},
		Help:    "drop one of them",
		Related: []diag.Related{{Span: first, Message: "the first"}},
	}
}

func otherAPIVersion(apiVersion, kind *node) diag.Diagnostic {
	d := diag.Diagnostic{Rule: ruleNoCRD, Help: "write apiVersion: " + crdVersion}
	switch {
	case apiVersion == nil:
		d.Span, d.Message = kind.at, "a "+crdKind+" without apiVersion"
	case apiVersion.is(crdGroup + "/v1beta1"):
		d.Span, d.Message = apiVersion.at, apiVersion.text+" is served by no Kubernetes since 1.22"
		d.Help = "write the CRD for " + crdVersion + ", where each version has its own schema, and the schema is structural"
	default:
		d.Span, d.Message = apiVersion.at, fmt.Sprintf("there is no %s in %s", crdKind, apiVersion.shown())
	}
	return d
}

func otherKind(apiVersion, kind *node) diag.Diagnostic {
	if kind == nil {
		return diag.Diagnostic{
			Span: apiVersion.at, Rule: ruleNoCRD, Message: "an object of " + apiVersion.text + " without kind",
			Help: "write kind: " + crdKind,
		}
	}
	return diag.Diagnostic{
		Span: kind.at, Rule: ruleNoCRD, Message: fmt.Sprintf("there is no kind %s in %s", kind.shown(), apiVersion.text),
		Help: "write kind: " + crdKind,
	}
}

// shown is a value as a message names it.
func (n *node) shown() string {
	switch n.kind {
	case schema.String:
		return fmt.Sprintf("%q", n.text)
	case schema.Bool, schema.NumberKind:
		return n.text
	}
	return kindName(n.kind)
}

// kindName names a type of JSON.
func kindName(k schema.Kind) string {
	return [...]string{
		schema.Null: "null", schema.Bool: "a boolean", schema.NumberKind: "a number", schema.String: "a string",
		schema.Array: "a list", schema.Object: "an object",
	}[k]
}

// wrongType says that a field has a value of another type than API servers decode into it.
func wrongType(name string, n *node, want string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: n.at, Rule: ruleType, Message: fmt.Sprintf("%s is %s, not %s", name, want, kindName(n.kind)),
		Notes: []string{"no API server can decode the object"},
	}
	written := n.at.Text()
	switch {
	case want == wantText && (n.kind == schema.Bool || n.kind == schema.NumberKind):
		d.Help = fmt.Sprintf("put it in quotes: %q", written)
	case want == wantInteger && n.kind == schema.NumberKind:
		d.Message = fmt.Sprintf("%s is %s, not %s", name, want, n.text)
	case n.kind != schema.String:
	case want == wantBool && (n.text == "true" || n.text == "false"), (want == wantInteger || want == wantNumber) && schema.IsWholeNumber(n.text):
		d.Help = "write " + n.text + " without quotes"
	}
	return d
}

func outOfRange(name string, n *node, bits int) diag.Diagnostic {
	return diag.Diagnostic{
		Span: n.at, Rule: ruleType, Message: fmt.Sprintf("%s does not fit into the %d bits of %s", n.text, bits, name),
		Notes: []string{"no API server can decode the object"},
	}
}

func noBase64(name string, n *node) diag.Diagnostic {
	return diag.Diagnostic{
		Span: n.at, Rule: ruleType, Message: name + " is bytes in base64, and this is not",
		Notes: []string{"no API server can decode the object"},
	}
}

func itemsIgnored(n *node) diag.Diagnostic {
	return diag.Diagnostic{
		Span: n.at, Rule: ruleType, Severity: diag.Warning, Message: "items is a schema, not " + kindName(n.kind) + "; API servers take it for a schema that is missing",
	}
}

// unknownField says that no API server has a field. Strict decoding, which kubectl asks for unless told otherwise, stops
// at unmarshalers of their own, as JSONSchemaPropsOrArray and JSONSchemaPropsOrBool are
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/marshal.go).
func unknownField(m *member, known []string, overlooked bool) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: m.keyAt, Rule: ruleUnknown, Severity: diag.Warning,
		Message: fmt.Sprintf("no API server knows the field %q here; it is dropped", m.key),
		Notes:   []string{"kubectl refuses the file, unless it is told to --validate=warn"},
	}
	if overlooked {
		d.Notes = []string{"below items and additionalProperties, kubectl says nothing of it"}
	}
	if near := diag.Near(m.key, known); near != "" {
		d.Help = fmt.Sprintf("did you mean %q?", near)
	}
	return d
}
