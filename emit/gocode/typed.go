package gocode

import (
	"fmt"
	"go/types"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/gojson"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/expr"
)

// This file writes ValidateWidget and ValidateWidgetUpdate, which validate values of Go types. They first call typed
// code, which only finds out whether an object is certainly valid: it reads the fields of the structs, and makes no
// JSON and no errors. Every other object is encoded and validated by the helpers for JSON, so that there is one home
// for errors, their texts and their order. So typed code may give up on anything, but must never take an invalid
// object for a valid one.
//
// A function of typed code has the form func(x *T) bool, or func(x, old *T) bool if rules below compare with the old
// value, which is nil if there is none. It returns false for what is not certainly valid.

// typedHelpers writes the helpers of a kind for its Go type.
func (w *writer) typedHelpers(k *Kind) {
	if k.Type == nil {
		return
	}
	of, ok := w.typeCode(k.Type)
	if !ok {
		return
	}
	t := typed{w: w, k: k, rules: rulesPass{w: w, byPlace: rulesByPlace(k)}}
	// The first round finds out which texts rules read. What it writes is dropped.
	functions, byText, names := w.functions, maps.Clone(w.byText), maps.Clone(w.names)
	w.texts = map[*schema.Schema]bool{}
	t.function(k.Type, &schema.Place{Schema: k.schema()}, rootOf(k))
	w.functions, w.byText, w.names = slices.Clip(functions), byText, names
	check, looksBack := t.function(k.Type, &schema.Place{Schema: k.schema()}, rootOf(k))
	name := "Validate" + k.Name
	what := fmt.Sprintf("for the JSON of obj, pruned and with the defaults of kind %s, version %s", k.CRD.Kind.V,
		k.VersionName())
	obj, old := jen.Id("obj"), jen.Id("old")
	nothing := jen.Nil()
	w.helper(name, "returns the errors of "+name+"Object "+what+": those of an API server for a new object. If all is "+
		"well it neither encodes obj nor allocates. An object that cannot be encoded is an internal error.",
		[]jen.Code{jen.Add(obj).Op("*").Add(of)}, []jen.Code{jen.Add(errorList())},
		slices.Concat(
			t.certainly(check, looksBack, obj, nil, nothing),
			encoded("m", obj, k, jen.Return(jen.Id("crdNoJSON").Call(jen.Id("err")))),
			[]jen.Code{jen.Return(jen.Id(name + "Object").Call(jen.Id("m")))},
		))
	w.helper(name+"Update", "returns the errors and the warnings of "+name+"ObjectUpdate "+what+", which replaces old. "+
		"If old is nil, it calls "+name+".",
		[]jen.Code{jen.List(obj, old).Op("*").Add(of)}, []jen.Code{jen.Add(errorList()), jen.Index().String()},
		slices.Concat(
			[]jen.Code{jen.If(jen.Add(old).Op("==").Nil()).Block(jen.Return(jen.Id(name).Call(obj), nothing))},
			t.certainly(check, looksBack, obj, old, nothing, nothing),
			encoded("m", obj, k, jen.Return(jen.Id("crdNoJSON").Call(jen.Id("err")), nothing)),
			encoded("before", old, k, jen.Return(jen.Id("crdNoJSON").Call(jen.Id("err")), nothing)),
			[]jen.Code{jen.Return(jen.Id(name+"ObjectUpdate").Call(jen.Id("m"), jen.Id("before")))},
		))
	t.pruneHelper(of)
	t.defaultHelper(of)
}

// certainly returns the results if typed code finds no fault in an object.
func (t *typed) certainly(check string, looksBack bool, obj, old jen.Code, results ...jen.Code) []jen.Code {
	if old == nil {
		old = jen.Nil()
	}
	if check == "" {
		return []jen.Code{jen.If(jen.Add(obj).Op("!=").Nil()).Block(jen.Return(results...))}
	}
	args := []jen.Code{obj}
	if looksBack {
		args = append(args, old)
	}
	return []jen.Code{jen.If(jen.Add(obj).Op("!=").Nil().Op("&&").Id(check).Call(args...)).Block(jen.Return(results...))}
}

// encoded declares the pruned and defaulted JSON of an object.
func encoded(name string, obj jen.Code, k *Kind, failed jen.Code) []jen.Code {
	m := jen.Id(name)
	return []jen.Code{
		jen.List(jen.Id(name), jen.Id("err")).Op(":=").Id("crdObjectOf").Call(obj),
		jen.If(jen.Id("err").Op("!=").Nil()).Block(failed),
		jen.Id("Prune" + k.Name + "Object").Call(m),
		jen.Id("Default" + k.Name + "Object").Call(m),
	}
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
	t.w.helper(name, doc+" They are among: "+printable(strings.Join(lost, ", "))+". obj stays as it is. The error says "+
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
		of = of.Underlying().(*types.Pointer).Elem()
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
		elem := of.Underlying().(interface{ Elem() types.Type }).Elem()
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
		t = t.Underlying().(*types.Pointer).Elem()
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
	w     *writer
	k     *Kind
	rules rulesPass
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
	old = old.when(jen.Id("old").Op("!=").Nil())
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
		body = append(body, t.count(x, at)...)
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
		body: live(append(body, jen.Return(jen.True())))}), looksBack
}

// scale are the statements for the fields that the scale subresource reads.
func (t *typed) scale(x goValue, at *schema.Place) (body []jen.Code) {
	sub := t.k.CRD.Versions[t.k.Version].Subresources
	if sub == nil || sub.Scale == nil {
		return nil
	}
	body = append(t.scaled(x, at, sub.Scale.SpecReplicasPath, intShape),
		t.scaled(x, at, sub.Scale.StatusReplicasPath, intShape)...)
	if selector := sub.Scale.LabelSelectorPath; selector != nil {
		body = append(body, t.scaled(x, at, *selector, stringShape)...)
	}
	return body
}

// scaled are the statements for one of them.
func (t *typed) scaled(x goValue, at *schema.Place, path schema.Text, shape goShape) []jen.Code {
	for _, name := range strings.Split(strings.TrimPrefix(path.V, "."), ".") {
		child := childOf(at, name)
		if shapeOf(x.typ) != structShape || child == nil || isSet(child.Schema.Nullable) {
			return []jen.Code{fails()}
		}
		f := fieldOf(x.typ, name)
		if d := child.Schema.Default; d != nil && !(shape == intShape && isReplicas(*d)) && d.Kind != schema.String || f == nil {
			return []jen.Code{fails()}
		}
		x, at = x.field(*f).reached(), child
	}
	switch {
	case shapeOf(x.typ) != shape:
		return []jen.Code{fails()}
	case shape == stringShape:
		return nil
	}
	wrong := x.value().Op("<").Lit(0)
	if r := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); r.Max > math.MaxInt32 {
		wrong = wrong.Op("||").Add(x.value()).Op(">").Qual("math", "MaxInt32")
	}
	return ifThere([]jen.Code{jen.If(wrong).Block(fails())}, x.there)
}

// isReplicas reports whether a default is a number of replicas.
func isReplicas(v schema.Value) bool {
	n, err := strconv.ParseInt(v.Text, 10, 32)
	return v.Kind == schema.NumberKind && err == nil && n >= 0
}

// one are the statements for a value that is there and not null; nil if it is always valid. The value old belongs to
// it, if there is one.
func (t *typed) one(x, old goValue, at *schema.Place, where place) []jen.Code {
	switch shape := shapeOf(x.typ); {
	case t.isOdd(x.typ, at):
		return t.asJSON(x, at, where, false)
	case slices.Contains([]goShape{stringShape, boolShape, intShape, uintShape, floatShape, bytesShape}, shape):
		return append(t.rulesAt(x, old, at, where), t.scalar(x, at, where)...)
	case slices.Contains([]goShape{structShape, mapShape, listShape}, shape):
		if _, ok := t.w.typeCode(x.typ); !ok {
			return t.asJSON(x, at, where, false)
		}
		name, looksBack := t.function(x.typ, at, where)
		if name == "" {
			return nil
		}
		return t.call(name, looksBack, x, old)
	case shape == timeShape:
		return []jen.Code{jen.If(jen.Op("!").Id("crdIsYear").Call(x.base().Dot("Time"))).Block(fails())}
	case shape == intOrStringShape:
		kind := x.base().Dot("Type")
		return []jen.Code{jen.If(jen.Add(kind).Op("!=").Qual(pkgIntstr, "Int").Op("&&").Add(kind).Op("!=").
			Qual(pkgIntstr, "String")).Block(fails())}
	}
	return nil
}

// call calls the function of a value.
func (t *typed) call(name string, looksBack bool, x, old goValue) []jen.Code {
	argument := func(g goValue) jen.Code {
		if shapeOf(g.typ) == structShape {
			return g.pointer()
		}
		return g.value()
	}
	args := []jen.Code{argument(x)}
	if !looksBack {
		return []jen.Code{unless(jen.Id(name).Call(args...))}
	}
	of, _ := t.w.typeCode(x.typ)
	if shapeOf(x.typ) == structShape {
		of = jen.Op("*").Add(of)
	}
	if len(old.there) == 0 {
		return []jen.Code{unless(jen.Id(name).Call(append(args, argument(old))...))}
	}
	return []jen.Code{
		jen.Var().Id("before").Add(of),
		jen.If(allOf(old.there)).Block(jen.Id("before").Op("=").Add(argument(old))),
		unless(jen.Id(name).Call(append(args, jen.Id("before"))...)),
	}
}

// live leaves out the statements that are never reached.
func live(body []jen.Code) []jen.Code {
	for i := range body {
		if source(body[i]) == source(fails()) {
			return body[:i+1]
		}
	}
	return body
}

// fails says that a value is not certainly valid.
func fails() jen.Code { return jen.Return(jen.False()) }

// unless fails without a condition.
func unless(condition jen.Code) jen.Code { return jen.If(jen.Op("!").Add(condition)).Block(fails()) }

// isOdd reports whether typed code cannot decide about a place, so that the value is validated as JSON.
func (t *typed) isOdd(of types.Type, at *schema.Place) bool {
	s := at.Schema
	shape := shapeOf(of)
	if isSet(s.EmbeddedResource) || s.UniqueItems != nil || shape == opaqueShape {
		return true
	}
	isText := s.Type.V == "string" && !isSet(s.IntOrString)
	rules := len(t.rules.byPlace[at.Path()]) > 0
	onlyPattern := func(pattern string) bool {
		alone := *s
		if alone.Pattern.V == pattern {
			alone.Pattern.V = ""
		}
		return isPlain(&alone) && !rules
	}
	switch shape {
	case timeShape:
		own := schema.TimePattern
		if _, name := gojson.NameOf(of); name == "MicroTime" {
			own = schema.MicroTimePattern
		}
		return !isText || !onlyPattern(own)
	case durationShape:
		return !isText || !onlyPattern(schema.DurationPattern)
	case quantityShape:
		return !isSet(s.IntOrString) && !isText || !t.isFree(s, schema.QuantityPattern) || rules
	case intOrStringShape:
		return !isSet(s.IntOrString) || !t.isFree(s, "") || rules
	case structShape, mapShape, listShape:
		if isMetadata(of) && slices.ContainsFunc(s.Properties, func(p schema.Property) bool {
			return fieldOf(of, p.Name) == nil
		}) {
			return true
		}
		want := "object"
		if shape == listShape {
			want = "array"
		}
		return s.Type.V != "" && s.Type.V != want || t.hasJunctors(s) || len(s.Enum) > 0 || len(s.Other) > 0 ||
			shape == structShape && (s.MinProperties != nil || s.MaxProperties != nil) && isSet(s.PreserveUnknownFields) ||
			shape == listShape && isSet(s.PreserveUnknownFields)
	}
	return false
}

func (t *typed) hasJunctors(s *schema.Schema) bool {
	return len(s.AnyOf)+len(s.OneOf)+len(s.AllOf) > 0 || s.Not != nil
}

// isFree reports whether an int-or-string has no constraints but a pattern, and the types that every one has.
func (t *typed) isFree(s *schema.Schema, pattern string) bool {
	alone := *s
	if alone.Pattern.V == pattern {
		alone.Pattern.V = ""
	}
	both := func(list []*schema.Schema) bool {
		return len(list) == 2 && list[0].Type.V == "integer" && list[1].Type.V == "string" && isPlain(list[0]) &&
			isPlain(list[1])
	}
	if both(alone.AnyOf) {
		alone.AnyOf = nil
	}
	if len(alone.AllOf) == 1 && both(alone.AllOf[0].AnyOf) {
		inner := *alone.AllOf[0]
		inner.AnyOf = nil
		if isPlain(&inner) {
			alone.AllOf = nil
		}
	}
	return isPlain(&alone)
}

// asJSON validates a value as JSON. mayLack is set if it may be null.
func (t *typed) asJSON(x goValue, at *schema.Place, where place, mayLack bool) []jen.Code {
	w, s := t.w, at.Schema
	function := func(name string) jen.Code {
		if name == "" {
			return jen.Nil()
		}
		return jen.Id(name)
	}
	var prune jen.Code = jen.Nil()
	switch p := w.prune(s, pruning{}, where); p {
	case pruneNothing:
	case pruneRest:
		prune = jen.Parens(jen.Op("*").Id("crdPruning")).Dot("rest")
	default:
		prune = jen.Id(string(p))
	}
	args := []jen.Code{x.pointer(), jen.Lit(mayLack || isSet(s.Nullable)), prune, function(w.defaults(s, where))}
	for _, check := range []string{w.values(s, where), w.embedded(s, where), w.lists(s, where)} {
		if check != "" {
			args = append(args, jen.Id(check))
		}
	}
	rules, looksBack := t.rules.node(at, where)
	if rules != "" {
		args = append(args, jen.Func().Params(jen.Id("v").Op("*").Id("crdValidation"), jen.Id("value").Any()).
			Block(jen.Id(rules).Call(jen.Id("v"), jen.Id("value"), jen.Nil())))
	}
	fits := jen.Id("crdFits").Call(args...)
	body := []jen.Code{unless(fits)}
	if isRaw(x.typ) && t.isAnything(at) {
		body = []jen.Code{rawOr(x, s.Type.V == "object", fits)}
	}
	if looksBack {
		body = append(body, jen.If(jen.Id("old").Op("!=").Nil()).Block(fails()))
	}
	return body
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

// rawOr fails if a text is not certainly valid JSON, and a condition does not hold.
func rawOr(x goValue, isObject bool, fits jen.Code) jen.Code {
	raw := jen.Id("crdIsJSON").Call(x.base().Dot("Raw"), jen.Lit(isObject))
	return jen.If(jen.Op("!").Add(raw).Op("&&").Op("!").Add(fits)).Block(fails())
}

// isAnything reports whether a schema accepts any object, or any value but null, and keeps all of it.
func (t *typed) isAnything(at *schema.Place) bool {
	s := at.Schema
	has, _ := t.rulesBelow(at)
	return isPlain(s) && isSet(s.PreserveUnknownFields) && !isSet(s.EmbeddedResource) && !isSet(s.IntOrString) && !has &&
		(s.Type.V == "" || s.Type.V == "object") && len(s.Properties) == 0 && s.Items == nil
}

// scalar are the statements for a scalar: its type and its constraints.
func (t *typed) scalar(x goValue, at *schema.Place, where place) []jen.Code {
	s, shape := at.Schema, shapeOf(x.typ)
	c := checks{w: t.w, s: s, at: where, types: possibleKinds(s), format: supportedFormat(s, t.w.minor), inGo: true}
	kind := map[goShape]jsonKind{stringShape: "string", bytesShape: "string", boolShape: "boolean", intShape: "integer",
		uintShape: "integer", floatShape: "number"}[shape]
	switch {
	case !c.fitsType(kind):
		return []jen.Code{fails()}
	case shape == bytesShape && isPlain(s) && s.Format.V == "":
		return nil
	case shape == bytesShape && isPlain(s) && s.Format.V == "byte": // no text is not of the format
		return []jen.Code{jen.If(jen.Len(x.value()).Op("==").Lit(0)).Block(fails())}
	case shape == bytesShape:
		return t.asJSON(x, at, where, false)
	case t.hasJunctors(s), shape == floatShape && !isPlain(s):
		return append(t.encodes(x), t.asJSON(x, at, where, false)...)
	}
	c.prepare()
	own, _ := c.ofKind(kind)
	enum, _ := c.ofEnum(kind)
	if own = live(append(own, enum...)); len(own) == 1 && source(own[0]) == source(fails()) {
		return own
	}
	if c.undecided {
		return append(t.encodes(x), t.asJSON(x, at, where, false)...)
	}
	body := t.encodes(x)
	if shape == floatShape && c.number != "" {
		return append(body, t.asJSON(x, at, where, false)...) // what is an integer in JSON has other rules
	}
	isText := shape == stringShape && len(s.Enum) == 0 && t.readsTexts(at)
	switch {
	case isText && len(own) == 0:
		return append(body, validText(x.converted()))
	case isText:
		own = append([]jen.Code{validText(jen.Id("x"))}, own...)
	}
	if len(own) > 0 {
		body = append(body, jen.Block(append([]jen.Code{jen.Id("x").Op(":=").Add(x.converted())}, own...)...))
	}
	return body
}

// validText fails if a string is not in JSON what it is in Go.
func validText(x jen.Code) jen.Code { return unless(jen.Qual("unicode/utf8", "ValidString").Call(x)) }

// readsTexts reports whether typed code may compare the strings of a place, so that they must be valid UTF-8: for a rule
// or for a list of type set or map.
func (t *typed) readsTexts(at *schema.Place) bool {
	if t.w.texts[at.Schema] {
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

// encodes are the statements for a value of which no schema matters: they make sure that it can be encoded.
func (t *typed) encodes(x goValue) []jen.Code {
	switch shapeOf(x.typ) {
	case floatShape:
		return []jen.Code{jen.If(jen.Op("!").Id("crdIsNumber").Call(jen.Id("float64").Call(x.value()))).Block(fails())}
	case uintShape:
		if of := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); of.Format() == "" {
			return []jen.Code{jen.If(x.value().Op(">").Qual("math", "MaxInt64")).Block(fails())}
		}
	}
	return nil
}
