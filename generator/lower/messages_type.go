package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about Go types and fields.

const interfaceHelp = "use apiextensionsv1.JSON for any JSON value, runtime.RawExtension for an object, or an explicit type"

// way describes the path of fields that leads to what is being described.
func (r reporter) way() string {
	var out strings.Builder
	for _, s := range r.steps() {
		switch {
		case s.typ != nil || s.part == "":
		case s.part == "[]" || s.part == "{}":
			out.WriteString(s.part)
		default:
			if out.Len() > 0 {
				out.WriteByte('.')
			}
			out.WriteString(s.part)
		}
	}
	return out.String()
}

// reached adds the path to a diagnostic.
func (r reporter) reached(d diag.Diagnostic) diag.Diagnostic {
	if way := r.way(); way != "" {
		d.Notes = append(d.Notes, "reached through "+way)
	}
	return d
}

// elsewhere restates a diagnostic about a type of another package at the user's own field.
func (r reporter) elsewhere(d diag.Diagnostic, own diag.Span, typ *typ) diag.Diagnostic {
	d.SeeAlso = append(related(d.Span, d.Message), d.SeeAlso...)
	d.Span = own
	d.Notes = nil // the way there may be that of the first place that used the type
	d = r.reached(d)
	d.Message = "in type " + typ.name + ": " + d.Message
	if d.Severity == diag.Error || d.HelpText == "" {
		d.HelpText = "state the schema yourself with +kubebuilder:validation:Schemaless and +kubebuilder:validation:Type=…, or use another type"
	}
	if instead := typ.instead(); instead != "" {
		d.HelpText = "use " + instead
	}
	return d
}

// instead names the type of Kubernetes' libraries to use in place of one of Go's.
func (t *typ) instead() string {
	switch t.name {
	case "time.Time":
		return "metav1.Time"
	case "url.URL":
		return "a string"
	case "big.Int", "big.Float", "big.Rat":
		return "resource.Quantity"
	}
	return ""
}

func (r reporter) unsupported(at diag.Span, what, help string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "type-unsupported", Message: what + " has no schema", HelpText: help,
	})
}

func (r reporter) float(at diag.Span, name string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "type-float", Message: name + " is not allowed: floating-point numbers differ between languages",
		HelpText: "use a string, a resource.Quantity or an integer of a smaller unit, or run with crd:allowDangerousTypes=true",
	})
}

func (r reporter) mapKey(at diag.Span, name string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: at, Check: "type-map-key", Message: "map key " + name + " is neither a string nor an encoding.TextMarshaler",
		HelpText: "use a string type as the key",
	})
}

func (r reporter) undefined(sc *scope, e ast.Expr, name string) diag.Diagnostic {
	d := diag.Diagnostic{Span: sc.span(e), Check: "type-undefined", Message: "type " + name + " is not defined"}
	if msg := sc.decl.Pkg.TypeError(e); msg != "" {
		d.Message = msg
	}
	var names []string
	for _, decl := range sc.decl.Pkg.Decls {
		if decl.Name != name && decl.Name != "_" {
			names = append(names, decl.Name)
		}
	}
	if sc.decl.Pkg.Lookup(name) != nil && d.Message == "type "+name+" is not defined" {
		d.Message = "type " + name + " is defined by itself"
	}
	if _, ok := e.(*ast.Ident); ok {
		d.HelpText = diag.DidYouMean(name, names)
	}
	return r.reached(d)
}

// cycle describes the recursion that a reference to t closes.
func (r reporter) cycle(t *typ, at diag.Span) *diag.Diagnostic {
	start, steps := 0, r.steps()
	for i, s := range steps {
		if s.typ == t {
			start = i
		}
	}
	var way strings.Builder
	way.WriteString(t.name)
	for _, s := range steps[start+1:] {
		switch {
		case s.typ != nil:
			way.WriteString(" (" + s.typ.name + ")")
		case s.part == "[]" || s.part == "{}":
			way.WriteString(s.part)
		case s.part != "":
			way.WriteString(" → " + s.part)
		}
	}
	way.WriteString(" → " + t.name)
	d := r.reached(diag.Diagnostic{
		Span: at, Check: "type-recursive", Message: "type " + t.name + " contains itself, which a CRD schema cannot say",
		Notes: []string{"cycle: " + way.String()},
		HelpText: "break the cycle: put +kubebuilder:validation:Schemaless, +kubebuilder:validation:Type=object and " +
			"+kubebuilder:pruning:PreserveUnknownFields on the field, or use apiextensionsv1.JSON",
	})
	return &d
}

func (r reporter) untagged(f *field, t *typ) diag.Diagnostic {
	name, owner := f.goName, "an anonymous struct"
	if name == "" {
		name = types.ExprString(f.syntax.Type)
	}
	if t != nil {
		owner = "type " + t.name
	}
	help := fmt.Sprintf("add `json:%q`, or `json:\"-\"` to leave it out", jsonName(f)+",omitempty")
	if f.goName == "" && (strings.HasSuffix(name, ".ObjectMeta") || strings.HasSuffix(name, ".ListMeta")) {
		help = "add `json:\"metadata,omitempty\"`"
	} else if f.goName == "" {
		help = "add `json:\",inline\"`"
	} else if !ast.IsExported(name) {
		help = "add `json:\"-\"`, or run with crd:ignoreUnexportedFields=true"
	}
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-untagged", Message: "field " + name + " of " + owner + " has no json tag", HelpText: help,
	})
}

func (r reporter) inlineScalar(f *field, jsonType string) diag.Diagnostic {
	return r.reached(diag.Diagnostic{
		Span: f.at, Check: "field-inline",
		Message:  "a field whose json tag has no name is part of the struct around it, but this one is " + typePhrase(jsonType),
		HelpText: fmt.Sprintf("name it in the tag: `json:%q`", jsonName(f)+",omitempty"),
	})
}

func inlineRequired(f *field) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: f.at, Check: "marker-target", Message: "a field that is part of the struct around it cannot be required itself",
		HelpText: "put +required on its fields",
	}
	for _, name := range []string{markKBRequired, "required", "k8s:required"} {
		if m := find(f.marks, name); m != nil {
			d.Span = m.At
		}
	}
	return d
}

// jsonName is the name that a field would usually have in JSON.
func jsonName(f *field) string {
	name := f.goName
	if name == "" {
		name = types.ExprString(f.syntax.Type)
		name = strings.TrimPrefix(name[strings.LastIndexByte(name, '.')+1:], "*")
	}
	n := 1 // leading capitals are one word: KMSKeyID is kmsKeyID
	for n+1 < len(name) && isUpper(name[n]) && isUpper(name[n+1]) {
		n++
	}
	if n+1 == len(name) && isUpper(name[n]) {
		n++
	}
	return strings.ToLower(name[:n]) + name[n:]
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func textMarshalerType(t *typ, declared schema.Text) diag.Diagnostic {
	return diag.Diagnostic{
		Span: declared.At, Check: "type-conflict",
		Message:  fmt.Sprintf("type %s marshals to text, which is a string, not %s", t.name, declared.V),
		HelpText: "remove the Type marker, or give the type MarshalJSON",
	}
}

func nestedOneOf(item markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: item.At, Check: "oneof-nested", Message: "field " + strconv.Quote(item.Text) + " is not a field of the type itself",
		HelpText: "put the marker on the type that has the field, or write an XValidation rule",
	}
}

func oneOfUnknown(item markers.Value, t *typ, names []string) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: item.At, Check: "oneof-unknown", Message: fmt.Sprintf("%s has no field %q", t.name, item.Text),
		HelpText: "name fields as they are called in JSON",
	}
	if len(names) > 0 {
		d.Notes = []string{"its fields are " + strings.Join(names, ", ")}
	}
	if near := diag.Near(item.Text, names); near != "" {
		d.HelpText = diag.Meant(near)
	}
	return d
}

func oneOfEscaped(item markers.Value, escaped string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: item.At, Check: "oneof-escape", Message: fmt.Sprintf("the marker becomes a rule in CEL, which does not read %q as one name", item.Text),
		HelpText: "write " + escaped,
	}
}

func oneOfHidden(name schema.Text, at diag.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Span: name.At, Check: "oneof-unknown", Message: fmt.Sprintf("two fields have the key %q, so that Go writes neither", name.V),
		HelpText: "rename one of them in its json tag", SeeAlso: related(at, "one of them"),
	}
}

func requiredOneOf(f *field, m *markers.Marker, at diag.Span) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: f.at, Check: "oneof-required",
		Message:  "field " + strconv.Quote(f.name) + " is part of a OneOf group, and required",
		HelpText: "give the field the tag option omitempty or the marker +optional",
		SeeAlso:  related(at, "the group"),
	}
	if m != nil {
		d.Span, d.HelpText = m.At, "remove the marker"
	}
	return d
}
