package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// This file writes data: the structures of schemas and the table of rules (Types and RuleSet of internal/support).

// The variables with the data.
const (
	typesName = "crdSchemas"
	rulesName = "crdRules"
)

// A packageData is the data of a package.
type packageData struct {
	// lines are the structures by their names, and names their names by the text.
	lines, names map[string]string
	// matchers are the variables of regular expressions, in the order of their declarations.
	matchers []string
	literals []jen.Code
	// needsFormats is set if there are formats that need another library.
	needsFormats bool
	// checks and messages are the functions of rules, which have positions from 1.
	checks, messages []string
	costs            costData
	// usesRules is set if something refers to the table of rules.
	usesRules bool
}

func newPackageData() packageData {
	return packageData{lines: map[string]string{}, names: map[string]string{}}
}

func (d *packageData) clone() packageData {
	out := *d
	out.lines, out.names = maps.Clone(d.lines), maps.Clone(d.names)
	out.matchers, out.literals = slices.Clip(d.matchers), slices.Clip(d.literals)
	out.checks, out.messages = slices.Clip(d.checks), slices.Clip(d.messages)
	out.costs.lines, out.costs.functions = slices.Clip(d.costs.lines), slices.Clip(d.costs.functions)
	out.costs.literals = slices.Clip(d.costs.literals)
	return out
}

// named adds a structure, and returns its name, which is the one that is given if that is free.
func (d *packageData) named(name, text string) string {
	if known, ok := d.names[text]; ok {
		return known
	}
	name = d.reserved(name)
	d.lines[name], d.names[text] = text, name
	return name
}

// reserved returns a name that is free, whose structure follows.
func (d *packageData) reserved(name string) string {
	unique := name
	for n := 2; ; n++ {
		if _, ok := d.lines[unique]; !ok {
			d.lines[unique] = ""
			return unique
		}
		unique = name + strconv.Itoa(n)
	}
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

// A dataObject is a JSON object that is being written.
type dataObject struct{ bytes.Buffer }

// set adds a member.
func (o *dataObject) set(name string, value any) {
	separator := ","
	if o.Len() == 0 {
		separator = "{"
	}
	fmt.Fprintf(o, "%s%s:%s", separator, dataText(name), dataText(value))
}

// setIf adds a member if there is one.
func (o *dataObject) setIf(isThere bool, name string, value any) {
	if isThere {
		o.set(name, value)
	}
}

// text returns the finished object.
func (o *dataObject) text() json.RawMessage {
	if o.Len() == 0 {
		return json.RawMessage("{}")
	}
	return json.RawMessage(o.String() + "}")
}

// dataText returns the JSON of a value in a form that may stand between backquotes.
func dataText(value any) string {
	if raw, ok := value.(json.RawMessage); ok {
		return quotable(string(raw))
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // it has only texts, numbers and flags
	}
	return quotable(strings.TrimSuffix(out.String(), "\n"))
}

// quotable escapes the characters of a JSON text that cannot stand between backquotes.
func quotable(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r == '`' || !strconv.CanBackquote(string(r)) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// dataValue returns the JSON of a value of a schema.
func dataValue(v schema.Value) json.RawMessage { return json.RawMessage(kube.AppendJSON(nil, v)) }

// dataNumber returns the JSON of a number, which may be a negative zero.
func dataNumber(f float64) json.RawMessage {
	if f == 0 && math.Signbit(f) {
		return json.RawMessage("-0.0")
	}
	return json.RawMessage(strconv.FormatFloat(f, 'g', -1, 64))
}

// declareData declares the data.
func (w *Writer) declareData() {
	d := &w.Data
	if d.usesRules {
		members := []jen.Code{jen.Id("Checks").Op(":").Index().Func().Params(jen.List(jen.Id("self"),
			jen.Id("oldSelf")).Any()).Add(ResultOf(BoolType)).Custom(MultiLine, names(d.checks)...)}
		if len(d.messages) > 0 {
			members = append(members, jen.Id("Messages").Op(":").Index().Func().Params(jen.List(jen.Id("self"),
				jen.Id("oldSelf")).Any()).Any().Custom(MultiLine, names(d.messages)...))
		}
		if !w.Minor.Has(kube.RuleValues) {
			members = append(members, jen.Id("ByType").Op(":").True())
		}
		w.functions = append(w.functions, jen.Comment(rulesName+" are the rules, which the schemas number from 1."),
			jen.Var().Id(rulesName).Op("=").Add(Runtime("RuleSet")).Custom(MultiLine, members...).Line())
	}
	w.declareCosts()
	if len(d.matchers) > 0 {
		var block []jen.Code
		for i, name := range d.matchers {
			block = append(block, jen.Id(name).Op("=").Add(d.literals[i]))
		}
		w.functions = append(w.functions, jen.Comment("These are the regular expressions with their automata."),
			jen.Var().Defs(block...).Line())
	}
	if len(d.lines) > 0 {
		w.functions = append(w.functions, jen.Comment(typesName+" are the schemas as the runtime reads them."),
			jen.Var().Id(typesName).Op("=").Add(Runtime("Types")).Custom(MultiLine, w.typesMembers()...).Line())
	}
}

// typesMembers returns the fields of a Types.
func (w *Writer) typesMembers() []jen.Code {
	d := &w.Data
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(d.lines)) {
		text.WriteString(name + " " + d.lines[name] + "\n")
	}
	members := []jen.Code{jen.Id("Data").Op(":").Op("`\n" + text.String() + "`")}
	if len(d.matchers) > 0 {
		var list []jen.Code
		for _, name := range d.matchers {
			list = append(list, jen.Op("&").Id(name))
		}
		members = append(members, jen.Id("Matchers").Op(":").Index().Op("*").Add(Runtime("Matcher")).
			Custom(MultiLine, list...))
	}
	if d.needsFormats {
		members = append(members, jen.Id("HasFormat").Op(":").Add(Runtime("HasFormat")))
	}
	if !w.Minor.Has(kube.IntegerFormats) {
		members = append(members, jen.Id("HasAnyRange").Op(":").True())
	}
	return members
}

// names returns identifiers.
func names(list []string) (out []jen.Code) {
	for _, name := range list {
		out = append(out, jen.Id(name))
	}
	return out
}
