package object

import (
	"math/rand/v2"
	"testing"

	"github.com/dave/jennifer/jen"
)

// eval evaluates a condition whose simple parts are the names of variables, or their negations.
func eval(c Condition, variables map[string]bool) bool {
	if c.Joined == "" {
		text := c.Source()
		if text[0] == '!' {
			return !variables[text[1:]]
		}
		return variables[text]
	}
	for _, p := range c.Parts {
		if eval(p, variables) == (c.Joined == "||") {
			return c.Joined == "||"
		}
	}
	return c.Joined == "&&"
}

var variableNames = []string{"a", "b", "c", "d"}

// randomCondition is a condition on the variables.
func randomCondition(r *rand.Rand, depth int) Condition {
	join := []func(...Condition) Condition{AllOf, AnyOf}[r.IntN(2)]
	switch n := r.IntN(8); {
	case n == 0:
		return join()
	case n < 4 || depth == 0:
		is := Holds(jen.Id(variableNames[r.IntN(len(variableNames))]))
		if r.IntN(2) == 0 {
			return is.Opposite()
		}
		return is
	}
	var parts []Condition
	for range 1 + r.IntN(3) {
		parts = append(parts, randomCondition(r, depth-1))
	}
	return join(parts...)
}

// TestFactored compares conditions that are all to hold with the one that evaluates common alternatives once.
func TestFactored(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var all []Condition
		for range 1 + r.IntN(4) {
			all = append(all, randomCondition(r, 3))
		}
		want, got := AllOf(all...), Factored(all)
		for bits := range 1 << len(variableNames) {
			variables := map[string]bool{}
			for i, name := range variableNames {
				variables[name] = bits>>i&1 == 1
			}
			if eval(got, variables) != eval(want, variables) {
				t.Fatalf("%v: %s is not %s", variables, got.Source(), want.Source())
			}
		}
	}
	a, b, c := Holds(jen.Id("a")), Holds(jen.Id("b")), Holds(jen.Id("c"))
	if got := Factored([]Condition{AnyOf(a, b), c, AnyOf(a, c)}).Source(); got != "(a || b && c) && c" {
		t.Error(got)
	}
}

// TestGiven compares a condition where others hold with what is left of it.
func TestGiven(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		known, cond := randomCondition(r, 2), randomCondition(r, 3)
		want, got := AllOf(known, cond), AllOf(known, cond.Given(known.All()...))
		for bits := range 1 << len(variableNames) {
			variables := map[string]bool{}
			for i, name := range variableNames {
				variables[name] = bits>>i&1 == 1
			}
			if eval(got, variables) != eval(want, variables) {
				t.Fatalf("%v: %s is not %s", variables, got.Source(), want.Source())
			}
		}
	}
	a, b := Holds(jen.Id("a")), Holds(jen.Id("b"))
	if got := AllOf(a, b).Given(a).Source(); got != "b" {
		t.Error(got)
	}
}
