package gocode

import (
	"math/rand/v2"
	"testing"

	"github.com/dave/jennifer/jen"
)

// eval evaluates a condition whose simple parts are the names of variables, or their negations.
func eval(c condition, variables map[string]bool) bool {
	if c.joined == "" {
		text := c.source()
		if text[0] == '!' {
			return !variables[text[1:]]
		}
		return variables[text]
	}
	for _, p := range c.parts {
		if eval(p, variables) == (c.joined == "||") {
			return c.joined == "||"
		}
	}
	return c.joined == "&&"
}

var variableNames = []string{"a", "b", "c", "d"}

// randomCondition is a condition on the variables.
func randomCondition(r *rand.Rand, depth int) condition {
	join := []func(...condition) condition{allOf, anyOf}[r.IntN(2)]
	switch n := r.IntN(8); {
	case n == 0:
		return join()
	case n < 4 || depth == 0:
		is := holds(jen.Id(variableNames[r.IntN(len(variableNames))]))
		if r.IntN(2) == 0 {
			return is.opposite()
		}
		return is
	}
	var parts []condition
	for range 1 + r.IntN(3) {
		parts = append(parts, randomCondition(r, depth-1))
	}
	return join(parts...)
}

// TestFactored compares conditions that are all to hold with the one that evaluates common alternatives once.
func TestFactored(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var all []condition
		for range 1 + r.IntN(4) {
			all = append(all, randomCondition(r, 3))
		}
		want, got := allOf(all...), factored(all)
		for bits := range 1 << len(variableNames) {
			variables := map[string]bool{}
			for i, name := range variableNames {
				variables[name] = bits>>i&1 == 1
			}
			if eval(got, variables) != eval(want, variables) {
				t.Fatalf("%v: %s is not %s", variables, got.source(), want.source())
			}
		}
	}
	a, b, c := holds(jen.Id("a")), holds(jen.Id("b")), holds(jen.Id("c"))
	if got := factored([]condition{anyOf(a, b), c, anyOf(a, c)}).source(); got != "(a || b && c) && c" {
		t.Error(got)
	}
}
