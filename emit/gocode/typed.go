package gocode

import (
	"fmt"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// This file writes ValidateWidget and ValidateWidgetUpdate, which validate values of Go types. They first call typed
// code, which only finds out whether an object is certainly valid: it reads the fields of the structs, and makes no
// JSON and no errors. Every other object is encoded and validated by the helpers for JSON, so that there is one home
// for errors, their texts and their order. So typed code may give up on anything, but must never take an invalid
// object for a valid one.
//
// A function of typed code has the form func(x *T) bool, or func(x, old *T) bool if rules below compare with the old
// value, which is nil if there is none. It returns false for what is not certainly valid.

// Helpers writes the helpers of a kind for its Go type, if it has one that the package can name.
func Helpers(base *writer, k *Kind) {
	w := goWriter{base}
	of, ok := w.typeCode(k.Type)
	if !ok {
		return
	}
	t := &typed{w: w, k: k, rules: w.rulesPass(k), texts: map[*schema.Schema]bool{}}
	// The first round finds out which texts rules read.
	w.dryRun(func() { t.function(k.Type, &schema.Place{Schema: k.schema()}, rootOf(k)) })
	check, looksBack := t.function(k.Type, &schema.Place{Schema: k.schema()}, rootOf(k))
	name := "Validate" + k.Name
	what := fmt.Sprintf("for the JSON of obj, pruned and with the defaults of kind %s, version %s", k.CRD.Kind.V,
		k.VersionName())
	obj, old := jen.Id("obj"), jen.Id("old")
	process := []jen.Code{jen.Id("Prune" + k.Name + "Object"), jen.Id("Default" + k.Name + "Object")}
	w.helper(name, "returns the errors of "+name+"Object "+what+": those of an API server for a new object. If all is "+
		"well it neither encodes obj nor allocates. An object that cannot be encoded is an internal error.",
		[]jen.Code{jen.Add(obj).Op("*").Add(of)}, []jen.Code{errorList()},
		[]jen.Code{
			jen.If(t.certainly(check, looksBack, obj, jen.Nil())).Block(jen.Return(jen.Nil())),
			jen.Return(jen.Id("crdErrorsOf").Call(slices.Concat([]jen.Code{obj}, process,
				[]jen.Code{jen.Id(name + "Object")})...)),
		})
	w.helper(name+"Update", "returns the errors and the warnings of "+name+"ObjectUpdate "+what+", which replaces "+
		"old. "+
		"If old is nil, it calls "+name+".",
		[]jen.Code{jen.List(obj, old).Op("*").Add(of)}, []jen.Code{errorList(), jen.Index().String()},
		[]jen.Code{
			jen.If(jen.Add(old).Op("==").Nil()).Block(jen.Return(jen.Id(name).Call(obj), jen.Nil())),
			jen.If(t.certainly(check, looksBack, obj, old)).Block(jen.Return(jen.Nil(), jen.Nil())),
			jen.Return(jen.Id("crdUpdateErrorsOf").Call(append([]jen.Code{obj, old},
				append(process, jen.Id(name+"ObjectUpdate"))...)...)),
		})
	t.pruneHelper(of)
	t.defaultHelper(of)
}

// certainly is the condition that typed code finds no fault in an object.
func (t *typed) certainly(check string, looksBack bool, obj, old jen.Code) jen.Code {
	is := isNotNil(obj)
	if check != "" {
		args := []jen.Code{obj}
		if looksBack {
			args = append(args, old)
		}
		is = allOf(is, holds(jen.Id(check).Call(args...)))
	}
	return is.code()
}

// pruneHelper writes PruneWidget.
func (t *typed) pruneHelper(of jen.Code) {
	var lost []string
	t.lost(t.k.Type, &schema.Place{Schema: t.k.schema()}, "", &lost)
	name, object := "Prune"+t.k.Name, "Prune"+t.k.Name+"Object"
	doc := "returns the sorted paths of the fields that are set in obj although the schema of kind " + t.k.CRD.Kind.V +
		", version " + t.k.VersionName() + ", does not have them. An API server drops them."
	params := []jen.Code{jen.Id("obj").Op("*").Add(of)}
	results := []jen.Code{jen.Index().String(), jen.Error()}
	if len(lost) == 0 {
		t.w.helper(name, doc+" The type has none.", []jen.Code{jen.Op("*").Add(of)}, results,
			[]jen.Code{jen.Return(jen.Nil(), jen.Nil())})
		return
	}
	slices.Sort(lost)
	lost = slices.Compact(lost)
	const most = 8
	if len(lost) > most {
		lost = append(lost[:most], "…")
	}
	t.w.helper(name, doc+" They are among: "+printable(strings.Join(lost, ", "))+". obj stays as it is. The error "+
		"says "+
		"that it cannot be encoded.",
		params, results,
		[]jen.Code{
			jen.List(jen.Id("m"), jen.Id("err")).Op(":=").Id("crdObjectOf").Call(jen.Id("obj")),
			jen.If(jen.Id("err").Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id("err"))),
			jen.Return(jen.Id(object).Call(jen.Id("m")), jen.Nil()),
		})
}

// lost collects the fields of a type that the schema does not have, and that pruning removes. Everything in a type that
// encodes itself may be.
func (t *typed) lost(of types.Type, at *schema.Place, path string, out *[]string) {
	s := at.Schema
	for isPointer(of) {
		of = elemOf(of)
	}
	if isSet(s.PreserveUnknownFields) && len(s.Properties) == 0 || s.AdditionalAllowed {
		return
	}
	switch shapeOf(of) {
	case structShape:
		if isMetadata(of) {
			*out = append(*out, path+".*")
			return
		}
		for _, f := range fieldsOf(of) {
			if at.Above == nil && isMeta(f.Name) {
				continue
			}
			below := strings.TrimPrefix(path+"."+f.Name, ".")
			if child := childOf(at, f.Name); child != nil {
				t.lost(f.Type(), child, below, out)
			} else if !isSet(s.PreserveUnknownFields) {
				*out = append(*out, below)
			}
		}
	case mapShape, listShape:
		elem := elemOf(of)
		step, suffix := schema.InItems, "[]"
		if shapeOf(of) == mapShape {
			step, suffix = schema.InValues, "[*]"
		}
		for _, child := range at.Children() {
			if child.Step == step {
				t.lost(elem, child, path+suffix, out)
				return
			}
		}
		if shapeOf(of) == mapShape || mayHoldFields(elem) {
			*out = append(*out, path+suffix)
		}
	case opaqueShape:
		*out = append(*out, path+".*")
	}
}

// mayHoldFields reports whether the JSON of a type may have objects.
func mayHoldFields(t types.Type) bool {
	for isPointer(t) {
		t = elemOf(t)
	}
	return slices.Contains([]goShape{structShape, mapShape, listShape, opaqueShape}, shapeOf(t))
}

// childOf is the place of a field of an object: a property, or a value of a map; nil if the schema has neither.
func childOf(at *schema.Place, name string) (values *schema.Place) {
	for _, child := range at.Children() {
		switch {
		case child.Step == schema.InProperty && child.Name == name:
			return child
		case child.Step == schema.InValues:
			values = child
		}
	}
	return values
}

// typed writes the typed code of a kind.
type typed struct {
	w     goWriter
	k     *Kind
	rules rulesPass
	// texts are the schemas of the strings, or of the maps with keys, that rules compare.
	texts map[*schema.Schema]bool
}

// rulesBelow reports whether a place or one below it has rules, and whether one of them compares with the old value.
func (t *typed) rulesBelow(at *schema.Place) (has, looksBack bool) {
	prefix := at.Path()
	for path, rules := range t.rules.byPlace {
		if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			has = true
			looksBack = looksBack || slices.ContainsFunc(rules, func(r *expr.Rule) bool { return r.UsesOldSelf })
		}
	}
	return has, looksBack
}

// function returns the function for the values of a type that are structs, maps or lists; "" if all of them are valid.
func (t *typed) function(of types.Type, at *schema.Place, where place) (name string, looksBack bool) {
	x := goValue{typ: of, code: jen.Id("x")}
	old := goValue{typ: of, code: jen.Id("old")}
	code, nameable := t.w.typeCode(of)
	param := jen.Add(code)
	if shapeOf(of) == structShape {
		x.isPointer, old.isPointer = true, true
		param = jen.Op("*").Add(code)
	}
	old = old.when(isNotNil(jen.Id("old")))
	old.param = param
	_, looksBack = t.rulesBelow(at)
	if !nameable {
		return "", looksBack
	}
	body := t.rulesAt(x, old, at, where)
	if at.Above == nil {
		body = append(body, t.scale(x, at)...)
	}
	switch shapeOf(of) {
	case structShape:
		body = append(body, valid(t.count(x, at))...)
		body = append(body, t.fields(x, old, at, where)...)
	case mapShape:
		body = append(body, t.values(x, old, at, where)...)
	case listShape:
		body = append(body, t.items(x, old, at, where)...)
	}
	if len(body) == 0 {
		return "", false
	}
	params := []jen.Code{jen.Id("x").Add(param)}
	if looksBack {
		params[0] = jen.List(jen.Id("x"), jen.Id("old")).Add(param)
	}
	return t.w.function(function{name: "crdTyped" + where.name, doc: "checks " + where.text(),
		identity: types.TypeString(of, nil), params: params, results: []jen.Code{jen.Bool()},
		body: body.body()}), looksBack
}

// scale are the steps for the fields that the scale subresource reads.
func (t *typed) scale(x goValue, at *schema.Place) (body steps) {
	sub := t.k.CRD.Versions[t.k.Version].Subresources
	if sub == nil || sub.Scale == nil {
		return nil
	}
	body = valid(t.scaled(x, at, sub.Scale.SpecReplicasPath, intShape),
		t.scaled(x, at, sub.Scale.StatusReplicasPath, intShape))
	if selector := sub.Scale.LabelSelectorPath; selector != nil {
		body = append(body, valid(t.scaled(x, at, *selector, stringShape))...)
	}
	return body
}

// scaled is the condition for one of them.
func (t *typed) scaled(x goValue, at *schema.Place, path schema.Text, shape goShape) condition {
	for _, name := range strings.Split(strings.TrimPrefix(path.V, "."), ".") {
		child := childOf(at, name)
		if shapeOf(x.typ) != structShape || child == nil || isSet(child.Schema.Nullable) {
			return never
		}
		f := fieldOf(x.typ, name)
		d := child.Schema.Default
		if f == nil || d != nil && !(shape == intShape && isReplicas(*d)) && d.Kind != schema.String {
			return never
		}
		x, at = t.w.field(x, *f).reached(), child
	}
	switch {
	case shapeOf(x.typ) != shape:
		return never
	case shape == stringShape:
		return always
	}
	right := compares(x.value(), ">=", jen.Lit(0))
	if r := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); r.Max > math.MaxInt32 {
		right = allOf(right, compares(x.value(), "<=", jen.Qual("math", "MaxInt32")))
	}
	return anyOf(allOf(x.there...).opposite(), right)
}

// isReplicas reports whether a default is a number of replicas.
func isReplicas(v schema.Value) bool {
	n, err := strconv.ParseInt(v.Text, 10, 32)
	return v.Kind == schema.NumberKind && err == nil && n >= 0
}

// one are the steps for a value that is there and not null; nil if it is always valid. The value old belongs to it, if
// there is one.
func (t *typed) one(x, old goValue, at *schema.Place, where place) steps {
	switch shape := shapeOf(x.typ); {
	case t.isOdd(x.typ, at):
		return valid(t.asJSON(x, at, where, false))
	case slices.Contains([]goShape{stringShape, boolShape, intShape, uintShape, floatShape, bytesShape}, shape):
		return append(t.rulesAt(x, old, at, where), valid(t.scalar(x, at, where))...)
	case slices.Contains([]goShape{structShape, mapShape, listShape}, shape):
		_, isArray := x.typ.Underlying().(*types.Array)
		isData := shape == structShape && t.w.imported[at.Schema]
		if _, ok := t.w.typeCode(x.typ); !ok || isData || isArray && t.looksBack(at) {
			return valid(t.asJSON(x, at, where, false))
		}
		if shape == listShape && len(t.rules.byPlace[at.Path()]) == 0 && !t.looksBack(at) {
			if is := t.items(x, old, at, where); len(is) < 3 {
				return is
			}
		}
		name, looksBack := t.function(x.typ, at, where)
		if name == "" {
			return nil
		}
		return t.call(name, looksBack, x, old)
	case shape == timeShape:
		return valid(holds(jen.Id("crdIsYear").Call(x.base().Dot("Time"))))
	case shape == durationShape:
		return valid(t.duration(x, at, where))
	case shape == intOrStringShape:
		kind := x.base().Dot("Type")
		return valid(anyOf(compares(kind, "==", jen.Qual(pkgIntstr, "Int")), compares(kind, "==",
			jen.Qual(pkgIntstr, "String"))))
	}
	return nil
}

// argument is the value as an argument of its function.
func (g goValue) argument() jen.Code {
	if shapeOf(g.typ) == structShape {
		return g.pointer()
	}
	return g.value()
}

// call calls the function of a value.
func (t *typed) call(name string, looksBack bool, x, old goValue) steps {
	if !looksBack {
		return valid(holds(jen.Id(name).Call(x.argument())))
	}
	of, _ := t.w.typeCode(x.typ)
	if shapeOf(x.typ) == structShape {
		of = jen.Op("*").Add(of)
	}
	if before := old.orNil(of); before != nil {
		return valid(holds(jen.Id(name).Call(x.argument(), before)))
	}
	return steps{{statements: []jen.Code{jen.Block(
		jen.Var().Id("before").Add(of),
		jen.If(allOf(old.there...).code()).Block(jen.Id("before").Op("=").Add(old.argument())),
		jen.If(jen.Op("!").Id(name).Call(x.argument(), jen.Id("before"))).Block(jen.Return(jen.False())),
	)}}}
}

// orNil is a part of an old value as an argument of type of, or nil if it is not there; nil if this needs statements.
func (g goValue) orNil(of jen.Code) jen.Code {
	argument := g.argument()
	there := slices.DeleteFunc(slices.Clone(g.there), func(c condition) bool {
		return c.source() == isNotNil(jen.Id("old")).source() || c.source() == isNotNil(argument).source()
	})
	switch signature := jen.Func().Params(jen.Id("old").Add(g.param)).Add(of); {
	case len(there) == 0 && source(argument) == "old":
		return argument
	case g.param == nil:
		return nil
	case len(there) == 0:
		return jen.Id("crdPartOf").Call(jen.Id("old"), inLine(signature, jen.Return(argument)))
	default:
		return jen.Id("crdPartOf").Call(jen.Id("old"), signature.Block(
			jen.If(allOf(there...).opposite().code()).Block(jen.Return(jen.Nil())),
			jen.Return(argument)))
	}
}

// asJSON is the condition that a value is valid as JSON. mayLack is set if it may be null.
func (t *typed) asJSON(x goValue, at *schema.Place, where place, mayLack bool) condition {
	w, s := t.w, at.Schema
	args := []jen.Code{x.pointer(), jen.Lit(mayLack || isSet(s.Nullable)), w.structure(s, where)}
	args = append(args, method("check"))
	if w.content(s).resources {
		args = append(args, method("checkResource"))
	}
	if w.content(s).lists {
		args = append(args, method("checkLists"))
	}
	rules, looksBack := t.rules.node(at, where)
	if rules != "" {
		args = append(args, inLine(jen.Func().Params(jen.Id("v").Op("*").Id("crdValidation"), jen.Id("value").Any(),
			jen.Id("_").Op("*").Id("crdType")), jen.Id(rules).Call(jen.Id("v"), jen.Id("value"), jen.Nil())))
	}
	fits := holds(jen.Id("crdFits").Call(args...))
	if isRaw(x.typ) && t.isAnything(at) {
		fits = rawOr(x, s.Type.V == "object", fits)
	}
	if looksBack {
		fits = allOf(compares(jen.Id("old"), "==", jen.Nil()), fits)
	}
	return fits
}

// rawTypes hold the text of any JSON in a field Raw.
var rawTypes = []string{
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON",
	"k8s.io/apimachinery/pkg/runtime.RawExtension",
}

func isRaw(t types.Type) bool {
	pkg, name := gojson.NameOf(t)
	return slices.Contains(rawTypes, pkg+"."+name)
}

// rawOr is the condition that a text is certainly valid JSON, or another one.
func rawOr(x goValue, isObject bool, otherwise condition) condition {
	return anyOf(holds(jen.Id("crdIsJSON").Call(x.base().Dot("Raw"), jen.Lit(isObject))), otherwise)
}

// isAnything reports whether a schema accepts any object, or any value but null, and keeps all of it.
func (t *typed) isAnything(at *schema.Place) bool {
	s := at.Schema
	has, _ := t.rulesBelow(at)
	return isPlain(s) && isSet(s.PreserveUnknownFields) && !isSet(s.EmbeddedResource) && !isSet(s.IntOrString) &&
		!has && (s.Type.V == "" || s.Type.V == "object") && len(s.Properties) == 0 && s.Items == nil
}

// scalar is the condition for a scalar: its type and its constraints.
func (t *typed) scalar(x goValue, at *schema.Place, where place) condition {
	s, shape := at.Schema, shapeOf(x.typ)
	c := t.w.checks(s, where)
	c.x, c.own = x.converted(), x.converted()
	if shape == stringShape || shape == intShape {
		c.own = x.value()
	}
	kind := map[goShape]jsonKind{stringShape: "string", bytesShape: "string", boolShape: "boolean", intShape: "integer",
		uintShape: "integer", floatShape: "number"}[shape]
	switch {
	case !c.fitsType(kind):
		return never
	case shape == bytesShape:
		if is, ok := bytesFit(x, s); ok {
			return is
		}
		return t.asJSON(x, at, where, false)
	case t.hasJunctors(s), shape == floatShape && !isPlain(s):
		return allOf(t.encodes(x), t.asJSON(x, at, where, false))
	}
	c.prepare()
	var right []condition
	switch shape {
	case stringShape:
		for _, f := range slices.Concat(c.textFaults(), c.formatFaults()) {
			right = append(right, f.right)
		}
	case intShape, uintShape:
		if of := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); of != nil {
			c.least, c.most = of.Min, int64(min(of.Max, math.MaxInt64))
		}
		for _, f := range c.integerFaults() {
			right = append(right, f.right)
		}
	}
	mayBeInteger := shape == floatShape && c.number != ""
	undecided := mayBeInteger || slices.ContainsFunc(right, condition.isNever)
	isText := shape == stringShape && t.readsTexts(at) && !t.w.readsASCII(s.Pattern.V)
	if c.enum != "" {
		values := c.enumTexts()
		if shape != stringShape {
			values = t.enumIntegers(x, s.Enum)
		}
		switch isText = false; {
		case values == nil:
			undecided = true
		case len(values) == 1:
			right = append(right, compares(x.value(), "==", values[0]))
		default:
			of := map[goShape]celType{stringShape: celString, intShape: celInt}[shape]
			right = append(right, holds(jen.Id(t.w.oneOf(of, values, where)).Call(x.converted())))
		}
	}
	if undecided {
		return allOf(t.encodes(x), t.asJSON(x, at, where, false))
	}
	if isText {
		right = append([]condition{isValidText(x.converted())}, right...)
	}
	return allOf(append([]condition{t.encodes(x)}, right...)...)
}

// enumIntegers are the literals of an enum for an integer; nil if they are not all values of its type.
func (t *typed) enumIntegers(x goValue, enum []schema.Value) (out []jen.Code) {
	if shapeOf(x.typ) != intShape {
		return nil
	}
	for _, v := range enum {
		code, ok := t.constant(x.typ, v)
		if !ok {
			return nil
		}
		out = append(out, code)
	}
	return out
}

// isValidText is the condition that a string is in JSON what it is in Go.
func isValidText(x jen.Code) condition { return holds(jen.Qual("unicode/utf8", "ValidString").Call(x)) }

// readsTexts reports whether typed code may compare the strings of a place, so that they must be valid UTF-8: for a
// rule or for a list of type set or map.
func (t *typed) readsTexts(at *schema.Place) bool {
	if t.texts[at.Schema] {
		return true
	}
	for ; at.Above != nil; at = at.Above {
		if l := at.Above.Schema.ListType.V; l == "set" || l == "map" {
			return true
		}
		if at.Above.Above == nil && isMeta(at.Name) { // rules see another schema of these
			return len(t.rules.byPlace[at.Above.Path()]) > 0
		}
	}
	return false
}

// encodes is the condition for a value of which no schema matters: that it can be encoded.
func (t *typed) encodes(x goValue) condition {
	switch shapeOf(x.typ) {
	case floatShape:
		return holds(jen.Id("crdIsNumber").Call(jen.Id("float64").Call(x.value())))
	case uintShape:
		if of := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); of.Format() == "" {
			return compares(x.value(), "<=", jen.Qual("math", "MaxInt64"))
		}
	}
	return always
}
