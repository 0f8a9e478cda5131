package object

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
)

// A Language is the meaning of a condition on a text: that a pattern matches it. So several conditions on one text
// become one automaton, which reads the text once.
type Language struct {
	text    jen.Code
	pattern *regular.Pattern
	// avoids is set for the texts that the pattern does not match.
	avoids bool
	// says is the condition in words, denies its opposite.
	says, denies string
}

// textFunctions are functions of rules on a text and a constant. Each has what stands before and after the constant in
// the regular expression that says the same, and the words of a language.
var textFunctions = map[string]struct{ before, after, says, denies string }{
	"strings.Contains":  {"", "", "contains", "does not contain"},
	"strings.HasPrefix": {"^", "", "begins with", "does not begin with"},
	"strings.HasSuffix": {"", "$", "ends with", "does not end with"},
}

// language returns that of a call of a rule, without the text; nil for calls that no automaton can answer.
func (c *Compiler) language(call Call, operands []Value) *Language {
	if len(operands) != 2 {
		return nil
	}
	constant, ok := operands[1].Constant.(celtypes.String)
	if !ok {
		return nil
	}
	out := &Language{says: "matches", denies: "does not match"}
	expression := string(constant)
	if f, ok := textFunctions[call.function]; ok {
		if !utf8.ValidString(expression) || strings.ContainsRune(expression, utf8.RuneError) {
			return nil // automata read broken characters as U+FFFD
		}
		out.says, out.denies = f.says, f.denies
		expression = f.before + regexp.QuoteMeta(expression) + f.after
	} else if call.function != "Matches" {
		return nil
	}
	a := c.Writer.automatonOf(expression)
	if a == nil {
		return nil
	}
	out.pattern = a.pattern
	quoted := " " + strconv.Quote(string(constant))
	out.says, out.denies = out.says+quoted, out.denies+quoted
	return out
}

// Holds returns the condition that the language has a text.
func (l *Language) Holds(code, text jen.Code) Condition {
	out, on := Holds(code), *l
	on.text = text
	out.language = &on
	return out
}

// opposite returns the language of the texts that this one does not have.
func (l *Language) opposite() *Language {
	if l == nil {
		return nil
	}
	return &Language{text: l.text, pattern: l.pattern, avoids: !l.avoids, says: l.denies, denies: l.says}
}

// Merged returns the condition with one automaton for all parts that are about one text and joined by one operator.
func (w *Writer) Merged(c Condition) Condition {
	if c.Joined == "" {
		return c
	}
	type group struct {
		languages []*Language
		table     *regular.Table // of at least two
	}
	out := Condition{Joined: c.Joined}
	groups := map[int]*group{} // by the index of the first part
	byText := map[string]*group{}
	for _, p := range c.Parts {
		if p = w.Merged(p); p.language == nil {
			out.Parts = append(out.Parts, p)
			continue
		}
		text := Source(p.language.text)
		if g := byText[text]; g == nil {
			g = &group{languages: []*Language{p.language}}
			byText[text], groups[len(out.Parts)] = g, g
		} else {
			all := append(slices.Clip(g.languages), p.language)
			if table := joinedTable(c.Joined, all); table != nil {
				g.languages, g.table = all, table
				continue
			}
		}
		out.Parts = append(out.Parts, p)
	}
	for i := range out.Parts {
		if g := groups[i]; g != nil && g.table != nil {
			out.Parts[i] = w.tableCondition(g.table, c.Joined, g.languages)
		}
	}
	return join(out.Joined, out.Parts)
}

// tableCondition returns the condition that a table accepts the text of some languages.
func (w *Writer) tableCondition(table *regular.Table, operator string, languages []*Language) Condition {
	var says []string
	for _, l := range languages {
		says = append(says, l.says)
	}
	and := map[string]string{"&&": " and ", "||": " or "}[operator]
	name := w.variable("crdText", "accepts a text that "+strings.Join(says, and), matcherCode("", table))
	return Holds(jen.Id(name).Dot("Match").Call(languages[0].text))
}

// joinedTable returns the table of the texts that are in all of some languages, with &&, or in one of them, with ||. It
// returns nil if the table would be large.
func joinedTable(operator string, languages []*Language) *regular.Table {
	var patterns [2][]*regular.Pattern // to match and to avoid
	for _, l := range languages {
		i := 0
		if l.avoids != (operator == "||") { // a text is in one language if it is not outside of all
			i = 1
		}
		patterns[i] = append(patterns[i], l.pattern)
	}
	table := smallTable(patterns[0], patterns[1], effort.New(context.Background(), effort.HelperAutomaton))
	if table != nil && operator == "||" {
		return table.Not()
	}
	return table
}
