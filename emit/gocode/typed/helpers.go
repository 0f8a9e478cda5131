package typed

import (
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/google/cel-go/common/ast"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/internal/moved"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// Helpers writes the functions for the Go type of a kind. It returns nil if the kind has none that the package can
// name.
func Helpers(base *object.Writer, k *object.Kind) *object.GoKind {
	if k.Type == nil {
		return nil
	}
	w := goWriter{base}
	typ, ok := w.typeCode(k.Type)
	if !ok {
		return nil
	}
	t := &typed{w: w, k: k, rules: w.RulesPass(k), texts: map[*schema.Schema]bool{},
		known: map[string]string{}, isLong: map[string]bool{}}
	root := &schema.Place{Schema: k.Schema()}
	// The first round finds out which texts rules read.
	w.DryRun(func() { t.function(k.Type, root, object.RootOf(k)) })
	t.known, t.found = map[string]string{}, parts{}
	out := &object.GoKind{Type: typ}
	if name, _ := t.function(k.Type, root, object.RootOf(k)); name != "" {
		out.IsValid, out.Parts = jen.Id(name), t.found.code()
	}
	if hasDefaults(k.Schema()) {
		if name := t.setter(k.Type, typ, root, object.RootOf(k)); name != "" {
			out.SetDefaults = jen.Id(name)
		}
	}
	if unheld := t.unheldText(); unheld != "" {
		out.Notes = append(out.Notes, unheld)
	}
	if lost := t.lost(); lost != "" {
		out.MayLose = true
		out.Notes = append(out.Notes, "An API server drops these fields of the type: "+lost+".")
	}
	return out
}

// typed writes the typed code of a kind.
type typed struct {
	w     goWriter
	k     *object.Kind
	rules object.RulesPass
	// texts are the schemas of the strings, or of the maps with keys, that rules compare.
	texts map[*schema.Schema]bool
	// known are the functions of places and types, "" for those whose body is written in the place of calls.
	known map[string]string
	// found are the functions for Go types.
	found parts
	// isLong is set for the places of structs whose defaults need a function.
	isLong map[string]bool
	// unheld are the fields with defaults that the type cannot hold.
	unheld []string
}

// rulesBelow reports whether a place or one below it has rules, and whether one of them compares with the old value.
func (t *typed) rulesBelow(at *schema.Place) (has, looksBack bool) {
	prefix := at.Path()
	for path, rules := range t.rules.ByPlace {
		if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			has = true
			looksBack = looksBack || slices.ContainsFunc(rules, func(r *expr.Rule) bool { return r.UsesOldSelf })
		}
	}
	return has, looksBack
}

// The field of a subresource, which belongs to another object: a server drops it from a new object, keeps the old one
// in an update, and keeps all else in an update of the status.
const statusField = "status"

// statusValue returns the object that has the status, which may be nil.
func statusValue(typ types.Type) goValue {
	return goValue{typ: typ, code: jen.Id(statusField), isPointer: true}
}

// hasStatusAt reports whether the status of an object is a subresource; false for all other places.
func (t *typed) hasStatusAt(at *schema.Place) bool { return at.Above == nil && t.k.HasStatus() }

// readsStatus reports whether a rule of the object may read the status.
func readsStatus(r *expr.Rule) bool {
	if r.Checked == nil {
		return true
	}
	isSelf := func(e ast.NavigableExpr) bool {
		return e.Kind() == ast.IdentKind && (e.AsIdent() == "self" || e.AsIdent() == "oldSelf")
	}
	return slices.ContainsFunc(ast.MatchDescendants(ast.NavigateAST(r.Checked.NativeRep()), isSelf),
		func(e ast.NavigableExpr) bool {
			above, ok := e.Parent()
			return !ok || above.Kind() != ast.SelectKind || above.AsSelect().FieldName() == statusField
		})
}

// scale returns the steps for the fields that the scale subresource reads.
func (t *typed) scale(x goValue, at *schema.Place) (body steps) {
	sub := t.k.CRD.Versions[t.k.Version].Subresources
	if sub == nil || sub.Scale == nil {
		return nil
	}
	body = valid(t.scaleField(x, at, sub.Scale.SpecReplicasPath, intShape),
		t.scaleField(x, at, sub.Scale.StatusReplicasPath, intShape))
	if selector := sub.Scale.LabelSelectorPath; selector != nil {
		body = append(body, valid(t.scaleField(x, at, *selector, stringShape))...)
	}
	return body
}

// scaleField returns the condition for one of them.
func (t *typed) scaleField(x goValue, at *schema.Place, path schema.Text, shape goShape) object.Condition {
	for _, name := range strings.Split(strings.TrimPrefix(path.V, "."), ".") {
		child := childOf(at, name)
		if name == statusField && t.hasStatusAt(at) {
			x = statusValue(x.typ).when(isNotNil(jen.Id(statusField)))
		}
		if shapeOf(x.typ) != structShape || child == nil || child.Schema.Nullable.True() {
			return object.Never
		}
		f := fieldOf(x.typ, name)
		d := child.Schema.Default
		if f == nil || d != nil && !(shape == intShape && isReplicas(*d)) && d.Kind != schema.String {
			return object.Never
		}
		x, at = t.w.field(x, *f).reached(), child
	}
	switch {
	case shapeOf(x.typ) != shape:
		return object.Never
	case shape == stringShape:
		return object.Always
	}
	right := object.Compares(x.value(), ">=", jen.Lit(0))
	if r := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); r.Max > math.MaxInt32 {
		right = object.AllOf(right, object.Compares(x.value(), "<=", jen.Qual("math", "MaxInt32")))
	}
	return object.AnyOf(object.AllOf(x.there...).Opposite(), right)
}

// isReplicas reports whether a default is a number of replicas.
func isReplicas(v schema.Value) bool {
	n, err := strconv.ParseInt(v.Text, 10, 32)
	return v.Kind == schema.NumberKind && err == nil && n >= 0
}

// checkValue returns the steps for a value that is there and not null; nil if it is always valid. The value old belongs
// to it, if there is one.
func (t *typed) checkValue(x, old goValue, at *schema.Place, where object.Place) steps {
	switch shape := shapeOf(x.typ); {
	case t.isOdd(x.typ, at):
		return valid(t.asJSON(x, at, where, false))
	case slices.Contains([]goShape{stringShape, boolShape, intShape, uintShape, floatShape, bytesShape}, shape):
		return append(t.rulesAt(x, old, at, where), valid(t.scalar(x, at, where))...)
	case slices.Contains([]goShape{structShape, mapShape, listShape}, shape):
		_, isArray := x.typ.Underlying().(*types.Array)
		isData := shape == structShape && t.k.Imported[at.Schema]
		if _, ok := t.w.typeCode(x.typ); !ok || isData || isArray && t.looksBack(at) {
			return valid(t.asJSON(x, at, where, false))
		}
		return t.parts(x, old, at, where)
	case shape == timeShape:
		return valid(object.Holds(object.Runtime("IsYear").Call(x.base().Dot("Time"))))
	case shape == durationShape:
		return valid(t.duration(x, at, where))
	case shape == intOrStringShape:
		kind := x.base().Dot("Type")
		return valid(object.AnyOf(object.Compares(kind, "==", jen.Qual(pkgIntstr, "Int")), object.Compares(kind, "==",
			jen.Qual(pkgIntstr, "String"))))
	}
	return nil
}

// asJSON returns the condition that a value is valid as JSON. mayLack is set if it may be null.
func (t *typed) asJSON(x goValue, at *schema.Place, where object.Place, mayLack bool) object.Condition {
	w, s := t.w, at.Schema
	t.found.exclude(x.typ)
	args := []jen.Code{x.pointer(), jen.Lit(mayLack || s.Nullable.True()), w.Structure(s, where)}
	args = append(args, object.Method("Check"))
	if w.Content(s).Resources {
		args = append(args, object.Method("CheckResource"))
	}
	if w.Content(s).Lists {
		args = append(args, object.Method("CheckLists"))
	}
	hasRules, looksBack := t.rulesBelow(at)
	if hasRules {
		args = append(args, jen.Parens(w.RulesTable()).Dot("Check"))
	}
	fits := object.Holds(object.Runtime("Fits").Call(args...))
	if isRaw(x.typ) && t.isAnything(at) {
		fits = rawOr(x, s.Type.V == "object", fits)
	}
	if looksBack {
		fits = object.AllOf(object.Compares(jen.Id("old"), "==", jen.Nil()), fits)
	}
	return fits
}

// rawTypes hold the text of any JSON in a field Raw.
var rawTypes = []string{
	moved.ExtV1 + ".JSON",
	moved.ExtV1beta1 + ".JSON",
	"k8s.io/apimachinery/pkg/runtime.RawExtension",
}

func isRaw(t types.Type) bool {
	pkg, name := gojson.NameOf(t)
	return slices.Contains(rawTypes, moved.Former(pkg)+"."+name)
}

// rawOr returns the condition that a text is certainly valid JSON, or another one.
func rawOr(x goValue, isObject bool, otherwise object.Condition) object.Condition {
	return object.AnyOf(object.Holds(object.Runtime("IsJSON").Call(x.base().Dot("Raw"), jen.Lit(isObject))), otherwise)
}

// isAnything reports whether a schema accepts any object, or any value but null, and keeps all of it.
func (t *typed) isAnything(at *schema.Place) bool {
	s := at.Schema
	has, _ := t.rulesBelow(at)
	return object.IsPlain(s) && s.PreserveUnknownFields.True() && !s.EmbeddedResource.True() && !s.IntOrString.True() &&
		!has && (s.Type.V == "" || s.Type.V == "object") && len(s.Properties) == 0 && s.Items == nil
}

// scalar returns the condition for a scalar: its type and its constraints.
func (t *typed) scalar(x goValue, at *schema.Place, where object.Place) object.Condition {
	s, shape := at.Schema, shapeOf(x.typ)
	c := t.w.Checks(s, where)
	c.X, c.Own = x.converted(), x.converted()
	if shape == stringShape || shape == intShape {
		c.Own = x.value()
	}
	kind := map[goShape]object.JSONKind{stringShape: "string", bytesShape: "string", boolShape: "boolean",
		intShape: "integer", uintShape: "integer", floatShape: "number"}[shape]
	switch {
	case !c.FitsType(kind):
		return object.Never
	case shape == bytesShape:
		if cond, ok := bytesFit(x, s); ok {
			return cond
		}
		return t.asJSON(x, at, where, false)
	case t.hasJunctors(s), shape == floatShape && !object.IsPlain(s):
		return object.AllOf(t.encodes(x), t.asJSON(x, at, where, false))
	}
	var right []object.Condition
	switch shape {
	case stringShape:
		right = append(c.TextsFit(), c.FormatFits())
	case intShape, uintShape:
		if typ := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); typ != nil {
			c.Least, c.Most = typ.Min, int64(min(typ.Max, math.MaxInt64))
		}
		right = append(right, c.IntegersFit())
	}
	mayBeInteger := shape == floatShape && c.LimitsNumbers()
	undecided := mayBeInteger || slices.ContainsFunc(right, object.Condition.IsNever)
	isText := shape == stringShape && t.readsTexts(at) && !t.w.ReadsASCII(s.Pattern.V)
	if len(s.Enum) > 0 {
		values := c.EnumTexts()
		if shape != stringShape {
			values = t.enumIntegers(x, s.Enum)
		}
		switch isText = false; {
		case values == nil:
			undecided = true
		case len(values) <= fewValues:
			var conditions []object.Condition
			for _, v := range values {
				conditions = append(conditions, object.Compares(x.value(), "==", v))
			}
			right = append(right, object.AnyOf(conditions...))
		default:
			typ := map[goShape]object.Type{stringShape: object.StringType, intShape: object.IntType}[shape]
			right = append(right, object.Holds(jen.Id(t.w.OneOf(typ, values, where)).Call(x.converted())))
		}
	}
	if undecided {
		return object.AllOf(t.encodes(x), t.asJSON(x, at, where, false))
	}
	if isText {
		right = append([]object.Condition{isValidText(x.converted())}, right...)
	}
	return object.AllOf(append([]object.Condition{t.encodes(x)}, right...)...)
}

// fewValues is the number of values of an enum that are compared one by one.
const fewValues = 3

// enumIntegers returns the literals of an enum for an integer; nil if they are not all values of its type.
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

// isValidText returns the condition that a string is in JSON what it is in Go.
func isValidText(x jen.Code) object.Condition {
	return object.Holds(jen.Qual("unicode/utf8", "ValidString").Call(x))
}

// readsTexts reports whether typed code may compare the strings of a place, so that they must be valid UTF-8: for a
// rule or for a list of type set or map.
func (t *typed) readsTexts(at *schema.Place) bool {
	if t.texts[at.Schema] {
		return true
	}
	if above := at.Above; above != nil && (above.Schema.ListType.V == "set" || isListKey(above.Above, at.Name)) {
		return true
	}
	for ; at.Above != nil; at = at.Above {
		if at.Above.Above == nil && object.IsMeta(at.Name) { // rules see another schema of these
			return len(t.rules.ByPlace[at.Above.Path()]) > 0
		}
	}
	return false
}

// isListKey reports whether the items of a list, which may be nil, have a key of a name.
func isListKey(list *schema.Place, name string) bool {
	return list != nil && list.Schema.ListType.V == "map" &&
		slices.ContainsFunc(list.Schema.ListMapKeys, func(key schema.Text) bool { return key.V == name })
}

// encodes returns the condition for a value of which no schema matters: that it can be encoded.
func (t *typed) encodes(x goValue) object.Condition {
	switch shapeOf(x.typ) {
	case floatShape:
		return object.Holds(object.Runtime("IsNumber").Call(jen.Id("float64").Call(x.value())))
	case uintShape:
		if typ := gojson.RangeOf(x.typ.Underlying().(*types.Basic).Kind()); typ.Format() == "" {
			return object.Compares(x.value(), "<=", jen.Qual("math", "MaxInt64"))
		}
	}
	return object.Always
}
