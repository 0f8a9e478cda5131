package flatten

import (
	"fmt"
	"go/types"
	"go/version"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/schema"
)

// finishElements removes nullable from the items of a list whose list type forbids it.
func (fl Flattener) finishElements(s *schema.Schema) {
	isOurs := func(s *schema.Schema) bool { return s != nil && s.Nullable != nil && !s.Nullable.At.IsValid() }
	switch {
	case isOurs(s.Items) && (s.ListType.V == "set" || s.ListType.V == "map"):
		items := *s.Items
		items.Nullable = nil
		s.Items = &items
	case isOurs(s.Items) || isOurs(s.AdditionalProperties):
		fl.Deviate(options.NullElements, s.At)
	}
}

// checkAbsence reports a field whose unset value the API server rejects, although the object looks complete in Go. The
// server drops a null unless the field is nullable, then applies defaults, and only then checks required fields.
func (fl Flattener) checkAbsence(p node.Property, s *schema.Schema, ofKind bool) {
	f := p.Field
	if f == nil || !fl.Program.Owns(f.At) || f.IsMisread || s.Incomplete&schema.DoubtPresence != 0 {
		return
	}
	required := p.Required.V != "" && s.Default == nil
	zero := fl.ZeroOf(p.Node)
	if zero == nil {
		if s.Incomplete == 0 && required && fl.omitsZero(p) && p.Node.Sort != node.PointerSort &&
			p.Node.Sort != node.InterfaceSort {
			fl.requiredOmitted(f, "the zero value", "remove omitzero from the tag", false)
		}
		return
	}
	isNull := zero.Kind == schema.Null
	nullable := s.Nullable.True()
	omitted := fl.omitsZero(p)
	switch {
	case required && f.OmitZero && p.Node.ZeroBehind:
		fl.requiredOmitted(f, "a pointer to a zero value", "replace omitzero with omitempty in the tag", true)
	case isNull && (!omitted || p.Node.InnerNull) && required && !nullable:
		if omitted || mayBeEmpty(p.Node, s) {
			fl.nullRequired(p, s, omitted)
		}
	case isNull && (!omitted || p.Node.InnerNull) && nullable && len(s.Enum) > 0:
		d := diag.Errorf(f.At, checks.JSONNull,
			"a nil %q is encoded as null; an enum never accepts null, even with +nullable", f.Name)
		fl.Warn(keepRequired(d, p, omittingNil(p)).
			Or("check the values with +kubebuilder:validation:XValidation instead of an enum").
			Changes(diag.AcceptsMore, "%q may be null", f.Name).
			See(s.Nullable.At, "+nullable").Hurting(diag.GoClients))
	case p.Node.IsBytes() && (!f.OmitEmpty || p.Node.InnerNull):
		help := "add omitempty to the tag"
		if f.OmitEmpty {
			help = "use a slice: omitempty omits a pointer only if it is nil"
		}
		fl.Warn(diag.Errorf(f.At, checks.JSONEmpty,
			"an empty %q is encoded as \"\", which the API server rejects: it is not valid base64", f.Name).
			Help("%s", help))
	case !omitted && isNull && nullable && s.Default != nil && s.Default.Kind != schema.Null:
		fl.Warn(diag.Errorf(f.At, checks.DefaultUnused,
			"Go writes null for an unset %q, which may be null, so the default %s is never applied", f.Name,
			shortJSON(s.Default)).
			Help("add %s to the tag", omittingNil(p)).See(s.Default.At, "the default"))
	case !omitted && isNull:
	case !omitted:
		if why := rejection(s, zero); why != "" && why != inDoubt && !required && !(ofKind && f.Name == "spec") {
			// Without a spec, there is nothing to do: an object of a program that sets none is rejected with reason.
			if why := rejection(s, fl.withoutReported(p.Node, s, zero)); why != "" && why != inDoubt {
				fl.zeroRejected(p, zero, why)
			}
		} else if why == "" {
			fl.checkDefault(p, s, zero, omitted)
		}
	case required:
		fl.checkOmitted(p, s, zero)
	case rejection(s, zero) == "":
		fl.checkDefault(p, s, zero, omitted)
	}
}

// checkDefault reports a default that takes the place of a value that Go clients set, or that the objects of Go clients
// never get. zero is a valid value that a Go client sets by not setting the field; for an empty string, list or map,
// and for a struct, a default in its place is what is meant.
func (fl Flattener) checkDefault(p node.Property, s *schema.Schema, zero *schema.Value, omitted bool) {
	f := p.Field
	isValue := zero.Kind == schema.Bool || zero.Kind == schema.NumberKind ||
		zero.Kind == schema.String && (zero.Text != "" || !omitted)
	if s.Default == nil || rejection(s, s.Default) != "" || !isValue || s.Default.Equal(*zero) ||
		sameNumber(s.Default, zero) || f.GoName == "" {
		return
	}
	d := diag.Errorf(f.At, checks.DefaultReplaces, "Go omits %q if it is %s, so the API server stores the default %s",
		f.Name, shortJSON(zero), shortJSON(s.Default))
	if !omitted {
		d = diag.Errorf(f.At, checks.DefaultUnused, "Go writes %s for an unset %q, so the default %s is never applied",
			shortJSON(zero), f.Name, shortJSON(s.Default))
	}
	d = d.Help("use a pointer: %s", pointerField(f))
	if zero.Kind == schema.String && zero.Text == "" {
		d = d.Help("add omitempty to the tag").Do(diag.AddOption, "omitempty")
	}
	// A number that Go always writes is one that programs set, and where they do not, they often handle zero. An enum
	// with the empty text says the same of it.
	isHandled := zero.Kind == schema.NumberKind && (!omitted || !meansZero(p, s, zero)) ||
		zero.Kind == schema.String && slices.ContainsFunc(s.Enum, zero.Equal)
	// A pointer would break the programs that use a published version.
	isCostly := omitted && publishedVersion.MatchString(f.Decl.Pkg.Name)
	isSet := !omitted && !isMeantOptional(f)
	if isHandled || isCostly || isSet || isDeprecated(f) {
		d = d.Hurting(diag.Unlikely)
	}
	fl.Warn(d.See(s.Default.At, "the default").CausedBy(diag.Span{}, "a default beside a zero value"))
}

// publishedVersion is the name of a package whose Go types other programs use.
var publishedVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// meansZero reports whether a zero value is one that people mean: false, or a zero that the schema names as a bound and
// that is not the number of a port.
func meansZero(p node.Property, s *schema.Schema, zero *schema.Value) bool {
	isBound := s.Minimum != nil && ratOf(s.Minimum).Sign() <= 0
	return zero.Kind == schema.Bool || zero.Kind == schema.NumberKind && isBound &&
		!strings.HasSuffix(strings.ToLower(p.Name), "port")
}

// sameNumber reports whether two values are the same number, such as 0 and 0.0.
func sameNumber(a, b *schema.Value) bool {
	return a.Kind == schema.NumberKind && b.Kind == schema.NumberKind && schema.CompareNumbers(a.Text, b.Text) == 0
}

// pointerField declares a field as a pointer that is omitted if it is nil.
func pointerField(f *node.Field) string {
	tag := "`json:" + strconv.Quote(f.Name+",omitempty") + "`"
	if f.Syntax.Tag != nil && f.Omits() {
		tag = f.Syntax.Tag.Value
		if f.OmitZero { // which may ask the value behind the pointer
			tag = strings.Replace(strings.Replace(tag, ",omitempty", "", 1), ",omitzero", ",omitempty", 1)
		}
	} else if old := "json:" + strconv.Quote(f.Name); f.Syntax.Tag != nil &&
		strings.Contains(f.Syntax.Tag.Value, old) {
		tag = strings.Replace(f.Syntax.Tag.Value, old, "json:"+strconv.Quote(f.Name+",omitempty"), 1)
	}
	return f.GoName + " *" + types.ExprString(f.Syntax.Type) + " " + tag
}

// mayBeEmpty reports whether the schema accepts an empty list or map of a type: in Go, a nil one means the same. The
// nil of any other type that is required is a mistake of the program, which the API server rejects with reason.
func mayBeEmpty(n *node.Node, s *schema.Schema) bool {
	isTyped := s.Type.V == "array" || s.Type.V == "object"
	return s.Incomplete&schema.DoubtSize == 0 && n.Sort == node.SliceSort && isTyped && len(s.Enum) == 0 &&
		(s.MinItems == nil || s.MinItems.V <= 0) && (s.MinProperties == nil || s.MinProperties.V <= 0)
}

// withoutReported returns the zero value of a node without the fields that are reported themselves, since the API
// server rejects their values: with the help for them, Go omits them.
func (fl Flattener) withoutReported(n *node.Node, s *schema.Schema, zero *schema.Value) *schema.Value {
	if zero.Kind != schema.Object || n.Cut {
		return zero
	}
	fields := fl.merged(n).Properties
	out := &schema.Value{Kind: schema.Object}
	for _, m := range zero.Members {
		i := slices.IndexFunc(fields, func(p node.Property) bool { return p.Name == m.Key && p.Field != nil })
		inner := s.Property(m.Key)
		if i < 0 || inner == nil {
			out.Members = append(out.Members, m)
			continue
		}
		p := fields[i]
		rest := fl.withoutReported(p.Node, inner, &m.Value)
		isReported := p.Required.V == "" && m.Value.Kind != schema.Null && fl.Program.Owns(p.Field.At)
		if !isReported || rejection(inner, rest) == "" {
			out.Members = append(out.Members, schema.Member{Key: m.Key, Value: *rest})
		}
	}
	return out
}

// nullRequired reports a required list or map that Go encodes as null, or a pointer to a value that it so encodes.
func (fl Flattener) nullRequired(p node.Property, s *schema.Schema, isPointer bool) {
	f, isBytes := p.Field, p.Node.IsBytes()
	which := "a nil"
	if isPointer {
		which = "a pointer to nil in"
	}
	d := diag.Errorf(f.At, checks.JSONNull,
		"%s %q is encoded as null, which the API server rejects: the field is required", which, f.Name)
	cause := "a nil list" // a project writes them all alike
	switch {
	case isBytes:
		d = d.Help("use a slice with omitempty instead of the pointer").
			Changes(diag.AcceptsMore, "%q becomes optional", f.Name)
	case isPointer:
		d = d.Help("use a value or a single pointer")
	case !isMarkedRequired(f):
		d = d.Help("add omitempty to the tag").Do(diag.AddOption, "omitempty").
			Changes(diag.AcceptsMore, "%q becomes optional", f.Name)
	}
	if least := "MinItems"; !isPointer && s.MinItems == nil && s.MinProperties == nil {
		if s.Type.V == "object" {
			least = "MinProperties"
		}
		d = d.Or("add +kubebuilder:validation:%s=1 to the field", least).
			Do(diag.Add, "+kubebuilder:validation:"+least+"=1").
			Changes(diag.AcceptsLess, "%q may not be empty", f.Name)
	}
	if len(s.Enum) == 0 && !isBytes && p.Node.NoNull() == "" && (s.MinItems == nil || s.MinItems.V <= 0) {
		d = d.Or("add +nullable to the field").Do(diag.Add, "+nullable").
			Changes(diag.AcceptsMore, "%q may be null", f.Name)
	}
	if isPointer {
		cause = d.HelpText
	}
	fl.Warn(d.CausedBy(diag.Span{}, cause))
}

// omittingNil returns the option of the tag with which Go omits a nil value: omitempty never omits a struct.
func omittingNil(p node.Property) string {
	if n := p.Node; (n.Sort == node.StructSort || n.Sort == node.UnreadSort) && hasOmitZero(p.Field) {
		return "omitzero"
	}
	return "omitempty"
}

// keepRequired adds the help to omit a value. A field that is required because nothing omits it needs a marker then.
func keepRequired(d diag.Diagnostic, p node.Property, option string) diag.Diagnostic {
	if p.Required.V == "" || isMarkedRequired(p.Field) {
		return d.Or("add %s to the tag", option).Do(diag.AddOption, option)
	}
	return d.Or("add %s to the tag, and +required to keep the field required", option).
		Do(diag.AddOption, option).Do(diag.Add, "+required")
}

// zeroRejected reports a field whose zero value the API server rejects.
func (fl Flattener) zeroRejected(p node.Property, zero *schema.Value, why string) {
	f, text := p.Field, shortJSON(zero)
	isWhole := zero.Kind == schema.Object || zero.Kind == schema.Array
	rejected := diag.Errorf(f.At, checks.JSONZero,
		"an unset %q is encoded as %s, which the API server rejects: %s", f.Name, text, why).
		Help("add omitempty to the tag").Do(diag.AddOption, "omitempty").
		Or("change the schema to accept the value").Changes(diag.AcceptsMore, "%q may be %s", f.Name, text)
	if f.OmitEmpty {
		rejected = rejected.Note("omitempty has no effect on structs")
	}
	if f.OmitEmpty || isWhole {
		rejected = omittingWhole(rejected, f)
	}
	rejected = rejected.CausedBy(diag.Span{}, rejected.HelpText)
	// Without a field that only a tag or a default makes optional, such as a pod template, hardly any object makes
	// sense, and programs set it.
	if isDeprecated(f) || !isMeantOptional(f) || isWhole && !fl.isOwnStruct(p.Node) {
		rejected = rejected.Hurting(diag.Unlikely)
	}
	fl.Warn(rejected)
}

// omittingWhole returns a finding with the help to omit a value that omitempty never omits: with a pointer, or with
// omitzero if the Go of the module knows it.
func omittingWhole(d diag.Diagnostic, f *node.Field) diag.Diagnostic {
	switch {
	case !hasOmitZero(f):
		return d.Help("use a pointer: %s", pointerField(f))
	case f.OmitEmpty:
		return d.Help("add omitzero to the tag, or use a pointer").Do(diag.AddOption, "omitzero")
	}
	return d.Help("add omitzero to the tag, or use a pointer with omitempty").Do(diag.AddOption, "omitzero")
}

// hasOmitZero reports whether the Go of a field's module knows omitzero, which older versions ignore.
func hasOmitZero(f *node.Field) bool {
	v := f.Decl.Pkg.GoVersion
	return v == "" || version.Compare("go"+v, "go1.24") >= 0
}

// isOwnStruct reports whether a node is of a struct of the user's own packages.
func (fl Flattener) isOwnStruct(n *node.Node) bool {
	for n.Ref != nil && n.Ref.Decl != nil {
		if !fl.Program.Owns(n.Ref.Decl.At) {
			return false
		}
		if n.Ref.Node == nil {
			break
		}
		n = n.Ref.Node
	}
	return true
}

// requiredOmitted reports a required field that Go omits although it has a value. isMeant is set if the value makes
// sense.
func (fl Flattener) requiredOmitted(f *node.Field, zero, help string, isMeant bool) {
	d := diag.Errorf(f.At, checks.JSONOmitted,
		"Go omits %q if it is %s, a valid value; the API server then rejects the object: the field is required",
		f.Name, zero)
	d = d.Help("%s", help).Or("make the field optional").Changes(diag.AcceptsMore, "%q becomes optional", f.Name).
		Or("reject %s in the schema", zero).Changes(diag.AcceptsLess, "%q may not be %s", f.Name, zero)
	if !isMeant || isDeprecated(f) {
		d = d.Hurting(diag.Unlikely)
	}
	fl.Warn(d.CausedBy(diag.Span{}, d.HelpText))
}

// shortJSON returns a value as messages show it.
func shortJSON(v *schema.Value) string {
	switch v.Kind {
	case schema.Null:
		return "null"
	case schema.String:
		return strconv.Quote(v.Text)
	case schema.Array:
		if len(v.Items) > 0 {
			return "[…]"
		}
		return "[]"
	case schema.Object:
		var list []string
		for _, m := range v.Members {
			list = append(list, strconv.Quote(m.Key)+": "+shortJSON(&m.Value))
		}
		if text := "{" + strings.Join(list, ", ") + "}"; len(text) <= 60 {
			return text
		}
		return "{" + list[0] + ", …}"
	}
	return v.Text
}

// checkOmitted reports a required number or truth value that Go omits although the schema accepts it. An empty text,
// list or object where there must be one is hardly ever meant, and zero only if the schema names it as a bound.
func (fl Flattener) checkOmitted(p node.Property, s *schema.Schema, zero *schema.Value) {
	option := "omitempty"
	if !p.Field.OmitEmpty {
		option = "omitzero"
	}
	if (zero.Kind == schema.Bool || zero.Kind == schema.NumberKind) && rejection(s, zero) == "" {
		help := fmt.Sprintf("remove %s from the tag", option)
		fl.requiredOmitted(p.Field, shortJSON(zero), help, meansZero(p, s, zero))
	}
}

// checkEmbeddedRules reports rules and junctors of a struct embedded by pointer that fail if the pointer is nil: they
// read a field that the struct requires, or require one of a group.
func (fl Flattener) checkEmbeddedRules(at diag.Span, src *node.Node) {
	for _, r := range src.Own.Rules {
		demands := len(r.Group) > 0 && !strings.HasSuffix(r.Rule.V, "<= 1")
		reads := func(p node.Property) bool {
			return p.Required.V != "" && strings.Contains(r.Rule.V, "self."+p.Name) &&
				!strings.Contains(r.Rule.V, "has(self."+p.Name)
		}
		if demands || slices.ContainsFunc(src.Properties, reads) {
			fl.ruleOfPointer(at, r.At)
		}
	}
	for _, alternatives := range [][]*schema.Schema{src.Own.AnyOf, src.Own.OneOf} {
		demandsNone := func(s *schema.Schema) bool { return len(s.Required) == 0 }
		if len(alternatives) > 0 && !slices.ContainsFunc(alternatives, demandsNone) {
			fl.ruleOfPointer(at, alternatives[0].At)
		}
	}
}

// ruleOfPointer reports a rule, or a junctor, of a struct that is embedded as a pointer.
func (fl Flattener) ruleOfPointer(at, rule diag.Span) {
	fl.Warn(diag.Errorf(at, checks.EmbeddedRules,
		"if this pointer is nil, its fields are absent and a rule about them fails").
		Help("embed the struct itself, name it in its tag, or guard the fields in the rule with has()").
		See(rule, "the rule"))
}
