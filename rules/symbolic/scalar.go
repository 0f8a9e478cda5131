package symbolic

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/kube"
)

// bounds returns the smallest and the largest value of a number. bounded is set if an expression demands the latter.
func (b *builder) bounds(name string, s *structural.Structural) (least, most int64, bounded bool) {
	least, most, bounded = b.alone(name, s)
	return b.ordered(name, least), most, bounded
}

// alone returns the same of a number that is not compared with others.
func (b *builder) alone(name string, s *structural.Structural) (least, most int64, bounded bool) {
	p := &place{name: name, schema: &structural.Structural{}}
	if s != nil {
		p.schema = s
	}
	scale, ok := b.m.scales[name]
	switch {
	case ok:
		least, most, bounded = b.within(scale)
	case strings.HasPrefix(name, sizeName("")):
		least, most = p.lengths()
		least = max(least, 0)
	default:
		least, most = p.numbers()
	}
	if least < -1000 {
		least = min(most, 5)
		for _, r := range b.m.remainders { // leave room above
			least = max(least-r.by, min(least, -1000))
		}
	}
	return least, most, bounded
}

// within returns the range of a number that the conditions of the example leave.
func (b *builder) within(s *scale) (least, most int64, bounded bool) {
	least, most = s.low, s.top
	for i, n := range s.steps {
		if !b.m.holds(s.reached[i], b.in) {
			return least, n - 1, true
		}
		least = n
	}
	return least, most, false
}

// constant returns the constant that a value equals: one that expressions name, or else one of its enum.
func (b *builder) constant(name string) (any, bool) {
	c, ok := b.m.chains[name]
	if !ok {
		return nil, false
	}
	for i, k := range c.constants {
		if b.m.holds(c.equal[i], b.in) {
			return k.Value(), true
		}
	}
	for _, e := range c.enum {
		if !slices.ContainsFunc(c.constants, func(k constant) bool { return k.key() == e }) {
			text, err := strconv.Unquote(e)
			return text, err == nil
		}
	}
	return nil, false
}

func (b *builder) text(name string, s *structural.Structural) string {
	if value, ok := b.constant(name); ok {
		return fmt.Sprint(value)
	}
	if v := s.ValueValidation; v != nil && len(v.Enum) > 0 {
		return fmt.Sprint(v.Enum[0].Object)
	}
	for _, c := range slices.Sorted(maps.Keys(b.in)) {
		other, ok := strings.CutSuffix(b.m.names[c], " == "+name)
		if ok && b.in[c] && b.m.places[other] != nil {
			return b.text(other, b.m.places[other].schema)
		}
	}
	if text, ok := b.candidate(name, s); ok {
		return text
	}
	if (&place{schema: s}).isDuration() && b.m.scales[name] != nil {
		low, most, _ := b.within(b.m.scales[name])
		return time.Duration(nearest(0, low, most)).String()
	}
	if words := b.wordsOf(name); len(words) > 0 {
		return words[b.unique(name)%len(words)]
	}
	least, most, bounded := b.bounds("size "+name, s)
	if words := b.words(name, s, least, most); len(words) > 0 {
		return words[b.unique(name)%len(words)]
	}
	length := limited(max(least, 1)) + b.unique(name)
	switch {
	case bounded:
		length = limited(most)
	case b.style.isLarge:
		length = limited(max(least, min(most, largeText)))
	}
	return strings.Repeat(cmp.Or(b.style.letters, "z"), length)[:length]
}

// nearest returns the number within bounds that is nearest to another one.
func nearest(n, low, most int64) int64 { return min(max(n, low), most) }

// multipleFrom returns the first number of a schema that is not below another one.
func multipleFrom(low int64, s *structural.Structural) int64 {
	if v := s.ValueValidation; v != nil && v.MultipleOf != nil && *v.MultipleOf >= 1 {
		return int64(math.Ceil(float64(low)/(*v.MultipleOf)) * (*v.MultipleOf))
	}
	return low
}

// congruent returns the first integer from one on, up to another one, with the remainders that an example demands. If
// no such integer is close to the first one, it returns that.
func (b *builder) congruent(name string, low, most int64, s *structural.Structural) int64 {
	var remainders []remainder
	period := int64(1)
	for _, r := range b.m.remainders {
		if r.name == name && r.by <= largestPeriod/period {
			remainders, period = append(remainders, r), period*r.by
		}
	}
	for n := low; n <= most && n < low+period && b.m.spend(1); n++ {
		isOther := func(r remainder) bool {
			rest, isTerm := r.term.(term)
			return isTerm && !b.isLike(rest, types.Int(n%r.by), map[string]ref.Val{})
		}
		if multipleFrom(n, s) == n && !slices.ContainsFunc(remainders, isOther) {
			return n
		}
	}
	return low
}

// largestPeriod limits the integers among which one with some remainders is looked for.
const largestPeriod = 1 << 12

// double returns a number within the bounds of a schema that is as the example demands.
func (b *builder) double(name string, s *structural.Structural) float64 {
	out := between(1.5+float64(b.unique(name)), s)
	scale := b.m.scales[name]
	if scale == nil {
		return out
	}
	least, most, _ := b.within(scale)
	low, top := doubleOf(least), doubleOf(most)
	for _, d := range []float64{out, math.Ceil(low), low + (top-low)/2} {
		if least <= orderOf(d) && orderOf(d) <= most {
			return d
		}
	}
	return low
}

// between returns a number within the bounds of a schema: the given one if it is.
func between(number float64, s *structural.Structural) float64 {
	v := s.ValueValidation
	if v == nil {
		return number
	}
	least, most := v.Minimum, v.Maximum
	switch isBelow, isAbove := least != nil && number <= *least, most != nil && number >= *most; {
	case len(v.Enum) > 0:
		if first, ok := v.Enum[0].Object.(float64); ok {
			return first
		}
	case (isBelow || isAbove) && least != nil && most != nil:
		return *least + (*most-*least)/2
	case isBelow:
		return *least + 1
	case isAbove:
		return *most - 1
	}
	return number
}

// words returns a few texts of a field: those that the functions accept that a rule asks for, if there are any; those
// of its pattern, or of a format that the API server validates. None are returned if all texts will do.
func (b *builder) words(name string, s *structural.Structural, least, most int64) []string {
	var patterns []string
	format := ""
	if v := s.ValueValidation; v != nil {
		format = v.Format
		for _, v := range append(v.AllOf, structural.NestedValueValidation{ValueValidation: *v}) {
			if v.Pattern != "" {
				patterns = append(patterns, v.Pattern)
			}
		}
	}
	match, avoid := b.asked(name)
	out := b.matching(name, append(match, patterns...), avoid, least, most)
	if len(out) == 0 && len(match)+len(avoid) > 0 {
		out = b.matching(name, patterns, nil, least, most)
	}
	if len(patterns)+len(out) > 0 {
		return out
	}
	known, _ := kube.FormatOf(format)
	return slices.DeleteFunc(append(b.acceptedTexts(name), known.Valid...), func(text string) bool {
		n := int64(utf8.RuneCountInString(text))
		return n < least || n > most
	})
}

// matching returns a few texts that match some patterns and not others; none without patterns to match.
func (b *builder) matching(name string, match, avoid []string, least, most int64) []string {
	if len(match) == 0 {
		return nil
	}
	q := regular.Query{MinLength: limited(least), MaxLength: limited(most)}
	if c, ok := b.m.chains[name]; ok {
		for _, k := range c.constants {
			q.Not = append(q.Not, fmt.Sprint(k.Value()))
		}
	}
	key := fmt.Sprintf("%q %q %v", match, avoid, q)
	if words, known := b.m.words[key]; known {
		return words
	}
	for _, list := range []struct {
		from []string
		to   *[]*regular.Pattern
	}{{match, &q.Match}, {avoid, &q.Avoid}} {
		for _, pattern := range list.from {
			p, err := regular.Compile(pattern, b.m.budget)
			if err != nil {
				return nil
			}
			*list.to = append(*list.to, p)
		}
	}
	b.m.words[key] = q.Words(wordsOfPattern, effort.SymbolicText.N(), b.m.budget)
	return b.m.words[key]
}

// asked returns the patterns that rules compare a text with: those that it matches, and those that it does not.
func (b *builder) asked(name string) (match, avoid []string) {
	for _, c := range slices.Sorted(maps.Keys(b.in)) {
		rest, ok := strings.CutPrefix(b.m.names[c], "true matches("+name+",")
		pattern, err := strconv.Unquote(strings.TrimSuffix(rest, ",)"))
		switch {
		case !ok || err != nil:
		case b.in[c]:
			match = append(match, pattern)
		default:
			avoid = append(avoid, pattern)
		}
	}
	return match, avoid
}

// acceptedTexts returns texts for which a function is true that a rule asks for.
func (b *builder) acceptedTexts(name string) []string {
	for _, c := range slices.Sorted(maps.Keys(b.in)) {
		function, ok := strings.CutSuffix(b.m.names[c], "("+name+",)")
		if texts := accepted(strings.TrimPrefix(function, "true ")); ok && b.in[c] && len(texts) > 0 {
			return texts
		}
	}
	return nil
}

// wordsOfPattern is the number of different texts of a pattern in an object.
const wordsOfPattern = 8
