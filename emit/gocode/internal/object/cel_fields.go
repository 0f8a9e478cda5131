package object

import (
	"slices"

	"github.com/dave/jennifer/jen"
)

// celFields are the fields of self that a rule uses: the look-up of fields is most of the work of most rules, so each
// of them is a variable.
type celFields struct {
	// names are those of the fields, ids those of their variables.
	names, ids []string
}

// use returns the variable of a field: its value, nil if it is missing, or the reason why self is not an object.
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

// lookUps look up the fields of self.
func (f *celFields) lookUps() []jen.Code {
	if len(f.names) == 0 {
		return nil
	}
	var ids, values []jen.Code
	for i, name := range f.names {
		ids = append(ids, jen.Id(f.ids[i]))
		values = append(values, Runtime("Peek").Call(jen.Id(SelfName), jen.Lit(name)))
	}
	return []jen.Code{jen.List(ids...).Op(":=").List(values...)}
}
