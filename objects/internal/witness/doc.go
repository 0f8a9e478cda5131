// Package witness looks for an object with given properties that the API server's code accepts.
//
// The input is a CRD at a version, and plans: lists of edits such as "the value at spec.ports[0] is 80" or "spec.host
// does not exist". The output is an object that has been written with the code of the API server, or none. A plan is a
// guess; what the server rejects is repaired as far as the errors tell how. A caller needs:
//
//   - Work: the budgets of a run, and the schemas by path
//   - Builder: small values of a schema. Solve decides about values that one schema accepts and another rejects, and
//     JunctorPlans and RulePlans make plans under which a value satisfies or violates junctors and rules
//   - Search: Find, which confirms objects; Write and Send, which write one
//
// That no object exists is decided by package symbolic.
//
// The files, bottom-up:
//
//  1. work.go: budgets and schemas; plan.go: paths, edits, plans; expression.go: rules, and what they read
//  2. solve.go decides about values, interval.go and number.go about numbers, text.go about texts; resource.go has what
//     every resource has
//  3. build.go makes values; junctor.go, aim.go and aim_compare.go make plans
//  4. search.go writes objects, find.go repairs them
package witness
