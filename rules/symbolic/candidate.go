package symbolic

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdproof/crdproof/internal/effort"
)

// candidate returns the text for which functions return what an example demands, among a few that the schema permits
// and people write. ok is unset if no function reads the text, or if none of them fits.
func (b *builder) candidate(name string, s *structural.Structural) (text string, ok bool) {
	if !b.m.decides {
		return "", false
	}
	dependent := b.dependent(name)
	if len(dependent) == 0 {
		return "", false
	}
	least, most, _ := b.bounds("size "+name, s)
	for _, text := range append(b.candidates(name, dependent), b.words(name, s, least, most)...) {
		if !b.m.spend(1 + len(dependent)) {
			return "", false
		}
		if permits(s, text) && b.fits(name, text, dependent) {
			return text, true
		}
	}
	return "", false
}

// permits reports whether the schema of a text permits it, apart from its junctors.
func permits(s *structural.Structural, text string) bool {
	if s.ValueValidation == nil {
		return true
	}
	n := int64(utf8.RuneCountInString(text))
	whole := structural.NestedValueValidation{ValueValidation: *s.ValueValidation}
	parts := append([]structural.NestedValueValidation{whole}, s.ValueValidation.AllOf...)
	return !slices.ContainsFunc(parts, func(v structural.NestedValueValidation) bool {
		re, err := regexp.Compile(v.Pattern)
		return v.MinLength != nil && n < *v.MinLength || v.MaxLength != nil && n > *v.MaxLength ||
			err != nil || !re.MatchString(text) ||
			strfmt.Default.ContainsName(v.Format) && !strfmt.Default.Validates(v.Format, text)
	})
}

// dependent returns the applications whose arguments are a text, constants, and what other such applications return.
// Those that are languages are left out: others find texts for them.
func (b *builder) dependent(name string) (out []*application) {
	known := map[string]bool{name: true}
	for i := range b.m.applications {
		a := &b.m.applications[i]
		unknown := func(t thing) bool { return !isConstant(t) && !known[t.key()] }
		if slices.ContainsFunc(a.args, unknown) || !slices.ContainsFunc(a.args, isVariable) {
			continue
		}
		out = append(out, a)
		if what, ok := a.out.alts[0].what.(term); ok {
			known[what.name] = true
		}
	}
	isOther := func(a *application) bool {
		_, isLanguage := textPattern(a.function, "")
		return !isLanguage
	}
	if !slices.ContainsFunc(out, isOther) {
		return nil
	}
	return out
}

func isVariable(t thing) bool { return !isConstant(t) }

// fits reports whether all functions of a text return what the example demands.
func (b *builder) fits(name, text string, dependent []*application) bool {
	known := map[string]ref.Val{}
	if !b.isLike(term{name: name}, types.String(text), known) {
		return false
	}
	if x := b.m.texts[name]; x != nil {
		for _, c := range x.conditions {
			if re, err := regexp.Compile(c.name); err == nil && re.MatchString(text) != b.m.holds(c.holds, b.in) {
				return false
			}
		}
	}
	for _, a := range dependent {
		val, ok := b.m.callWith(a, known)
		if !ok {
			continue // it reads what has failed, or is not known
		}
		if types.IsError(val) != b.m.holds(b.m.failing(a.out), b.in) {
			return false
		}
		switch what := a.out.alts[0].what.(type) {
		case truth:
			if b.m.holds(formula(what), b.in) != (val == types.True) {
				return false
			}
		case term:
			if !types.IsError(val) && !b.isLike(what, val, known) {
				return false
			}
		case some, none:
			o, isOptional := val.(*types.Optional)
			if isOptional && b.m.holds(a.out.alts[0].when, b.in) != o.HasValue() {
				return false
			}
		}
	}
	return b.equalAlike(known)
}

// equalAlike reports whether those values are equal that an example says are.
func (b *builder) equalAlike(known map[string]ref.Val) bool {
	names := slices.Sorted(maps.Keys(known))
	for i, x := range names {
		for _, y := range names[:i] {
			name := pairName(term{name: x}, term{name: y})
			if b.m.isCondition(name) && b.holds(name) != (types.Equal(known[x], known[y]) == types.True) {
				return false
			}
		}
	}
	return true
}

// isLike reports whether a value is the one that an example demands of a thing, and notes that it is known.
func (b *builder) isLike(t term, val ref.Val, known map[string]ref.Val) bool {
	known[t.name] = val
	if c := b.m.chains[t.name]; c != nil {
		for i, k := range c.constants {
			if (types.Equal(val, k.Val) == types.True) != b.m.holds(c.equal[i], b.in) {
				return false
			}
		}
	}
	agrees := func(name string, n int64) bool {
		s := b.m.scales[name]
		for i := 0; s != nil && i < len(s.steps); i++ {
			if n >= s.steps[i] != b.m.holds(s.reached[i], b.in) {
				return false
			}
		}
		return true
	}
	if n, ok := wholeConstant(constant{val}); ok && !agrees(t.name, n) {
		return false
	}
	if sized, ok := val.(traits.Sizer); ok {
		if n, isInt := sized.Size().(types.Int); isInt && !agrees(sizeName(t.name), int64(n)) {
			return false
		}
	}
	return true
}

// candidates are the texts of the patterns of a field, the constants of the rule, and texts that the functions read.
func (b *builder) candidates(name string, dependent []*application) (out []string) {
	out = b.wordsOf(name)
	add := func(list ...string) {
		for _, text := range list {
			if int64(len(text)) <= effort.SymbolicSize.Most && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	addConstants := func(key string) {
		if c := b.m.chains[key]; c != nil {
			for _, k := range c.constants {
				if text, ok := k.Val.(types.String); ok {
					add(varied(string(text))...)
				}
			}
		}
	}
	addConstants(name)
	for _, a := range dependent {
		what, _ := a.out.alts[0].what.(term)
		addConstants(what.name)
		var bounds []int64
		if s := b.m.scales[what.name]; s != nil {
			low, top, _ := b.within(s)
			bounds = []int64{low, top}
		}
		for _, arg := range a.args {
			if c, ok := arg.(constant); ok {
				if text, ok := c.Val.(types.String); ok && a.function == "split" {
					add("a"+string(text)+"b", strings.Repeat("a"+string(text), 2)+"a")
				}
			}
		}
		add(samples(a.function, bounds)...)
	}
	add("", "a", "A", " a", "1")
	return out
}

// varied are a text, and texts that functions turn into it.
func varied(text string) []string {
	return []string{text, strings.ToUpper(text), strings.ToLower(text), " " + text, text + "a"}
}

// samples are texts that a function reads. The bounds are those of what it returns, if that is an integer.
func samples(function string, bounds []int64) (out []string) {
	switch function {
	case "isURL", "url":
		return []string{"https://example.com", "http://example.com", "ftp://example.com/a?b=c",
			"https://example.com:8080/"}
	case "isIP", "ip", "ip.isCanonical":
		return []string{"10.0.0.1", "2001:db8::1", "127.0.0.1", "::1"}
	case "isCIDR", "cidr":
		return []string{"10.0.0.0/8", "2001:db8::/32", "10.0.0.1/32", "10.0.0.1/8", "2001:db8::/64"}
	case "prefixLength":
		for _, n := range bounds {
			out = append(out, fmt.Sprintf("10.0.0.0/%d", n), fmt.Sprintf("2001:db8::/%d", n))
		}
	case "isQuantity", "quantity":
		return []string{"1Gi", "1", "0", "-1", "500m", "100Ti"}
	case "isSemver", "semver":
		return []string{"1.2.3", "0.1.0", "99.0.0"}
	case "timestamp":
		return []string{"2026-01-31T00:00:00Z", "1970-01-01T00:00:00Z", "9000-01-01T00:00:00Z"}
	case "duration":
		for _, n := range bounds {
			out = append(out, time.Duration(n).String())
		}
		return append(out, "1s", "0s", "24h")
	case "int", "uint", "double":
		for _, n := range bounds {
			out = append(out, fmt.Sprint(n))
		}
		return append(out, "0", "1", "100")
	case "validate":
		return []string{"a", "A_", "a.b", "-", "example.com"}
	case operators.Index:
		return []string{"a", ""}
	}
	return out
}
