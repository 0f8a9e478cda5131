package diff_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/kube"
)

// fields are those of the objects that the rules are about.
const fields = `properties:
  a: {type: integer}
  b: {type: integer}
  p: {type: integer, minimum: 0, maximum: 10}
  s: {type: string, maxLength: 30}
  t: {type: string, maxLength: 30}
  q: {type: string, pattern: '^[a-z]+$', maxLength: 30}
  e: {type: string, enum: [u, v, w]}
  ok: {type: boolean}
  l: {type: array, maxItems: 9, items: {type: string, maxLength: 20}}
  o: {type: array, maxItems: 9, items: {type: object, properties: {k: {type: integer}, m: {type: string, maxLength: 20}}}}
  m: {type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 20}}
  r: {type: object, required: [x], properties: {x: {type: integer}, z: {type: integer}}}
`

// A written change is one of rules as people write them, with the answers to Create and Stored.
type written struct{ old, new, create, stored string }

// writtenRules are changes of rules that are the same in other words, looser, or tighter. An empty rule is none.
var writtenRules = []written{
	// Numbers.
	{"!has(self.a) || self.a < 5", "!has(self.a) || self.a < 6", "yes", "yes"},
	{"!has(self.a) || self.a < 5", "!has(self.a) || self.a <= 4", "yes", "yes"},
	{"!has(self.a) || self.a <= 4", "!has(self.a) || self.a < 5", "yes", "yes"},
	{"!has(self.a) || self.a < 5", "!has(self.a) || 5 > self.a", "yes", "yes"},
	{"!has(self.a) || self.a > 0", "!has(self.a) || self.a >= 1", "yes", "yes"},
	{"!has(self.a) || self.a >= 1", "!has(self.a) || self.a != 0", "yes", "yes"},
	{"!has(self.a) || (self.a >= 1 && self.a <= 3)", "!has(self.a) || self.a in [1, 2, 3]", "yes", "yes"},
	{"!has(self.a) || self.a in [1, 2, 3]", "!has(self.a) || (self.a >= 1 && self.a <= 3)", "yes", "yes"},
	{"!has(self.a) || !(self.a > 3)", "!has(self.a) || self.a <= 3", "yes", "yes"},
	{"!has(self.a) || self.a < 6", "!has(self.a) || self.a < 5", "no", "no"},
	{"", "!has(self.p) || self.p >= 0", "yes", "yes"},
	{"", "!has(self.p) || self.p < 10", "no", "no"},
	{"!has(self.a) || !has(self.b) || self.a < self.b", "!has(self.a) || !has(self.b) || self.a <= self.b", "yes", "yes"},
	{"!has(self.a) || !has(self.b) || self.a < self.b", "!has(self.a) || !has(self.b) || self.b > self.a", "yes", "yes"},
	{"!has(self.a) || !has(self.b) || self.a <= self.b", "!has(self.a) || !has(self.b) || self.a < self.b", "no", "no"},
	// Logic and presence.
	{"!(has(self.a) && has(self.b))", "!has(self.a) || !has(self.b)", "yes", "yes"},
	{"!has(self.a) || has(self.b)", "has(self.a) ? has(self.b) : true", "yes", "yes"},
	{"has(self.a) ? has(self.b) : true", "!(has(self.a) && !has(self.b))", "yes", "yes"},
	{"has(self.a) != has(self.b)", "(has(self.a) && !has(self.b)) || (!has(self.a) && has(self.b))", "yes", "yes"},
	{"has(self.a) != has(self.b)", "has(self.a) || has(self.b)", "yes", "yes"},
	{"has(self.a) || has(self.b)", "has(self.a) != has(self.b)", "no", "no"},
	{"[has(self.a), has(self.b)].exists_one(x, x)", "has(self.a) != has(self.b)", "yes", "yes"},
	{"", "!has(self.r) || has(self.r.x)", "yes", "yes"},
	{"", "!has(self.r) || has(self.r.z)", "no", "no"},
	{"has(self.a) && self.a > 3", "self.?a.orValue(0) > 3", "yes", "yes"},
	{"!has(self.a) || self.a > 3", "self.?a.orValue(4) > 3", "yes", "yes"},
	{"!has(self.ok) || !self.ok || has(self.a)", "self.?ok.orValue(false) ? has(self.a) : true", "yes", "yes"},
	{"!has(self.ok) || self.ok == true", "!has(self.ok) || self.ok", "yes", "yes"},
	{"!has(self.e) || self.e != 'u' || has(self.a)", "!has(self.e) || self.e in ['v', 'w'] || has(self.a)", "yes", "yes"},
	// Texts.
	{"!has(self.s) || self.s in ['a', 'b']", "!has(self.s) || self.s == 'a' || self.s == 'b'", "yes", "yes"},
	{"!has(self.s) || self.s == 'a' || self.s == 'b'", "!has(self.s) || self.s in ['a', 'b', 'c']", "yes", "yes"},
	{"!has(self.s) || self.s.size() > 0", "!has(self.s) || self.s != ''", "yes", "yes"},
	{"!has(self.s) || self.s != ''", "!has(self.s) || self.s.size() > 0", "yes", "yes"},
	{"!has(self.s) || self.s.size() > 2", "!has(self.s) || size(self.s) >= 3", "yes", "yes"},
	{"!has(self.s) || self.s.matches('^[a-z]+$')", "!has(self.s) || self.s.matches('^[a-z0-9]+$')", "yes", "yes"},
	{"!has(self.s) || self.s.matches('^[a-z]+$')", "!has(self.s) || self.s != ''", "yes", "yes"},
	{"!has(self.s) || self.s.matches('^ab')", "!has(self.s) || self.s.startsWith('a')", "yes", "yes"},
	{"!has(self.s) || self.s.startsWith('abc')", "!has(self.s) || self.s.startsWith('ab')", "yes", "yes"},
	{"!has(self.s) || self.s.startsWith('abc')", "!has(self.s) || self.s.contains('b')", "yes", "yes"},
	{"!has(self.s) || self.s.endsWith('.io')", "!has(self.s) || self.s.matches('[.]io$')", "yes", "yes"},
	{"!has(self.s) || self.s in ['a', 'b']", "!has(self.s) || self.s.matches('^[ab]$')", "yes", "yes"},
	{"!has(self.s) || self.s.startsWith('ab')", "!has(self.s) || self.s.startsWith('abc')", "no", "no"},
	{"", "!has(self.q) || self.q != ''", "yes", "yes"},
	{"", "!has(self.q) || self.q.matches('^[a-z]')", "yes", "yes"},
	{"", "!has(self.q) || !self.q.contains('-')", "yes", "yes"},
	{"", "!has(self.s) || self.s.size() <= 30", "yes", "yes"},
	{"", "!has(self.e) || self.e in ['u', 'v', 'w']", "yes", "yes"},
	{"", "!has(self.s) || self.s.lowerAscii() == self.s", "no", "no"},
	{"", "!has(self.s) || !has(self.t) || self.s.size() + self.t.size() <= 40", "no", "no"},
	{"", "!has(self.s) || !has(self.t) || self.s.size() + self.t.size() <= 60", "yes", "yes"},
	// Lists and maps.
	{"!has(self.l) || self.l.all(x, x != 'a')", "!has(self.l) || !self.l.exists(x, x == 'a')", "yes", "yes"},
	{"!has(self.l) || !self.l.exists(x, x == 'a')", "!has(self.l) || self.l.all(x, x != 'a')", "yes", "yes"},
	{"!has(self.l) || !('a' in self.l)", "!has(self.l) || !self.l.exists(x, x == 'a')", "yes", "yes"},
	{"!has(self.l) || self.l.size() <= 3", "!has(self.l) || self.l.size() < 5", "yes", "yes"},
	{"!has(self.l) || self.l.all(x, x.size() > 2)", "!has(self.l) || self.l.all(x, x != '')", "yes", "yes"},
	{"!has(self.l) || self.l.all(x, x.startsWith('ab'))", "!has(self.l) || self.l.all(y, y.startsWith('a'))", "yes", "yes"},
	{"", "!has(self.l) || self.l.map(x, x.size()).sum() < 20", "no", "no"},
	{"!has(self.o) || self.o.all(x, has(x.k) && x.k > 3)", "!has(self.o) || self.o.all(x, has(x.k))", "yes", "yes"},
	{"!has(self.o) || self.o.all(x, has(x.k))", "!has(self.o) || self.o.filter(x, !has(x.k)).size() == 0", "yes", "yes"},
	{"!has(self.m) || 'k' in self.m", "!has(self.m) || self.m.size() > 0", "yes", "yes"},
	{"!has(self.m) || self.m.all(k, k.startsWith('a'))", "!has(self.m) || !('b' in self.m)", "yes", "yes"},
	// More of the same kinds.
	{"!has(self.a) || self.a % 2 == 0", "!has(self.a) || (self.a % 2 == 0 || self.a > 5)", "yes", "yes"},
	{"!has(self.a) || self.a >= 0 && self.a <= 100", "!has(self.a) || self.a * 1 >= 0 || self.a <= 100", "yes", "yes"},
	{"!has(self.a) || !has(self.b) || self.a + self.b <= 10", "!has(self.a) || !has(self.b) || self.b + self.a <= 10", "yes", "yes"},
	{"!has(self.a) || !has(self.b) || self.a - self.b > 0", "!has(self.a) || !has(self.b) || self.a > self.b", "yes", "yes"},
	{"!has(self.s) || self.s.matches('^[0-9]+$')", "!has(self.s) || int(self.s) >= 0 || true", "yes", "yes"},
	{"!has(self.s) || !has(self.t) || self.s == self.t", "!has(self.s) || !has(self.t) || self.t == self.s", "yes", "yes"},
	{"!has(self.s) || !has(self.t) || self.s == self.t", "!has(self.s) || !has(self.t) || self.s.size() == self.t.size()", "yes", "yes"},
	{"!has(self.s) || !has(self.t) || self.s != self.t", "!(has(self.s) && has(self.t) && self.s == self.t)", "yes", "yes"},
	{"has(self.s) && self.s == 'x'", "self.?s.orValue('') == 'x'", "yes", "yes"},
	{"self.?s.orValue('') != ''", "has(self.s) && self.s.size() > 0", "yes", "yes"},
	{"!has(self.s) || self.s.size() < 10", "!has(self.s) || self.s.size() <= 20", "yes", "yes"},
	{"!has(self.s) || self.s.size() <= 20", "!has(self.s) || self.s.size() < 10", "no", "no"},
	{"", "!has(self.s) || !self.s.contains('/')", "no", "no"},
	{"", "!has(self.s) || self.s.trim() == self.s", "no", "no"},
	{"", "!has(self.s) || self.s.split(',').size() < 3", "no", "no"},
	{"", "!has(self.s) || isURL(self.s)", "no", "no"},
	{"!has(self.s) || isIP(self.s)", "!has(self.s) || isIP(self.s) || self.s == 'any'", "yes", "yes"},
	{"!has(self.l) || self.l.exists(x, x == 'a')", "!has(self.l) || self.l.size() > 0", "yes", "yes"},
	{"!has(self.l) || 'a' in self.l", "!has(self.l) || self.l.exists(x, x.startsWith('a'))", "yes", "yes"},
	{"!has(self.l) || self.l.size() > 0", "!has(self.l) || self.l[0] != ''", "no", "no"},
	{"", "!has(self.l) || self.l.all(x, self.l.exists_one(y, x == y))", "no", "no"},
	{"!has(self.l) || self.l.all(x, x in ['a', 'b'])", "!has(self.l) || self.l.all(x, x == 'a' || x == 'b' || x == 'c')", "yes", "yes"},
	{"!has(self.o) || self.o.exists(x, has(x.k))", "!has(self.o) || !self.o.all(x, !has(x.k))", "yes", "yes"},
	{"!has(self.o) || self.o.all(x, !has(x.k) || x.k > 5)", "!has(self.o) || self.o.all(x, !has(x.k) || x.k > 3)", "yes", "yes"},
	{"!has(self.o) || self.o.all(x, !has(x.k) || x.k > 3)", "!has(self.o) || self.o.all(x, !has(x.k) || x.k > 5)", "no", "no"},
	{"", "!has(self.o) || self.o.map(x, x.?k.orValue(0)).sum() <= 100", "no", "no"},
	{"", "!has(self.m) || self.m.all(k, self.m[k] != '')", "no", "no"},
	{"!has(self.m) || self.m.all(k, self.m[k].size() > 1)", "!has(self.m) || self.m.all(k, self.m[k] != '')", "yes", "yes"},
	{"!has(self.m) || self.m.size() == 0", "!has(self.m) || !('a' in self.m)", "yes", "yes"},
	{"has(self.r) == has(self.o)", "has(self.r) ? has(self.o) : !has(self.o)", "yes", "yes"},
	{"[has(self.a), has(self.b), has(self.s)].filter(x, x).size() == 1", "[has(self.a), has(self.b), has(self.s)].exists_one(x, x)", "yes", "yes"},
	{"[has(self.a), has(self.b), has(self.s)].filter(x, x).size() == 1", "[has(self.a), has(self.b), has(self.s)].filter(x, x).size() <= 1", "yes", "yes"},
	{"[has(self.a), has(self.b), has(self.s)].filter(x, x).size() <= 1", "!(has(self.a) && has(self.b)) && !(has(self.b) && has(self.s)) && !(has(self.a) && has(self.s))", "yes", "yes"},
	{"(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1", "has(self.a) != has(self.b)", "yes", "yes"},
	{"has(self.e) && self.e == 'u' ? has(self.a) : !has(self.a)", "!has(self.e) || self.e != 'u' || has(self.a)", "yes", "yes"},
	// Updates.
	{"!has(self.r) || !has(oldSelf.r) || self.r == oldSelf.r", "!has(self.r) || !has(oldSelf.r) || self.r.x == oldSelf.r.x", "yes", "yes"},
	{"!has(oldSelf.l) || has(self.l) && self.l.size() >= oldSelf.l.size()", "!has(oldSelf.l) || has(self.l)", "yes", "yes"},
	{"", "!has(oldSelf.l) || !has(self.l) || self.l.size() <= oldSelf.l.size()", "yes", "no"},
	{"", "has(self.s) == has(oldSelf.s)", "yes", "no"},
	{"!has(self.a) || !has(oldSelf.a) || self.a == oldSelf.a", "!has(oldSelf.a) || !has(self.a) || self.a >= oldSelf.a", "yes", "yes"},
	{"!has(self.a) || !has(oldSelf.a) || self.a >= oldSelf.a", "!has(self.a) || !has(oldSelf.a) || self.a > oldSelf.a", "yes", "no"},
	{"!has(oldSelf.a) || has(self.a)", "!(has(oldSelf.a) && !has(self.a))", "yes", "yes"},
	{"!has(oldSelf.s) || has(self.s)", "!has(oldSelf.s) || (has(self.s) && self.s == oldSelf.s)", "yes", "no"},
	{"", "!has(oldSelf.m) || !has(self.m) || oldSelf.m.size() == 0 || self.m == oldSelf.m", "yes", "no"},
	{"", "!has(oldSelf.m) || !has(self.m) || self.m.size() >= oldSelf.m.size()", "yes", "no"},
	{"", "!has(oldSelf.m) || !has(self.m) || oldSelf.m.all(k, k in self.m)", "yes", "no"},
	{"", "!has(oldSelf.l) || !has(self.l) || oldSelf.l.all(x, x in self.l)", "yes", "no"},
}

// writtenJunctors are changes of junctors.
var writtenJunctors = []written{
	{"oneOf: [{required: [a]}, {required: [b]}]", "anyOf: [{required: [a]}, {required: [b]}]", "yes", "yes"},
	{"anyOf: [{required: [a]}, {required: [b]}]", "oneOf: [{required: [a]}, {required: [b]}]", "no", "no"},
	{"not: {anyOf: [{required: [a]}, {required: [b]}]}", "allOf: [{not: {required: [a]}}, {not: {required: [b]}}]", "yes", "yes"},
	{"allOf: [{not: {required: [a]}}, {not: {required: [b]}}]", "not: {anyOf: [{required: [a]}, {required: [b]}]}", "yes", "yes"},
	{"oneOf: [{required: [a], not: {required: [b]}}, {required: [b], not: {required: [a]}}]",
		"anyOf: [{required: [a]}, {required: [b]}]", "yes", "yes"},
	{"oneOf: [{required: [a]}, {required: [b]}]",
		"anyOf: [{required: [a], not: {required: [b]}}, {required: [b], not: {required: [a]}}]", "yes", "yes"},
	{"oneOf: [{required: [a]}, {required: [b]}]", "oneOf: [{required: [b]}, {required: [a]}]", "yes", "yes"},
	{"anyOf: [{required: [a]}]", "anyOf: [{required: [a]}, {required: [b]}]", "yes", "yes"},
	{"", "not: {properties: {e: {enum: [x]}}, required: [e]}", "yes", "yes"},
	{"", "anyOf: [{not: {required: [p]}}, {properties: {p: {minimum: 0}}}]", "yes", "yes"},
	{"anyOf: [{properties: {p: {maximum: 3}}}]", "anyOf: [{properties: {p: {maximum: 4}}}]", "yes", "yes"},
	{"allOf: [{properties: {s: {pattern: '^a'}}}, {properties: {s: {pattern: 'b$'}}}]",
		"anyOf: [{properties: {s: {pattern: '^a(.*)b$'}}}, {properties: {s: {pattern: '\\n'}}}]", "yes", "yes"},
	{"anyOf: [{properties: {s: {pattern: '^a'}}}, {properties: {s: {pattern: '^b'}}}]",
		"anyOf: [{properties: {s: {pattern: '^[ab]'}}}]", "yes", "yes"},
	{"anyOf: [{required: [a]}, {required: [b]}]", "anyOf: [{required: [a]}, {required: [b]}, {required: [s]}]", "yes", "yes"},
	{"anyOf: [{required: [a]}, {required: [b]}, {required: [s]}]", "anyOf: [{required: [a]}, {required: [b]}]", "no", "no"},
}

// TestWritten compares schemas with changes as people write them. All of them must be decided.
func TestWritten(t *testing.T) {
	t.Parallel()
	rules := func(fields string) func(string) string {
		return func(text string) string {
			if text == "" {
				return fields
			}
			return fields + fmt.Sprintf("x-kubernetes-validations: [{rule: %q}]\n", text)
		}
	}
	junctors := func(fields string) func(string) string {
		return func(text string) string { return fields + text + "\n" }
	}
	for _, set := range []struct {
		list []written
		of   func(string) string
	}{{writtenRules, rules(fields)}, {writtenJunctors, junctors(fields)}, {otherRules, rules(otherFields)},
		{otherJunctors, junctors(otherFields)}} {
		for _, change := range set.list {
			t.Run(strings.ReplaceAll(change.old+" to "+change.new, "/", "|"), func(t *testing.T) {
				t.Parallel()
				c, err := diff.Compare(context.Background(), crd(t, set.of(change.old)), crd(t, set.of(change.new)),
					kube.Range{})
				if err != nil {
					t.Fatal(err)
				}
				create, stored := c.Answer(diff.Create).String(), c.Answer(diff.Stored).String()
				if create != change.create || stored != change.stored {
					t.Errorf("create is %s, stored is %s; want %s, %s", create, stored, change.create, change.stored)
				}
			})
		}
	}
}
