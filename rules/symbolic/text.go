package symbolic

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
)

// Where matches, startsWith, endsWith and contains are true for a constant is a regular language, and so are the
// patterns, enums and lengths of schemas. Conditions about one text that no string satisfies together contradict each
// other.

// A text is what is known of a string: the conditions about it that are languages.
type text struct {
	what       thing
	conditions []textCondition
	// related is the number of conditions whose pairs have been looked at, decided are the combinations of answers that
	// have been.
	related int
	decided map[string]bool
	// accepted are the strings that the schema accepts, and more; nil before they are needed. words are constants.
	accepted *regular.Query
	words    map[string]*regular.Pattern
}

// A textCondition holds for the strings of a query: narrow adds to it that the condition has an answer.
type textCondition struct {
	name   string
	holds  formula
	narrow func(q *regular.Query, answer bool)
}

// textPattern returns the regular expression of the texts for which a function of a text and a constant is true.
func textPattern(function, constant string) (pattern string, ok bool) {
	switch literal := regexp.QuoteMeta(constant); function {
	case "matches":
		return constant, true
	case "startsWith":
		return "^" + literal, true
	case "endsWith":
		return literal + `\z`, true
	case "contains":
		return literal, true
	}
	return "", false
}

// textFunction evaluates one of these functions. It notes that the result is a language.
func (m *model) textFunction(e ast.Expr, name string, args []value, in *scope) value {
	if !m.decides || len(args) != 2 {
		return m.apply(e, name, args, in)
	}
	return m.each(args, func(t []thing) value {
		out := m.apply(e, name, []value{only(t[0]), only(t[1])}, in)
		c, isConstant := t[1].(constant)
		if !isConstant || c.Type() != types.StringType || len(out.alts) != 1 {
			return out
		}
		pattern, _ := textPattern(name, string(c.Val.(types.String)))
		if known, ok := t[0].(constant); ok && known.Type() == types.StringType {
			if re, err := regexp.Compile(pattern); err == nil {
				return only(truth(constantly(re.MatchString(string(known.Val.(types.String))))))
			}
			return out
		}
		m.noteLanguage(t[0], m.isTrue(out), pattern)
		return out
	})
}

// noteLanguage notes that a condition about a text holds for the strings of a pattern.
func (m *model) noteLanguage(t thing, holds formula, pattern string) {
	x := m.text(t)
	if x == nil || slices.ContainsFunc(x.conditions, func(c textCondition) bool { return c.holds == holds }) {
		return
	}
	if p, err := regular.Compile(pattern, m.budget); err == nil {
		x.conditions = append(x.conditions, textCondition{pattern, holds, func(q *regular.Query, answer bool) {
			if answer {
				q.Match = append(q.Match, p)
			} else {
				q.Avoid = append(q.Avoid, p)
			}
		}})
	}
}

// text returns what is known of a string, nil for other values.
func (m *model) text(t thing) *text {
	switch t := t.(type) {
	case *place:
		if t.schema.Type != "string" && !t.schema.XIntOrString {
			return nil
		}
	case term:
		if t.whole {
			return nil
		}
	default:
		return nil
	}
	if m.texts[t.key()] == nil {
		if m.texts == nil {
			m.texts = map[string]*text{}
		}
		m.texts[t.key()] = &text{what: t, decided: map[string]bool{}, words: map[string]*regular.Pattern{}}
	}
	return m.texts[t.key()]
}

// textConditions returns all conditions about a text: also the constants that it may equal, and its lengths.
func (m *model) textConditions(x *text) []textCondition {
	out := slices.Clone(x.conditions)
	if c := m.chains[x.what.key()]; c != nil {
		for i, k := range c.constants {
			word, ok := k.Val.(types.String)
			if !ok {
				continue
			}
			out = append(out, textCondition{k.key(), c.equal[i], func(q *regular.Query, answer bool) {
				if answer {
					if x.words[string(word)] == nil {
						x.words[string(word)] = regular.Enum([]string{string(word)}, m.budget)
					}
					q.Match = append(q.Match, x.words[string(word)])
				} else {
					q.Not = append(q.Not, string(word))
				}
			}})
		}
	}
	if s := m.scales[sizeName(x.what.key())]; s != nil {
		for i, n := range s.steps {
			if n > effort.SymbolicSize.Most {
				break
			}
			out = append(out, textCondition{fmt.Sprint("size ", n), s.reached[i], func(q *regular.Query, answer bool) {
				if answer {
					q.MinLength = max(q.MinLength, int(n))
				} else if q.MaxLength < 0 || int(n)-1 < q.MaxLength {
					q.MaxLength = int(n) - 1
				}
			}})
		}
	}
	return out
}

// textQuery returns the strings that the schema of a text accepts, and more.
func (m *model) textQuery(x *text) regular.Query {
	if x.accepted == nil {
		q := m.acceptedTexts(x)
		x.accepted = &q
	}
	out := *x.accepted
	out.Match = slices.Clip(out.Match)
	return out
}

func (m *model) acceptedTexts(x *text) regular.Query {
	q := regular.Query{MaxLength: -1}
	p, isPlace := x.what.(*place)
	if !isPlace || p.schema.ValueValidation == nil || p.schema.XIntOrString {
		return q
	}
	low, top := p.lengths()
	if q.MinLength = limited(low); top <= effort.SymbolicSize.Most {
		q.MaxLength = int(top)
	}
	v := p.schema.ValueValidation
	patterns := []string{v.Pattern}
	for _, nested := range v.AllOf {
		patterns = append(patterns, nested.Pattern)
	}
	for _, text := range patterns {
		if pattern, err := regular.Compile(text, m.budget); text != "" && err == nil {
			q.Match = append(q.Match, pattern)
		}
	}
	var words []string
	for _, e := range v.Enum {
		if word, ok := e.Object.(string); ok {
			words = append(words, word)
		}
	}
	if len(words) > 0 {
		q.Match = append(q.Match, regular.Enum(words, m.budget))
	}
	return q
}

// An answered condition is one with its answer in an example.
type answered struct {
	textCondition
	answer bool
}

// hasNoText reports whether certainly no string has all answers.
func (m *model) hasNoText(x *text, list []answered) bool {
	key := ""
	for _, a := range list {
		key += fmt.Sprintln(a.name, a.answer)
	}
	if known, ok := x.decided[key]; ok {
		return known
	}
	q := m.textQuery(x)
	for _, a := range list {
		a.narrow(&q, a.answer)
	}
	_, answer := regular.Find(q, effort.SymbolicText.N(), m.budget)
	x.decided[key] = answer == regular.None
	return x.decided[key]
}

// forbid assumes that answers are not given together, if the text exists.
func (m *model) forbid(x *text, list []answered) formula {
	together, at := always, (*place)(nil)
	for _, a := range list {
		if a.answer {
			together = m.and(together, a.holds)
		} else {
			together = m.and(together, m.not(a.holds))
		}
	}
	when := always
	if p, ok := x.what.(*place); ok {
		when, at = m.itself(p), p
	} else if value, isKey := strings.CutSuffix(x.what.key(), "@"); isKey { // of a map, as keyOf names them
		at = m.places[value]
	}
	out := m.implies(when, m.not(together))
	m.axioms = append(m.axioms, axiom{out, -1, at})
	return out
}

// relateTexts assumes what follows from single conditions about texts in an item, and from pairs of them: of other
// items, only conditions are known. All else is looked at if an example has it.
func (m *model) relateTexts(like string) {
	for _, key := range slices.Sorted(maps.Keys(m.texts)) {
		x := m.texts[key]
		list := m.textConditions(x)
		if !m.decides || !strings.HasPrefix(key, like) || int64(len(list)) > effort.SymbolicTexts.Most ||
			len(list) == x.related {
			continue
		}
		x.related = len(list)
		for i, c := range list {
			for _, answer := range []bool{true, false} {
				a := answered{c, answer}
				if m.hasNoText(x, []answered{a}) {
					m.forbid(x, []answered{a})
					continue
				}
				for _, d := range list[:i] {
					for _, other := range []bool{true, false} {
						if b := (answered{d, other}); m.hasNoText(x, []answered{a, b}) {
							m.forbid(x, []answered{a, b})
						}
					}
				}
			}
		}
	}
}

// contradictedText returns something that does not hold in an example since no string has all of its answers, always
// if there is nothing.
func (m *model) contradictedText(in example) formula {
	for _, key := range slices.Sorted(maps.Keys(m.texts)) {
		x := m.texts[key]
		if p, ok := x.what.(*place); ok && !m.holds(m.itself(p), in) {
			continue
		}
		var list []answered
		for _, c := range m.textConditions(x) {
			list = append(list, answered{c, m.holds(c.holds, in)})
		}
		if m.spend(1) && m.hasNoText(x, list) {
			return m.forbid(x, m.smallest(x, list))
		}
	}
	return always
}

// smallest returns answers that no string has, none of which can be left out.
func (m *model) smallest(x *text, list []answered) []answered {
	for i := 0; i < len(list); {
		if rest := slices.Concat(list[:i], list[i+1:]); m.hasNoText(x, rest) {
			list = rest
		} else {
			i++
		}
	}
	return list
}

// wordsOf returns a few strings for a text that an example tells something of; none if it tells nothing.
func (b *builder) wordsOf(name string) []string {
	x := b.m.texts[name]
	if x == nil || len(x.conditions) == 0 {
		return nil
	}
	q := b.m.textQuery(x)
	for _, c := range b.m.textConditions(x) {
		c.narrow(&q, b.m.holds(c.holds, b.in))
	}
	return q.Words(wordsOfPattern, effort.SymbolicText.N(), b.m.budget)
}

// sums returns the bounds of a sum, if both operands have some.
func (m *model) sums(name string, a, b thing) (low, top int64, ok bool) {
	bounds := func(t thing) (low, top int64) {
		if c, isConstant := t.(constant); isConstant {
			n, _ := c.Val.(types.Int)
			return int64(n), int64(n)
		}
		s := m.scale(t)
		return s.low, s.top
	}
	const most = 1 << 40
	x, y := [2]int64{}, [2]int64{}
	x[0], x[1] = bounds(a)
	y[0], y[1] = bounds(b)
	for _, n := range []int64{x[0], x[1], y[0], y[1]} {
		if n < -most || n > most {
			return 0, 0, false
		}
	}
	if name == operators.Subtract {
		return x[0] - y[1], x[1] - y[0], true
	}
	return x[0] + y[0], x[1] + y[1], true
}
