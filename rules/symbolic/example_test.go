package symbolic_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/crdproof/crdproof/rules/symbolic"
)

// show writes an answer with the spec of the object that shows it.
func show(question string, answer symbolic.Answer, object *symbolic.Object) {
	fmt.Println(question, answer)
	if object != nil {
		spec, _ := json.Marshal(object.Object["spec"])
		fmt.Println("  for", string(spec))
	}
}

// A rule may take the place of another one if it has the same values, and is false or fails for all objects for which
// the other one fails. The first rule fails for an item that has neither a key nor an operator.
func ExampleObjects_Keeps() {
	const schema = `type: object
required: [list]
properties:
  list: {type: array, items: {type: object, properties: {key: {type: string}, operator: {type: string}}}}`
	structure, rules, err := compile(crd(schema,
		"self.list.all(x, !has(x.key) ? x.operator == 'Exists' : true)",
		"self.list.all(x, !has(x.key) ? has(x.operator) && x.operator == 'Exists' : true)",
		"self.list.all(x, !has(x.key) ? !has(x.operator) || x.operator == 'Exists' : true)"))
	if err != nil {
		panic(err)
	}
	all := symbolic.Of(context.Background(), structure, nil)
	for i := range rules[1:] {
		answer, object := all.Keeps(&rules[0], &rules[1+i], symbolic.False|symbolic.Fails)
		show("may replace the first:", answer, object)
	}
	// Output:
	// may replace the first: yes
	// may replace the first: no
	//   for {"list":[{}]}
}

// Rules that are not asked about may be assumed: here, that a mode is set.
func ExampleObjects_Exists() {
	structure, rules, err := compile(crd(`type: object
properties: {mode: {type: string, enum: [A, B]}, size: {type: integer}}`,
		"has(self.mode)", "self.mode != 'A'", "self.mode == 'B'", "has(self.size) && self.size > 3", "self.size >= 3"))
	if err != nil {
		panic(err)
	}
	with := symbolic.Of(context.Background(), structure, rules[:1])
	isFalse := func(i int) symbolic.Claim {
		return symbolic.Claim{Rule: &rules[i], Outcomes: symbolic.False | symbolic.Fails}
	}
	isTrue := func(i int) symbolic.Claim { return symbolic.Claim{Rule: &rules[i], Outcomes: symbolic.True} }
	answer, object := with.Exists(isTrue(1), isFalse(2))
	show("not A, and not B:", answer, object)
	answer, object = with.Exists(isTrue(3), isFalse(4))
	show("above 3, and not at least 3:", answer, object)
	answer, object = with.Exists(isTrue(4), isFalse(3))
	show("at least 3, and not above 3:", answer, object)
	// Output:
	// not A, and not B: no
	// above 3, and not at least 3: no
	// at least 3, and not above 3: yes
	//   for {"mode":"A","size":3}
}
