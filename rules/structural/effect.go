package structural

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// effectRows returns the checks of keywords that do not constrain the values that they seem to constrain. All of them
// ask constrains, which is JSON Schema's table of keywords and types.
func effectRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{ID: "keyword-type", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkKeywordTypes},
		{Check: diag.Check{ID: "alternative-open", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkAlternatives},
		{Check: diag.Check{ID: "keyword-half", Severity: diag.Warning}, Needs: session.EachSchema, Run: checkHalves},
	}
}

// valueTypes are the types of JSON values, other than null, in schemas.
var valueTypes = [...]string{"array", "boolean", "integer", "number", "object", "string"}

// typesAt returns the types that values at a place can have: all that a schema without a known type may describe.
func typesAt(p *schema.Place) []string {
	s := outside(p)
	switch {
	case s == nil || s.Type.V == "" && !s.IntOrString.True():
		return valueTypes[:]
	case s.Type.V == "":
		return []string{"integer", "string"}
	case s.Format.V != "" && s.Type.V != "integer" && s.Type.V != "number" &&
		slices.Contains(knownFormats(""), s.Format.V):
		return []string{s.Type.V, "array"} // the API server's validator accepts any array, whatever the type
	}
	return []string{s.Type.V}
}

// isTypeKnown reports whether the schema of a place says which types its values have.
func isTypeKnown(p *schema.Place) bool { return len(typesAt(p)) < len(valueTypes) }

// constrains reports whether a keyword of a schema can reject values of a type.
func constrains(k *schema.Keyword, s *schema.Schema, jsonType string) bool {
	switch k.Name {
	case "type":
		return s.Type.V != jsonType && !(s.Type.V == "number" && jsonType == "integer")
	case "format":
		if s.Type.V != "" {
			return slices.Contains(knownFormats(jsonType), s.Format.V)
		}
		// Without a type, the API server's validator rejects all values of a format but strings and arrays
		// (k8s.io/kube-openapi/pkg/validation/validate/type.go).
		return jsonType != "array" && slices.Contains(knownFormats(""), s.Format.V)
	}
	isNumber := k.Of == "number" && jsonType == "integer"
	return (k.Validates || k.Of != "") && (k.Of == "" || k.Of == jsonType || isNumber)
}

// checkKeywordTypes leaves formats to their own check.
func checkKeywordTypes(p *session.Pass) {
	if !isTypeKnown(p.Place) {
		return
	}
	types := typesAt(p.Place)
	for _, k := range schema.Keywords() {
		acts := func(jsonType string) bool { return constrains(&k, p.Schema, jsonType) }
		if k.Of == "" || !k.IsSet(p.Schema) || slices.ContainsFunc(types, acts) ||
			k.HoldsSchemas() && junctorOfRoot(p.Place) { // the API server rejects those
			continue
		}
		typ := typePhrase(types[0])
		if types[0] == "integer" && len(types) > 1 {
			typ = "an integer or a string"
		}
		p.Reportf(p.At(k.At(p.Schema)), p.Key(k.Name), "%s has no effect here: it applies to %ss, and %s is %s",
			k.Name, k.Of, what(p.Place), typ).Help("remove it, or change the type").Do(diag.Remove, "")
	}
}

// acceptsAll reports whether a schema certainly accepts all values of a type.
func acceptsAll(p *schema.Place, jsonType string) bool {
	if len(p.Schema.Other) > 0 {
		return false
	}
	accepts := func(step schema.Step) (all bool, some int) {
		all = true
		for _, child := range p.Children() {
			if child.Step != step {
				continue
			}
			types := []string{jsonType}
			if step < schema.InAllOf {
				types = typesAt(child)
			}
			if slices.ContainsFunc(types, func(t string) bool { return !acceptsAll(child, t) }) {
				all = false
			} else {
				some++
			}
		}
		return all, some
	}
	for _, k := range schema.Keywords() {
		if !k.IsSet(p.Schema) || !constrains(&k, p.Schema, jsonType) && k.Name != "type" {
			continue
		}
		ok := false
		switch k.Name {
		case "type":
			ok = !constrains(&k, p.Schema, jsonType)
		case "properties":
			ok, _ = accepts(schema.InProperty)
		case "items":
			ok, _ = accepts(schema.InItems)
		case "allOf":
			ok, _ = accepts(schema.InAllOf)
		case "anyOf":
			_, some := accepts(schema.InAnyOf)
			ok = some > 0
		}
		if !ok {
			return false
		}
	}
	return true
}

// checkAlternatives looks for alternatives that accept all values of the types that another one constrains.
func checkAlternatives(p *session.Pass) {
	if len(p.Schema.AnyOf)+len(p.Schema.OneOf) == 0 || !isTypeKnown(p.Place) {
		return
	}
	for _, step := range []schema.Step{schema.InAnyOf, schema.InOneOf} {
		var alternatives []*schema.Place
		for _, child := range p.Children() {
			if child.Step == step {
				alternatives = append(alternatives, child)
			}
		}
		all := accepting{alternatives: alternatives}
		for _, a := range alternatives {
			checkAlternative(p, a, &all)
		}
	}
}

// accepting finds the alternatives that accept all values of a type. It remembers the first two: one of them differs
// from each alternative.
type accepting struct {
	alternatives []*schema.Place
	first        map[string][]*schema.Place
}

// other returns the first alternative but one that accepts all values of a type, or nil.
func (all *accepting) other(a *schema.Place, jsonType string) *schema.Place {
	first, ok := all.first[jsonType]
	if !ok {
		for _, b := range all.alternatives {
			if len(first) < 2 && acceptsAll(b, jsonType) {
				first = append(first, b)
			}
		}
		if all.first == nil {
			all.first = map[string][]*schema.Place{}
		}
		all.first[jsonType] = first
	}
	for _, b := range first {
		if b != a {
			return b
		}
	}
	return nil
}

// checkAlternative reports the first keyword of an alternative whose types other alternatives accept as a whole.
func checkAlternative(p *session.Pass, a *schema.Place, all *accepting) {
	for _, k := range schema.Keywords() {
		if !k.Validates || !k.IsSet(a.Schema) {
			continue
		}
		var open *schema.Place
		var types []string
		isMoot := true
		for _, t := range typesAt(a) {
			if !constrains(&k, a.Schema, t) {
				continue
			}
			types = append(types, t)
			if open = all.other(a, t); open == nil {
				isMoot = false
				break
			}
		}
		if !isMoot || open == nil {
			continue
		}
		kinds := strings.Join(types, " and every ")
		other := strings.TrimPrefix(open.OwnPath(), ".")
		path := p.Key("") + a.OwnPath() + "." + k.Name
		at := p.At(k.At(a.Schema), a.At())
		if a.Step == schema.InAnyOf {
			p.Reportf(at, path, "%s has no effect here: %s accepts every %s", k.Name, other, kinds).
				See(open.Schema.At, "%s is set here", other).
				Help("put keywords for different types into one alternative, or outside of anyOf").
				Changes(diag.AcceptsOther, "anyOf has an effect")
		} else {
			p.Reportf(at, path, "%s accepts every %s, so oneOf rejects those that satisfy %s", other, kinds,
				strings.TrimPrefix(a.OwnPath(), ".")).
				See(open.Schema.At, "%s is set here", other).
				Help("put keywords for different types into one alternative, or outside of oneOf").
				Changes(diag.AcceptsOther, "oneOf has another effect")
		}
		return
	}
}

// A union is what the schema of an integer or a string says about each of the two, in allOf too.
type union struct {
	// patterns are those of strings, but for the one of all quantities.
	patterns []schema.Text
	// ofNumbers are the bounds that the author set; those of Go's int32 are in most schemas.
	ofNumbers []*limit
	// isQuantity is set for the values that resource.ParseQuantity reads, isKnown if there is nothing else.
	isQuantity, isKnown bool
}

func unionOf(s *schema.Schema) union {
	u := union{isQuantity: s.Origin == schema.Quantity, isKnown: s.Type.V == ""}
	u.add(s)
	return u
}

func (u *union) add(s *schema.Schema) {
	isAny := func(a *schema.Schema) bool { return a.Type.V == "" || len(keywords(a)) > 1 }
	if len(s.Rules) > 0 || len(s.Enum) > 0 || len(s.OneOf) > 0 || s.Not != nil || slices.ContainsFunc(s.AnyOf, isAny) {
		u.isKnown = false
	}
	switch s.Pattern.V {
	case "":
	case schema.QuantityPattern:
		u.isQuantity = true
	default:
		u.patterns = append(u.patterns, s.Pattern)
	}
	for _, l := range limitsOfNumbers(s) {
		if !slices.Contains([]string{"2147483647", "-2147483648"}, l.text) {
			u.ofNumbers = append(u.ofNumbers, l)
		}
	}
	for _, nested := range s.AllOf {
		u.add(nested)
	}
}

// isSized reports whether a schema bounds strings in another way than by a pattern.
func isSized(s *schema.Schema) bool {
	return s.MaxLength != nil || s.MinLength != nil || slices.ContainsFunc(s.AllOf, isSized)
}

// checkHalves reports patterns whose author thinks of integers, and bounds of numbers, that leave the other of the two
// types open.
func checkHalves(p *session.Pass) {
	if p.Nested || !p.Schema.IntOrString.True() {
		return
	}
	u := unionOf(p.Schema)
	switch {
	case !u.isKnown || isInRules(p.Place):
	case len(u.patterns) > 0 && len(u.ofNumbers) == 0:
		reportOpenIntegers(p, &u)
	case len(u.patterns) == 0 && len(u.ofNumbers) > 0 && !isSized(p.Schema) && p.Schema.Origin != schema.Quantity:
		l := u.ofNumbers[0]
		beyond := new(big.Int).Add(floor(l.value), big.NewInt(1))
		if l.keyword == "minimum" {
			beyond = new(big.Int).Sub(floor(l.value), big.NewInt(1))
		}
		p.Reportf(p.At(l.at), p.Key(""), "%s applies to integers: the API server accepts strings such as %q",
			l.keyword, beyond.String()).Help("constrain strings too, with a pattern or a rule").
			Changes(diag.AcceptsLess, "only some strings")
	}
}

// isInRules reports whether rules above a place may read it: they have its name.
func isInRules(p *schema.Place) bool {
	name := ""
	for ; p.Above != nil; p = p.Above {
		if p.Step == schema.InProperty && name == "" {
			name = p.Name
		}
		for _, r := range p.Above.Schema.Rules {
			if name == "" || strings.Contains(r.Rule.V, name) {
				return true
			}
		}
	}
	return false
}

// reportOpenIntegers reports patterns that reject an integer in a string, if they accept another one, or if the value
// is a quantity, for which the two are the same. Patterns that accept no integer may be those of percentages alone.
func reportOpenIntegers(p *session.Pass, u *union) {
	accepted, rejected := u.integers()
	if len(rejected) == 0 || len(accepted) == 0 && !u.isQuantity {
		return
	}
	pattern := u.patterns[0]
	f := p.Reportf(p.At(pattern.At), p.Key(""), "the pattern applies to strings: the API server accepts the integer %d",
		rejected[0]).Help("constrain integers too, with a rule").Changes(diag.AcceptsLess, "only some integers")
	isAbove := func(n int64) bool { return n > accepted[0] }
	if len(accepted) == 0 || slices.ContainsFunc(rejected, isAbove) {
		return
	}
	least := strconv.FormatInt(accepted[0], 10)
	// Not every generator takes a minimum beside x-kubernetes-int-or-string, but all take rules.
	rule := fmt.Sprintf("+kubebuilder:validation:XValidation:rule=%q", "type(self) != int || self >= "+least)
	add := p.Write().Choose(rule, p.Write().Set("minimum", least))
	f.Help("add %s%s", add, p.Write().Choose(" to the field", "")).Do(diag.Add, add).
		Changes(diag.AcceptsLess, "only integers from %s on", least)
	if rejected[len(rejected)-1] <= 0 { // which what reads the object rejects, too
		f.Hurting(diag.Unlikely)
	}
}

// integers returns some integers in ascending order: those whose text matches all patterns, and the others.
func (u *union) integers() (accepted, rejected []int64) {
	var patterns []*regexp.Regexp
	for _, p := range u.patterns {
		compiled, err := regexp.Compile(p.V)
		if err != nil {
			return nil, nil // which another check reports
		}
		patterns = append(patterns, compiled)
	}
	some := []int64{-1}
	for n := range int64(201) {
		some = append(some, n)
	}
	for _, n := range append(some, 999, 1000, 1001, 65535, 65536, 1_000_000, 1_000_001) {
		text := strconv.FormatInt(n, 10)
		if slices.ContainsFunc(patterns, func(re *regexp.Regexp) bool { return !re.MatchString(text) }) {
			rejected = append(rejected, n)
		} else {
			accepted = append(accepted, n)
		}
	}
	return accepted, rejected
}
