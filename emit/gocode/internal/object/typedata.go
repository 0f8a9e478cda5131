package object

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"
)

// This file writes the structures of imported types as data, which the program decodes when it starts
// (internal/support/typedata.go). That is much shorter than their code.

// A typeData is the data of structures: what becomes the variable crdImported.
type typeData struct {
	// texts are the structures, and numbers their positions, from 1.
	texts   []string
	numbers map[string]int
	// checks and defaults are the functions that structures name by their positions, from 1.
	checks, defaults []string
	makers           []jen.Code
}

func (d *typeData) clone() typeData {
	return typeData{texts: slices.Clone(d.texts), numbers: maps.Clone(d.numbers), checks: slices.Clone(d.checks),
		defaults: slices.Clone(d.defaults), makers: slices.Clone(d.makers)}
}

// importedName is the variable with the structures.
const importedName = "crdImported"

// element returns the expression for a structure.
func (d *typeData) element(number int) string {
	return importedName + "[" + strconv.Itoa(number-1) + "]"
}

// typ adds a structure and all that are below it, and returns its number.
func (d *typeData) typ(w *Writer, key typeKey, at Place) int {
	members := map[string]any{}
	for _, m := range w.typeMembers(key, at) {
		switch v := m.value.(type) {
		case typePart:
			members[m.name] = d.typ(w, v.key, v.at)
		case typeFields:
			fields := map[string]int{}
			for _, f := range v {
				fields[f.name] = d.typ(w, f.key, f.at)
			}
			members[m.name] = fields
		case typeDefault:
			members[m.name] = d.maker(v)
		case typeDefaults:
			made := map[string]int{}
			for _, f := range v {
				made[f.name] = d.maker(f.typeDefault)
			}
			members[m.name] = made
		case typeResource:
			if with := WithTypeAndObjectMeta(v.key.schema); with != v.key.schema {
				below := v.at
				below.Name += "Resource"
				members[m.name] = d.typ(w, typeKey{schema: with}, below)
			}
		case typeCheck:
			if name := v.function(); name != "" {
				members[m.name] = positionOf(&d.checks, name)
			}
		case content:
			members[m.name] = v.number()
		default:
			members[m.name] = v
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(err) // it has only texts, numbers and flags
	}
	if number, ok := d.numbers[string(text)]; ok {
		return number
	}
	if d.numbers == nil {
		d.numbers = map[string]int{}
	}
	d.texts = append(d.texts, string(text))
	d.numbers[string(text)] = len(d.texts)
	return len(d.texts)
}

// maker returns the number of the function that makes a default.
func (d *typeData) maker(v typeDefault) int {
	number := positionOf(&d.defaults, Source(jen.Parens(v.make)))
	if number > len(d.makers) {
		d.makers = append(d.makers, v.make)
	}
	return number
}

// positionOf returns the position of a text in a list, from 1. It is added if necessary.
func positionOf(list *[]string, text string) int {
	at := slices.Index(*list, text)
	if at < 0 {
		at = len(*list)
		*list = append(*list, text)
	}
	return at + 1
}

// Declare declares the structures.
func (d *typeData) Declare(w *Writer) {
	if len(d.texts) == 0 {
		return
	}
	var checks []jen.Code
	for _, name := range d.checks {
		checks = append(checks, jen.Id(name))
	}
	list := func(typ *jen.Statement, items []jen.Code) jen.Code {
		if len(items) == 0 {
			return jen.Nil()
		}
		return jen.Index().Add(typ).Custom(multiLine, items...)
	}
	w.functions = append(w.functions,
		jen.Comment(importedName+" are the structures of imported types."),
		jen.Var().Id(importedName).Index(jen.Lit(len(d.texts))).Add(Runtime("Type")).Line(),
		jen.Func().Id("init").Params().Block(Runtime("ReadTypes").Call(jen.Id(importedName).Index(jen.Op(":")),
			list(jen.String(), rawLiterals(d.texts)), list(Runtime("Check"), checks),
			list(jen.Func().Params().Any(), d.makers))).Line())
}

// rawLiterals are literals without escapes, if possible.
func rawLiterals(list []string) (out []jen.Code) {
	for _, text := range list {
		if strconv.CanBackquote(text) {
			out = append(out, jen.Op("`"+text+"`"))
		} else {
			out = append(out, jen.Lit(text))
		}
	}
	return out
}
