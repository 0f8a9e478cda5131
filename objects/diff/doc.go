// Package diff decides what a change of a CRD breaks.
//
// The input is a CRD before and after the change. The output answers six questions: each with yes, which has been
// decided for all objects, with no and a witness, which is an object that the API server's code treats differently
// under both CRDs, or with unknown. The files:
//
//  1. comparison.go: the questions, the answers and the result
//  2. rejected.go asks whether API servers accept the CRDs, compare.go pairs their versions, definition.go compares
//     everything but their schemas
//  3. walk.go finds the gaps between two schemas, place by place, and walk_parts.go those of objects and lists:
//     solve.go decides about values, interval.go and number.go about numbers, text.go about texts, meta.go has what
//     every resource has, included.go compares junctors, and scale.go the numbers of replicas
//  4. rules.go compares rules: expression.go has their normal form, entail.go what follows from others, knowledge.go
//     and truth.go what is known of all objects
//  5. plan.go, junctor.go, aim.go and aim_compare.go make plans for objects that may show a gap, build.go makes values
//  6. search.go and witness.go write the objects to both CRDs with the code of the API server
//  7. findings.go, report.go and markdown.go write the result, suite.go its witnesses, silence.go silences changes
package diff
