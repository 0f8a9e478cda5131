package markers

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// path reads the path in parentheses after crdproof:at, as the steps that it consists of.
func (r *tagReader) path() (out []Step) {
	if !r.comesNext('(') {
		r.fail(diag.Errorf(r.span(1, r.pos), BadSyntax, "missing path after %s", r.def.Name).
			Help("%s", exampleHelp(r.def)))
		return nil
	}
	open := r.pos
	length, _ := closingParenthesis(r.text[open:])
	if length < 0 {
		r.fail(diag.Errorf(r.span(open, open+1), BadSyntax, "missing ) for this (").Help("write ) after the path"))
		return nil
	}
	r.pos = open + length
	steps, fault := schema.ParsePattern(r.text[open+1 : r.pos-1])
	switch {
	case fault != nil:
		r.fail(diag.Errorf(r.span(open+1+fault.Start, open+1+fault.End), BadSyntax, "%s", fault.Why).
			Help("%s", fault.Help))
	case len(steps) == 0:
		r.fail(diag.Errorf(r.span(open, r.pos), BadSyntax, "the path is empty").Help("%s", exampleHelp(r.def)))
	}
	for _, s := range steps {
		step := Step{At: r.span(open+1+s.Start, open+1+s.End), InPath: true}
		switch s.Kind {
		case schema.ItemsOfList:
			step.Kind = Items
		case schema.ValuesOfMap:
			step.Kind = Values
		case schema.NamedField:
			step.Kind = Subfield
			step.Args = []Arg{{NameAt: step.At, Value: Value{Kind: String, Text: s.Name, At: step.At}}}
		default:
			r.fail(diag.Errorf(step.At, BadSyntax, "the path of a marker leads to one place, not to any field").
				Help("name the field, or write the change into an overlay file"))
		}
		out = append(out, step)
	}
	return out
}
