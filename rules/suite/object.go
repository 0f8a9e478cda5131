package suite

import (
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/literal"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/server"
)

// An Object is an object that stands in a suite as the text of a key.
type Object struct {
	Field
	// JSON is the object as a client sends it, Fields what it decodes to.
	JSON   []byte
	Fields map[string]any

	object read.Object
	// decoded is where each byte of the text was written; it is nil where that cannot be told.
	decoded *literal.Decoded
}

// object reads the text of an object, nil where there is none.
func (p *parser) object(m *schema.Member) *Object {
	if m.Value.Kind == schema.Object {
		p.report(diag.Errorf(m.KeyAt, badSyntax, "%s is the text of an object, not a mapping", m.Key).
			Help("write %s: | with the object in the lines below it", m.Key))
		return nil
	}
	text := p.text(m)
	if strings.TrimSpace(text.V) == "" {
		return nil
	}
	o := &Object{Field: Field{Text: text, Key: m.KeyAt}}
	if decoded, ok := literal.YAML(text.At.Text(), text.V); ok {
		o.decoded = &decoded
	}
	inner := &diag.Source{Path: p.src.Path, Data: []byte(text.V)}
	list, found := read.Objects(inner)
	if len(list) == 1 {
		found = append(found, list[0].Duplicates...)
		found = append(found, list[0].Renamed...)
	}
	for _, d := range found {
		p.report(o.diagnostic(d))
	}
	switch {
	case diag.HasErrors(found):
		return nil
	case len(list) == 0:
		p.report(diag.Errorf(o.Key, badSyntax, "%s is no object", m.Key).
			Help("write apiVersion, kind and spec, as for kubectl"))
		return nil
	case len(list) > 1:
		p.report(diag.Errorf(o.Key, badSyntax, "%s holds %d objects, not one", m.Key, len(list)).
			Help("give each a case of its own"))
		return nil
	}
	o.object, o.JSON = list[0], list[0].JSON
	for _, name := range []string{"apiVersion", "kind"} {
		if n := o.object.Root.Find(name); n == nil || n.Kind != schema.String {
			p.report(missing(o.span(o.object.At), m.Key, name))
		}
	}
	if err := utiljson.Unmarshal(o.JSON, &o.Fields); err != nil {
		p.report(diag.Errorf(o.Key, badSyntax, "no client can send this: %v", err))
		return nil
	}
	return o
}

// Locate is where a field stands in the suite, in the notation of API servers, or the nearest one above it.
func (o *Object) Locate(path string) diag.Span {
	l := o.object.Root.Locate(path)
	if l.Key.IsValid() {
		return o.span(l.Key)
	}
	if len(l.Way) > 0 && l.Value.Start < l.Value.End {
		line := l.Value // of an item of a list the first line
		if i := strings.IndexByte(line.Text(), '\n'); i >= 0 {
			line.End = line.Start + int32(i)
		}
		return o.span(line)
	}
	return o.Key
}

// place is where the first thing stands that a server refuses an object for.
func (o *Object) place(answer server.Answer) diag.Span {
	if len(answer.Errors) == 0 {
		return o.Key
	}
	return o.Locate(causes(answer)[0].Field)
}

// span leads a position in the text back to the file.
func (o *Object) span(at diag.Span) diag.Span {
	if o.decoded == nil || !at.IsValid() {
		return o.Key
	}
	from, to := o.decoded.Range(int(at.Start), int(at.End))
	return o.At.Sub(from, to)
}

func (o *Object) diagnostic(d diag.Diagnostic) diag.Diagnostic {
	d.Span, d.SeeAlso = o.span(d.Span), slices.Clone(d.SeeAlso)
	for i := range d.SeeAlso {
		d.SeeAlso[i].Span = o.span(d.SeeAlso[i].Span)
	}
	return d
}
