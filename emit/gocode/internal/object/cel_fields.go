package object

import (
	"slices"

	"github.com/dave/jennifer/jen"
)

// celFields are the fields of self that a rule uses. They are the parameters of its function: the look-up of fields
// is most of the work of most rules, and the rules of a place use the same fields.
type celFields struct {
	// names are those of the fields, ids those of their parameters; whole is set if self is used in another way.
	names, ids []string
	whole      bool
}

// use returns the parameter of a field: its value, nil if it is missing, or the reason why self is not an object.
func (f *celFields) use(name string) jen.Code {
	i := slices.Index(f.names, name)
	if i < 0 {
		id := SelfName + GoName(name)
		for id == SelfName || slices.Contains(f.ids, id) { // _; a-b beside aB
			id += "_"
		}
		i = len(f.names)
		f.names, f.ids = append(f.names, name), append(f.ids, id)
	}
	return jen.Id(f.ids[i])
}

func (f *celFields) has(name string) bool { return slices.Contains(f.names, name) }

// parameters returns those of the rule's function.
func (f *celFields) parameters() (out []jen.Code) {
	if f.whole {
		out = append(out, jen.Id(SelfName))
	}
	for _, id := range f.ids {
		out = append(out, jen.Id(id))
	}
	return out
}

// arguments returns those of a call of the function. The value has the fields of all rules of the place.
func (f *celFields) arguments(all *celFields) (out []jen.Code) {
	if f.whole {
		out = append(out, jen.Id("value"))
	}
	for _, name := range f.names {
		out = append(out, all.use(name))
	}
	return out
}

// lookUps look up the fields of a value.
func (f *celFields) lookUps() (out []jen.Code) {
	for i, name := range f.names {
		out = append(out, jen.Id(f.ids[i]).Op(":=").Add(Runtime("Peek")).Call(jen.Id("value"), jen.Lit(name)))
	}
	return out
}
