package suite

import (
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/literal"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// An Object is an object in a suite: the string value of a key.
type Object struct {
	Field
	// JSON is the object as a client sends it, Fields what it decodes to.
	JSON   []byte
	Fields map[string]any

	object read.Object
	// decoded is the source position of each byte of the string; it is nil if that is unknown.
	decoded *literal.Decoded
}

// object reads an object from the string of a key. It returns nil if there is none.
func (p *parser) object(m *schema.Member) *Object {
	if m.Value.Kind == schema.Object {
		d := diag.Errorf(m.KeyAt, badSyntax, "expected a string for %s, got a mapping", m.Key)
		if !strings.HasPrefix(m.Value.At.Text(), "{") {
			d = d.Help("add | after %s:", m.Key)
		}
		p.report(d)
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
	read.Unrendered(found, unrendered)
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
		p.report(diag.Errorf(o.Key, badSyntax, "expected an object in %s", m.Key).
			Help("write an object with apiVersion, kind and spec, as for kubectl"))
		return nil
	case len(list) > 1:
		p.report(diag.Errorf(o.Key, badSyntax, "expected one object in %s, got %d", m.Key, len(list)).
			Help("write a case for each object"))
		return nil
	}
	o.object, o.JSON = list[0], list[0].JSON
	for _, name := range []string{"apiVersion", "kind"} {
		if n := o.object.Root.Find(name); n == nil || n.Kind != schema.String {
			p.report(missing(o.span(o.object.At), m.Key, name))
		}
	}
	if err := utiljson.Unmarshal(o.JSON, &o.Fields); err != nil {
		p.report(diag.Errorf(o.Key, badSyntax, "the object cannot be sent to an API server: %v", err))
		return nil
	}
	return o
}

// Locate returns the position of a field in the suite, or of the nearest one above it. The path is in the notation of
// API servers.
func (o *Object) Locate(path string) diag.Span {
	l := o.object.Root.Locate(path)
	if l.Key.IsValid() {
		return o.span(l.Key)
	}
	if len(l.Way) > 0 && l.Value.Start < l.Value.End {
		line := l.Value // only the first line of an item of a list
		if i := strings.IndexByte(line.Text(), '\n'); i >= 0 {
			line.End = line.Start + int32(i)
		}
		return o.span(line)
	}
	return o.Key
}

// place returns the position of the first error for which a server rejects the object.
func (o *Object) place(answer write.Answer) diag.Span {
	if len(answer.Errors) == 0 {
		return o.Key
	}
	return o.Locate(causes(answer)[0].Field)
}

// span converts a position in the string to one in the file.
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
