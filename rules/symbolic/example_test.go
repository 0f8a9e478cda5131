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

// A rule may take the place of another one if it has the same values, and rejects all objects for which the other one
// fails. The first rule fails for an item that has neither a key nor an operator.
func ExampleObjects_Compare() {
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
		c := all.Compare(&rules[0], &rules[1+i])
		show("equal where the first has a value:", c.Equal, c.Different)
		show("accepts where the first fails:", c.Accepts, c.Accepted)
		fmt.Println("may replace it:", c.Replaces())
	}
	// Output:
	// equal where the first has a value: yes
	// accepts where the first fails: no
	// may replace it: true
	// equal where the first has a value: yes
	// accepts where the first fails: yes
	//   for {"list":[{}]}
	// may replace it: false
}

// Rules that are not asked about may be assumed: here, that a mode is set.
func ExampleObjects_Implies() {
	structure, rules, err := compile(crd(`type: object
properties: {mode: {type: string, enum: [A, B]}, size: {type: integer}}`,
		"has(self.mode)", "self.mode != 'A'", "self.mode == 'B'", "has(self.size) && self.size > 3", "self.size >= 3"))
	if err != nil {
		panic(err)
	}
	with := symbolic.Of(context.Background(), structure, rules[:1])
	answer, object := with.Implies(&rules[1], &rules[2])
	show("not A implies B:", answer, object)
	answer, object = with.Implies(&rules[3], &rules[4])
	show("above 3 implies at least 3:", answer, object)
	answer, object = with.Implies(&rules[4], &rules[3])
	show("at least 3 implies above 3:", answer, object)
	answer, object = with.Together(&rules[1], &rules[3])
	show("not A and above 3 together:", answer, object)
	// Output:
	// not A implies B: yes
	// above 3 implies at least 3: yes
	// at least 3 implies above 3: no
	//   for {"mode":"A","size":3}
	// not A and above 3 together: yes
	//   for {"mode":"B","size":4}
}
