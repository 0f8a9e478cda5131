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
	return diag.Diagnostic{Span: at, Check: ruleSyntax, Message: "the file is written in UTF-16",
		HelpText: "save the file as UTF-8"}
}

func afterSeparator(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleSyntax, Message: "nothing but a comment may follow the three dashes between documents",
		HelpText: "begin the document in the next line; kubectl refuses the file as it is",
	}
}

func afterDocument(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleSyntax,
		Message:  "three dots end the document, and kubectl reads nothing of what follows them",
		HelpText: "separate documents by a line of three dashes",
	}
}

func notRendered(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleTemplate, Message: "this is a template, not YAML",
		HelpText: "render it first, as in: helm template --include-crds . | crdproof check -",
	}
}

// renderObjects is what to do with a template of other objects than CRDs.
const renderObjects = "render it first, as in: helm template . | crdproof validate -"

func notJSON(at diag.Span, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Check: ruleSyntax, Message: "this is no JSON: " + err.Error()}
}

func noObject(at diag.Span, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Check: ruleSyntax, Message: "no client can send this: " + err.Error()}
}

// noItems is about a List; items is what it has in place of them.
func noItems(items *schema.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: items.Start(), Check: ruleSyntax, Message: "items of a List is a list, not " + kindName(items.Kind),
		Notes: []string{"no client can send its objects"}, HelpText: "begin each item with a dash",
	}
}

// objectsInArray is about a document that is a list; first is an object in it.
func objectsInArray(first *schema.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: first.Start(), Check: ruleSyntax,
		Message: "this object stands in a list that is no object itself, and which no client can send",
		HelpText: "write {apiVersion: v1, kind: List, items: …} around the list, or give each object a document of " +
			"its own",
	}
}

func notYAML(at diag.Span, problem string) diag.Diagnostic {
	cures := []struct{ problem, help string }{
		{"mapping values are not allowed",
			"a key begins its own line; a text that holds a colon and a space stands in quotes"},
		{"found character that cannot start", "put a text that begins with this in quotes"},
		{"found a tab character", "indent with spaces"},
		{"did not find expected key",
			"all keys of a mapping begin in the same column, and nothing follows a quoted text"},
		{"did not find expected '-' indicator", "all items of a list begin in the same column"},
		{"could not find expected ':'",
			"a key needs a colon and a space behind it; a text that goes on is indented further than its key"},
		{"found unexpected end of stream", "a quote is missing at the end of the text that begins here"},
		{"found unknown escape character",
			"in double quotes a backslash is written twice; in single quotes it stands for itself"},
		{"UTF-8", "save the file as UTF-8"},
		{"unknown anchor", "an anchor (&name) stands before its aliases (*name), in the same document"},
	}
	if at.Text() == "\t" {
		problem = "found a tab character where spaces are expected"
	}
	d := diag.Diagnostic{Span: at, Check: ruleSyntax, Message: "this cannot be read as YAML: " + problem}
	for _, c := range cures {
		if strings.Contains(problem, c.problem) {
			d.HelpText = c.help
			break
		}
	}
	return d
}

func selfReference(name string, at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{Span: at, Check: ruleSyntax,
		Message: "the value of the anchor &" + name + " contains itself"}
}

func noMerge(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleSyntax, Message: "<< merges mappings, and this is none",
		HelpText: "write <<: *name, or << in quotes if it is a key",
	}
}

func noKey(at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleSyntax, Message: "this key is no text, as the keys of JSON objects are",
		HelpText: "put it in quotes",
	}
}

// otherKey says that a key without quotes is sent as another one, since YAML 1.1 takes it for a boolean or a number.
func otherKey(written, sent string, kind schema.Kind, at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleKey, Severity: diag.Warning,
		Message: fmt.Sprintf("the key %s is read as %s %s, and sent as %q", written,
			strings.Replace(kindName(kind), "a ", "the ", 1), sent, sent),
		HelpText: fmt.Sprintf("write it in quotes: %q", written),
	}
}

func noJSON(source string, at diag.Span, err error) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleSyntax, Message: fmt.Sprintf("%s has no form in JSON: %s", source,
			strings.TrimPrefix(err.Error(), "yaml: ")),
		HelpText: "put it in quotes if it is a text",
	}
}

func duplicateKey(key string, at, first diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleDuplicate, Severity: diag.Warning,
		Message:  fmt.Sprintf("the key %q stands here a second time", key),
		Notes:    []string{"one of the two values is lost; an API server that reads the file strictly refuses it"},
		HelpText: "drop one of them",
		SeeAlso:  []diag.Related{{Span: first, Message: "the first"}},
	}
}

func otherAPIVersion(apiVersion, kind *schema.Value) diag.Diagnostic {
	d := diag.Diagnostic{Check: ruleNoCRD, HelpText: "write apiVersion: " + crdVersion}
	switch {
	case apiVersion == nil:
		d.Span, d.Message = kind.At, "a "+crdKind+" without apiVersion"
	case is(apiVersion, crdGroup+"/v1beta1"):
		d.Span, d.Message = apiVersion.At, apiVersion.Text+" is served by no Kubernetes since 1.22"
		d.HelpText = "write the CRD for " + crdVersion +
			", where each version has its own schema, and the schema is structural"
	default:
		d.Span, d.Message = apiVersion.At, fmt.Sprintf("there is no %s in %s", crdKind, shown(apiVersion))
	}
	return d
}

func otherKind(apiVersion, kind *schema.Value) diag.Diagnostic {
	if kind == nil {
		return diag.Diagnostic{
			Span: apiVersion.At, Check: ruleNoCRD, Message: "an object of " + apiVersion.Text + " without kind",
			HelpText: "write kind: " + crdKind,
		}
	}
	return diag.Diagnostic{
		Span: kind.At, Check: ruleNoCRD, Message: fmt.Sprintf("there is no kind %s in %s", shown(kind),
			apiVersion.Text),
		HelpText: "write kind: " + crdKind,
	}
}

// shown is a value as a message names it.
func shown(n *schema.Value) string {
	switch n.Kind {
	case schema.String:
		return fmt.Sprintf("%q", n.Text)
	case schema.Bool, schema.NumberKind:
		return n.Text
	}
	return kindName(n.Kind)
}

// kindName names a type of JSON.
func kindName(k schema.Kind) string {
	return [...]string{
		schema.Null: "null", schema.Bool: "a boolean", schema.NumberKind: "a number", schema.String: "a string",
		schema.Array: "a list", schema.Object: "an object",
	}[k]
}

// wrongType says that a field has a value of another type than API servers decode into it.
func wrongType(name string, n *schema.Value, want string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: n.At, Check: ruleType, Message: fmt.Sprintf("%s is %s, not %s", name, want, kindName(n.Kind)),
		Notes: []string{"no API server can decode the object"},
	}
	written := n.At.Text()
	switch {
	case want == wantText && (n.Kind == schema.Bool || n.Kind == schema.NumberKind):
		d.HelpText = fmt.Sprintf("put it in quotes: %q", written)
	case want == wantInteger && n.Kind == schema.NumberKind:
		d.Message = fmt.Sprintf("%s is %s, not %s", name, want, n.Text)
	case n.Kind != schema.String:
	case want == wantBool && (n.Text == "true" || n.Text == "false"), (want == wantInteger || want == wantNumber) &&
		schema.IsWholeNumber(n.Text):
		d.HelpText = "write " + n.Text + " without quotes"
	}
	return d
}

func outOfRange(name string, n *schema.Value, bits int) diag.Diagnostic {
	return diag.Diagnostic{
		Span: n.At, Check: ruleType, Message: fmt.Sprintf("%s does not fit into the %d bits of %s", n.Text, bits, name),
		Notes: []string{"no API server can decode the object"},
	}
}

func noBase64(name string, n *schema.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: n.At, Check: ruleType, Message: name + " is bytes in base64, and this is not",
		Notes: []string{"no API server can decode the object"},
	}
}

func itemsIgnored(n *schema.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: n.At, Check: ruleType, Severity: diag.Warning,
		Message: "items is a schema, not " + kindName(n.Kind) +
			"; API servers take it for a schema that is missing",
	}
}

// unknownField says that no API server has a field. Strict decoding, which kubectl asks for unless told otherwise,
// stops at unmarshalers of their own, as JSONSchemaPropsOrArray and JSONSchemaPropsOrBool are
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/marshal.go).
func unknownField(m *schema.Member, known []string, overlooked bool) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: m.KeyAt, Check: ruleUnknown, Severity: diag.Warning,
		Message: fmt.Sprintf("no API server knows the field %q here; it is dropped", m.Key),
		Notes:   []string{"kubectl refuses the file, unless it is told to --validate=warn"},
	}
	if overlooked {
		d.Notes = []string{"below items and additionalProperties, kubectl says nothing of it"}
	}
	d.HelpText = diag.DidYouMean(m.Key, known)
	return d
}
