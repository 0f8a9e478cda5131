package apply

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// setConstants makes an enum of the constants of a type. Like the generators of Kubernetes it includes unexported
// ones:
// the name of a constant does not decide whether objects may have its value.
//
// The marker +enum of imported packages has no effect. Kubernetes' own types have it as documentation: with it, a CRD
// that embeds a pod template would reject values that the next version of Kubernetes allows, and its author could not
// fix that.
func (ap Applier) setConstants(n *node.Node, m *markers.Marker, on node.Target) {
	obj := on.Decl.Pkg.Types.Scope().Lookup(on.Decl.Name)
	if obj == nil || m.Def.Own && !on.Decl.Pkg.Own {
		return
	}
	jsonType := ap.constantType(obj.Type())
	if obj.Type().Underlying() == types.Typ[types.Invalid] {
		return // reported where the type is described
	}
	if jsonType == "" {
		ap.rejectConstants(m, enumOfOther(m, on.Decl.Name, obj.Type().Underlying(),
			!ap.Opts.With(options.ConstantsAll)))
		return
	}
	// The JSON form of the type may not be that of its constants.
	got := n.JSONType()
	ofMethod := got == "" && jsonType == "integer" && gojson.MethodsOf(obj.Type()).MarshalJSON != nil
	if !ap.Opts.Compat && (ofMethod || got != "" && got != jsonType) {
		form := report.TypePhrase(got)
		if ofMethod {
			form = "what MarshalJSON returns"
		}
		ap.rejectConstants(m, diag.Errorf(m.At, checks.TypeConflict,
			"the constants of %s are %ss, but its JSON form is %s", on.Decl.Name, jsonType, form).
			Help("list the JSON values with +%s", read.MarkEnum))
		return
	}
	values, ok := ap.constantValues(m, on)
	if !ok {
		return
	}
	if len(values) == 0 {
		ap.rejectConstants(m, noConstants(m, on.Decl))
		return
	}
	n.Own.Type = schema.Text{V: jsonType, At: m.At}
	n.Own.Enum = values
	n.ByConstants = m.Def.Own
}

// noConstants reports that a type has no constants, and those that only lack the type.
func noConstants(m *markers.Marker, decl *load.TypeDecl) diag.Diagnostic {
	d := diag.Errorf(m.At, checks.EnumEmpty, "type %s has no constants for +%s to list", decl.Name, m.Def.Name)
	const effect = "only those with the value of a constant"
	untyped := decl.Untyped()
	if at, name := decl.Variable(); name != "" {
		return d.Help("write const in place of var before %s", name).DoAt(diag.Replace, at, "const").
			Changes(diag.AcceptsLess, effect).See(at, "the variables")
	}
	if len(untyped) == 0 {
		return d.Help(`declare one, such as const First %s = "first"`, decl.Name).Changes(diag.AcceptsLess, effect)
	}
	for _, c := range untyped {
		d = d.See(c.At, "constant %s has no type", c.Name)
	}
	return d.Help("give the constants the type, as in %s %s = %s", untyped[0].Name, decl.Name, untyped[0].Value).
		Changes(diag.AcceptsLess, effect)
}

// rejectConstants reports why there is no enum of constants; controller-gen accepts any +enum.
func (ap Applier) rejectConstants(m *markers.Marker, d diag.Diagnostic) {
	if m.Def.Own {
		ap.Mistake(d)
		return
	}
	ap.Report(d)
}

// constantType returns the JSON type of the constants of a type, or "" if they cannot make an enum.
func (ap Applier) constantType(t types.Type) string {
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return ""
	case basic.Info()&types.IsString != 0:
		return "string"
	case basic.Info()&types.IsInteger != 0 && ap.Opts.With(options.ConstantsAll):
		return "integer"
	}
	return ""
}

// constantValues returns the values of the constants of a type, sorted: strings by their JSON literal, which is
// controller-gen's order, integers by value. ok is false if one is unknown.
func (ap Applier) constantValues(m *markers.Marker, on node.Target) (values []schema.Value, ok bool) {
	ok = true
	all := ap.Opts.With(options.ConstantsAll)
	dropped := false // of what controller-gen lists
	seen := map[string]bool{}
	for _, c := range on.Decl.Constants() {
		switch {
		case !all && !c.Literal, !ap.Marks.At(ap.Reporter).HasConstant(&c, on.Decl.Pkg):
			continue
		case all && (c.Name == "_" || ap.Marks.At(ap.Reporter).IsExcluded(&c, on.Decl.Pkg)):
			dropped = dropped || c.Literal
			continue
		case c.Problem != "":
			ap.rejectConstants(m, diag.Errorf(c.At, checks.EnumUnknown, "the value of constant %s is unknown: %s",
				c.Name, c.Problem).
				Help("write its value as a literal, or list the values of %s with +%s", on.Decl.Name, read.MarkEnum).
				See(m.At, "%s lists its constants", on.Decl.Name))
			ok = false
			continue
		}
		v := constantValue(c.Value)
		v.At = c.At
		if all && seen[v.Compact()] {
			dropped = dropped || c.Literal
			continue
		}
		if all && (!c.Literal || m.Def.Own) {
			ap.Differs(v.At, options.ConstantsAll, m.At)
		}
		values = append(values, v)
		seen[v.Compact()] = true
	}
	if dropped && len(values) > 0 {
		ap.Differs(values[0].At, options.ConstantsAll, m.At)
	}
	slices.SortStableFunc(values, func(a, b schema.Value) int {
		if a.Kind == schema.NumberKind {
			return schema.CompareNumbers(a.Text, b.Text)
		}
		return strings.Compare(jsonString(a.Text), jsonString(b.Text))
	})
	return values, ok
}

// constantValue returns the JSON value of a string or an integer.
func constantValue(v constant.Value) schema.Value {
	if v.Kind() == constant.String {
		return schema.Value{Kind: schema.String, Text: constant.StringVal(v)}
	}
	return schema.Value{Kind: schema.NumberKind, Text: schema.CanonicalNumber(constant.ToInt(v).ExactString())}
}

// checkDeclaredEnum warns about an Enum marker that disagrees with the constants of the type: about a value that is not
// a constant and, if it is on the type itself, about constants that it does not list. A field may narrow its type. It
// is a warning, since a constant may have other uses than being a value in objects.
func (ap Applier) checkDeclaredEnum(n *node.Node, m *markers.Marker, on node.Target) {
	decl := on.Decl
	own := on.Field == nil && m.Def.ItemsOf == ""
	if !own {
		if n.Ref == nil {
			return
		}
		decl = n.Ref.Decl
	}
	if decl == nil || !decl.Pkg.Own || !on.Decl.Pkg.Own || !own && ap.hasEnum(decl) || ap.marshals(decl) {
		return
	}
	constants := declaredConstants(decl)
	if len(constants) == 0 {
		return
	}
	listed := n.Own.Enum
	var missing []load.Constant
	var known []schema.Value
	for _, c := range constants {
		value := constantValue(c.Value)
		known = append(known, value)
		if own && !isUnset(value) && !slices.ContainsFunc(listed, value.Equal) &&
			ap.Marks.At(ap.Reporter).HasConstant(&c, decl.Pkg) {
			missing = append(missing, c)
		}
	}
	isMisspelled := false
	for _, v := range n.Own.Enum {
		// A listed constant in another spelling is for older objects.
		if !isUnset(v) && !slices.ContainsFunc(known, func(c schema.Value) bool {
			return c.Equal(v) || strings.EqualFold(c.Text, v.Text) && slices.ContainsFunc(listed, c.Equal)
		}) {
			isMisspelled = true
			ap.Warn(enumNoConstant(v, constants, decl.Name).CausedBy(m.At, "values of an enum"))
		}
	}
	if len(missing) > 0 {
		d := enumLacksConstants(m, missing, decl.Name, ap.Opts.Compat).CausedBy(m.At, "values of an enum")
		if !isMisspelled {
			d = d.Hurting(diag.Unlikely) // most constants are left out on purpose
		}
		ap.Warn(d)
	}
}

// ofVariant returns the values of an Enum marker without those whose constants are in other variants. A marker that is
// itself for a channel or gate lists what it means.
func (ap Applier) ofVariant(values []schema.Value, n *node.Node, m *markers.Marker, on node.Target) []schema.Value {
	decl := on.Decl
	if on.Field != nil || m.Def.ItemsOf != "" {
		if decl = nil; n.Ref != nil {
			decl = n.Ref.Decl
		}
	}
	if ap.Opts.Variant == nil || m.Of != nil || decl == nil {
		return values
	}
	var off []schema.Value
	for _, c := range declaredConstants(decl) {
		if !ap.Marks.At(ap.Reporter).HasConstant(&c, decl.Pkg) {
			off = append(off, constantValue(c.Value))
		}
	}
	isOff := func(v schema.Value) bool { return slices.ContainsFunc(off, v.Equal) }
	kept := slices.DeleteFunc(slices.Clone(values), isOff)
	if len(kept) == 0 && len(values) > 0 {
		ap.Report(diag.Errorf(m.At, checks.EnumEmpty, "no value of this enum is in the variant").
			Help("add a value whose constant is in all variants, or put the field into a channel or gate, too"))
	}
	return kept
}

// declaredConstants returns the constants of a type that an Enum marker is compared with: nothing if the value of one
// is unknown, or cannot be in an enum.
func declaredConstants(decl *load.TypeDecl) []load.Constant {
	var out []load.Constant
	for _, c := range decl.Constants() {
		switch {
		case c.Name == "_":
		case c.Problem != "" || c.Value.Kind() != constant.String && c.Value.Kind() != constant.Int:
			return nil
		default:
			out = append(out, c)
		}
	}
	return out
}

// isUnset reports whether a value is the zero value of strings. An enum need not list a constant for it, and may list
// it without a constant.
func isUnset(v schema.Value) bool { return v.Kind == schema.String && v.Text == "" }

// hasEnum reports whether a type lists its values itself, so that an Enum marker of a field is compared with them.
func (ap Applier) hasEnum(decl *load.TypeDecl) bool {
	marks := ap.Marks.At(ap.Reporter).TypeMarkers(decl)
	return read.Find(marks, read.MarkEnum) != nil || read.HasConstantsMarker(marks)
}

// marshals reports whether a type has a marshal method, so that its constants do not show its JSON form.
func (ap Applier) marshals(decl *load.TypeDecl) bool {
	obj := decl.Pkg.Types.Scope().Lookup(decl.Name)
	return obj == nil || gojson.MethodsOf(obj.Type()).Marshal() != nil
}

func enumOfOther(m *markers.Marker, name string, underlying types.Type, onlyStrings bool) diag.Diagnostic {
	if onlyStrings {
		return diag.Errorf(m.At, checks.MarkerType, "%s applies to strings; %s is %s", m.Def.Name, name, underlying).
			Help("declare the type as a string, or list the values with +%s", read.MarkEnum)
	}
	d := diag.Errorf(m.At, checks.MarkerType, "%s applies to strings and integers; %s is %s", m.Def.Name, name,
		underlying)
	if basic, ok := underlying.(*types.Basic); ok && basic.Info()&types.IsNumeric != 0 {
		return d.Help("declare the type as a string or an integer, or list the values with +%s", read.MarkEnum)
	}
	return d.Help("declare the type as a string or an integer, or remove the marker")
}

func enumNoConstant(v schema.Value, constants []load.Constant, name string) diag.Diagnostic {
	d := diag.Errorf(v.At, checks.EnumConstants, "enum value %s is not a constant of type %s", report.ValueText(v),
		name)
	byValue := map[string]load.Constant{}
	var known []string
	for _, c := range constants {
		if value := constantValue(c.Value); value.Kind == schema.String && value.Text != "" {
			known = append(known, value.Text)
			byValue[value.Text] = c
		}
	}
	if near := diag.Near(v.Text, known); near != "" {
		return d.Meant(near).
			Changes(diag.AcceptsOther, "%q instead of %q", near, v.Text).
			See(byValue[near].At, "constant %s", byValue[near].Name)
	}
	return d.Help("declare a constant with this value").
		Or("remove it from the enum").Changes(diag.AcceptsLess, "the value becomes invalid").
		See(constants[0].At, "the constants of %s", name)
}

func enumLacksConstants(m *markers.Marker, missing []load.Constant, name string, compat bool) diag.Diagnostic {
	var names, values []string
	for _, c := range missing {
		names, values = append(names, c.Name), append(values, report.ValueText(constantValue(c.Value)))
	}
	verb, constants, instead := "is", "the constant", ", or list all constants with +k8s:enum instead"
	if len(names) > 1 {
		verb, constants = "are", "the constants"
	}
	if compat {
		instead = ""
	}
	list := strings.Join(values, ", ")
	d := diag.Errorf(m.At, checks.EnumConstants, "%s %s missing from the enum of type %s", strings.Join(names, ", "),
		verb, name).
		Help("add %s to the marker%s", list, instead).Changes(diag.AcceptsMore, "those with %s", list).
		Or("remove %s", constants)
	for _, c := range missing {
		d = d.See(c.At, "constant %s", c.Name)
	}
	return d
}
