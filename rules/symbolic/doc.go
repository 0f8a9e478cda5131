// Package symbolic evaluates CEL rules for all objects of a schema at once, and answers questions about them.
//
// A rule is evaluated once, by the laws of CEL, to formulas over conditions such as "spec.ttl is present" and
// "spec.mode is 'A'": when the rule is true, and when which part of it fails. The schema and other rules also become
// formulas: the schema accepts the object, and no other rule is false, because then the object is rejected anyway. What
// is asked is a formula, too. If it can hold together with all of these, the example is an object; otherwise no object
// exists. There are two uses:
//
//   - Evaluate returns the Evaluation of all rules of a schema, with the reads that may fail
//   - Of returns the Objects of a schema, about which Exists, Violates and Keeps answer. Yes and no are certain: an
//     object comes with the answer, which the API server's code has evaluated, or no object can exist. Otherwise the
//     answer is unknown.
//
// The formulas are exact for presence, for comparisons with constants and for sizes, with these limits, which the tests
// found by a comparison with the API server's own evaluator. One item of a list represents all items, and another one
// represents "some other" item; items with a literal index represent themselves. So what a macro states about pairs of
// items is not understood. Functions of strings and numbers may return any value, but always the same for the same
// arguments.
//
// The files, bottom-up:
//
//  1. formula.go: decision diagrams; place.go, value.go and number.go: what is known of parts of objects and of values
//  2. eval.go, read.go and macro.go evaluate expressions; schema.go evaluates schemas
//  3. order.go relates integers, linear.go what sums and products with constants are, compute.go what functions return
//     for constants
//  4. model.go collects what holds for all objects, and finds examples; object.go and scalar.go make objects of
//     them, with texts that candidate.go finds
//  5. failures.go has what may fail; errors.go finds values for which functions do, trial.go has these values, and
//     relate.go what is known of when a function fails
//  6. question.go asks, certain.go has what an answer may rely on, whole.go comparisons of objects and lists, and
//     server.go confirms objects
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package symbolic
