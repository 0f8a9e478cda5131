package main

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/difftest"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/symbolic"
)

// A mutation writes a rule as somebody does who is new to CEL.
type mutation struct {
	name, find, become string
}

// mutations are the mechanical ones. All places in a rule are changed, unless the pattern has an anchor.
var mutations = []mutation{
	{"and", `&&`, `and`},
	{"or", `\|\|`, `or`},
	{"not", `!has\(`, `not has(`},
	{"===", `([^=!<>])==([^=])`, `$1===$2`},
	{"=", `([^=!<>])==([^=])`, `$1=$2`},
	{"<>", `!=`, `<>`},
	{"!==", `!=`, `!==`},
	{"&", `&&`, `&`},
	{"|", `\|\|`, `|`},
	{"=<", `<=`, `=<`},
	{".length()", `\.size\(\)`, `.length()`},
	{".length", `\.size\(\)`, `.length`},
	{".size", `\.size\(\)`, `.size`},
	{"len()", `\bsize\(([^)])`, `len($1`},
	{"startswith", `\.startsWith\(`, `.startswith(`},
	{"hasSuffix", `\.endsWith\(`, `.hasSuffix(`},
	{"every", `\.all\(`, `.every(`},
	{"some", `\.exists\(`, `.some(`},
	{"any", `\.exists\(`, `.any(`},
	{"x =>", `\.(all|exists)\((\w+), *`, `.$1($2 => `},
	{"x ->", `\.(all|exists)\((\w+), *`, `.$1($2 -> `},
	{"this", `\bself\.`, `this.`},
	{"$.", `\bself\.`, `$$.`},
	{".x", `\bself\.`, `.`},
	{"x", `\bself\.(\w+)`, `$1`},
	{"object.spec", `\bself\.`, `object.spec.`},
	{"oldself", `\boldSelf\b`, `oldself`},
	{"in (…)", ` in \[([^\]]*)\]`, ` in ($1)`},
	{"no )", `\)$`, ``},
	{"extra )", `$`, `)`},
	{";", `$`, `;`},
	{"return", `^`, `return `},
	{"trailing &&", `$`, ` &&`},
	{"if then else", `^([^?:]*) \? ([^?:]*) : ([^?:]*)$`, `if $1 then $2 else $3`},
	{"if () {} else {}", `^([^?:]*) \? ([^?:]*) : ([^?:]*)$`, `if ($1) { $2 } else { $3 }`},
	{"no :", `^([^?:]*) \? ([^?:]*) : true$`, `$1 ? $2`},
	{"=>", `^!(has\([\w.]*\)) \|\| ([^|]*)$`, `$1 => $2`},
	{"!= nil", `([^!])has\((\w+\.[\w.]+)\)`, `$1$2 != nil`},
	{"== null", `!has\((\w+\.[\w.]+)\)`, `$1 == null`},
	{"has(x['y'])", `has\((\w+)\.(\w+)\)`, `has($1['$2'])`},
	{"x.exists()", `has\(([\w.]+)\)`, `$1.exists()`},
	{"defined()", `has\(([\w.]+)\)`, `defined($1)`},
	{"no quotes", `(== )'([A-Za-z]\w*)'`, `$1$2`},
	{"[].contains()", `([\w.]+) in (\[[^\]]*\])`, `$2.contains($1)`},
	{"'5'", `([<>=] )(\d+)\b`, `$1'$2'`},
	{"=~", `\.matches\(([^()]*)\)`, ` =~ $1`},
	{"/re/", `\.matches\(r?'([^'/\\()]*)'\)`, `.matches(/$1/)`},
	{"True", `\btrue\b`, `True`},
	{"not in", `!\(([\w.]+) in (\[[^\]]*\])\)`, `$1 not in $2`},
	{"x['y']", `\bself\.(\w+) ==`, `self['$1'] ==`},
	{"isEmpty()", `([\w.]+)\.size\(\) == 0`, `$1.isEmpty()`},
	{"unique()", `self\.all\((\w+), self\.exists_one\(\w+, \w+ == \w+\)\)`, `self.unique()`},
	{"‘’", `'(\w*)'`, `‘$1’`},
	{"no '", `'$`, ``},
}

// A score counts what becomes of mutated rules.
type score struct {
	rules, helped, same, unknown int
	wrong                        []string
}

func (s *score) String() string {
	return fmt.Sprintf("%4d rules, %4d with a rule in the help, %4d with the same meaning, %d unknown", s.rules, s.helped,
		s.same, s.unknown)
}

func (s *score) add(o score) {
	s.rules, s.helped, s.same, s.unknown = s.rules+o.rules, s.helped+o.helped, s.same+o.same, s.unknown+o.unknown
	s.wrong = append(s.wrong, o.wrong...)
}

// slips mutates rules, and compares those that crdproof suggests with the authors'.
type slips struct {
	*testing.T
	seen   map[string]bool
	scores map[string]*score
	random difftest.Rewrites
}

// allRules looks at all rules of the modules, which takes many minutes; otherwise some are enough.
var allRules = flag.Bool("all-rules", false, "look at all rules of the modules, not only at some of them")

// try mutates the rules of a CRD that were not seen before.
func (s *slips) try(crd crds.CRD) {
	original := session.New(crd.IR, nil, session.Options{})
	var fresh []string
	for _, v := range original.Versions {
		for _, r := range v.Rules() {
			if r.Checked != nil && !s.seen[r.Source.Rule.V] {
				s.seen[r.Source.Rule.V] = true
				fresh = append(fresh, r.Source.Rule.V)
			}
		}
	}
	if len(fresh) == 0 {
		return
	}
	if !*allRules {
		fresh = fresh[:min(len(fresh), 4)]
	}
	for _, m := range mutations {
		find := regexp.MustCompile(m.find)
		src := difftest.Edited(s, crd, func(rule string) string {
			changed := find.ReplaceAllString(strings.TrimSpace(rule), m.become)
			m := find.FindStringSubmatch(rule)
			if !slices.Contains(fresh, rule) || changed == rule || m != nil && !isWhole(m) {
				return "true"
			}
			return changed
		})
		for _, mutated := range difftest.Read(s, src) {
			s.scores[m.name].add(s.compare(crd, original, session.New(mutated.IR, nil, session.Options{})))
		}
	}
}

// isWhole reports whether the parts of a match have all of their brackets.
func isWhole(parts []string) bool {
	return !slices.ContainsFunc(parts[1:], func(part string) bool {
		return strings.Count(part, "(") != strings.Count(part, ")")
	})
}

// compare looks at the rules that are suggested for those that do not compile any more.
func (s *slips) compare(crd crds.CRD, original, mutated *session.Session) (out score) {
	known := map[string]bool{}
	for i, v := range mutated.Versions {
		if len(v.Faults()) == 0 {
			continue
		}
		helps := map[string]string{}
		for _, d := range v.Faults() {
			text, ok := strings.CutPrefix(d.HelpText, "change the rule to ")
			after, before, isPart := strings.Cut(strings.TrimPrefix(d.HelpText, "write "), " instead of ")
			i := slices.IndexFunc(v.Rules(), func(r expr.Rule) bool { return r.Path()+".rule" == d.Path })
			if !ok && isPart && i >= 0 {
				text, ok = strings.Replace(strings.TrimSpace(v.Rules()[i].Source.Rule.V), before, after, 1), true
			}
			if ok && helps[d.Path] == "" {
				helps[d.Path] = text
			}
		}
		rules := original.Versions[i].Rules()
		for j, r := range v.Rules() {
			text := rules[j].Source.Rule.V
			if r.Checked != nil || known[text] {
				continue
			}
			known[text] = true
			out.rules++
			help, ok := helps[r.Path()+".rule"]
			if !ok {
				out.wrong = append(out.wrong, "no help: "+r.Source.Rule.V)
				continue
			}
			out.helped++
			switch s.answer(crd, original.Versions[i], i, &rules[j], help) {
			case symbolic.Yes:
				out.same++
			case symbolic.No:
				out.wrong = append(out.wrong, fmt.Sprintf("%s\n\tinto %s\n\tinstead of %s", r.Source.Rule.V, help, text))
			default:
				out.unknown++
			}
		}
	}
	return out
}

// answer reports whether a text means what a rule does: it is the same, or for all objects, or for random ones.
func (s *slips) answer(crd crds.CRD, v *session.Version, index int, r *expr.Rule, text string) symbolic.Answer {
	other := *r
	if other.Checked = r.Instead(text); other.Checked == nil {
		return symbolic.No
	}
	x, errX := cel.AstToString(r.Checked)
	y, errY := cel.AstToString(other.Checked)
	if errX == nil && errY == nil && x == y {
		return symbolic.Yes
	}
	structure, err := v.Structure()
	if err != nil {
		s.Fatal(err)
	}
	const any = symbolic.True | symbolic.False | symbolic.Fails
	if answer, _ := symbolic.Of(s.Context(), structure, nil).Keeps(r, &other, any); answer != symbolic.Unknown {
		return answer
	}
	isWrong, known := false, s.random.Valued
	s.random.Pair(crd, index, r.Place, r.Index, text, true, func(before, after difftest.Outcome) string {
		isWrong = isWrong || before.Value() && before.Result != after.Result
		return ""
	})
	switch {
	case isWrong:
		return symbolic.No
	case s.random.Valued > known:
		return symbolic.Yes
	}
	return symbolic.Unknown
}

// testSlips mutates the valid rules of all modules as beginners write them, and looks at the suggested rules.
func testSlips(t *testing.T, files []*diag.Source) {
	s := slips{T: t, seen: map[string]bool{}, scores: map[string]*score{}, random: difftest.Rewrites{TB: t, Objects: 40}}
	for _, m := range mutations {
		s.scores[m.name] = &score{}
	}
	for _, src := range files {
		for _, crd := range difftest.Read(t, src) {
			s.try(crd)
		}
	}
	var all score
	for _, m := range mutations {
		n := s.scores[m.name]
		all.add(*n)
		t.Logf("%-18s %v", m.name, n)
		for _, wrong := range n.wrong[:min(len(n.wrong), 4)] {
			t.Logf("    %s", wrong)
		}
	}
	t.Logf("%-18s %v", "all", &all)
	if all.same*100 < all.rules*90 {
		t.Error("less than 90 % of the mutated rules are rewritten as they were")
	}
}
