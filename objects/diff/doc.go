// Package diff decides what a change of a CRD breaks.
//
// The input is a CRD before and after the change. The output answers six questions: each with yes, which has been
// decided for all objects, with no and a witness, which is an object that the API server's code treats differently
// under both CRDs, or with unknown. Package witness finds the objects. The files:
//
//  1. comparison.go: the questions, the answers and the result
//  2. rejected.go asks whether API servers accept the CRDs, compare.go pairs their versions, definition.go compares
//     everything but their schemas
//  3. walk.go finds the gaps between two schemas, place by place, and walk_parts.go those of objects and lists: meta.go
//     has what every resource has, included.go compares junctors, rules.go rules, and scale.go the numbers of replicas;
//     implied.go asks package symbolic whether these follow, pairs.go about all pairs of items
//  4. witness.go answers the questions for one gap, update.go for updates of stored objects, and storage.go for the
//     versions in which objects are stored; minimal.go leaves out what a witness does not need
//  5. policy.go has severities, silence.go silences changes, groups.go joins equal ones; stale.go finds files
//     that lack what has changed in Go types
//  6. findings.go, text.go, report.go and markdown.go write the result, suite.go its witnesses
package diff
