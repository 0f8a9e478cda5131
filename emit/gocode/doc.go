// Package gocode generates Go functions that prune, default and validate objects as the API server does. The input is
// the versions of kinds with their compiled rules. The output is the Go files of one package, written with jennifer.
//
// A helper consists of skips the object, each in its own file: prune, defaults, values, scale, rules. walk.go walks
// embedded resources and lists. A pass writes one function for each schema whose values it has to visit. Identical
// functions are written once. Only access.go knows how a value is represented (an object is a map[string]any), only
// the files cel*.go know CEL, and only the passes know schemas.
//
// Small regular expressions become automata (automaton.go). What the generated program looks up in a schema at run
// time is a table (types.go), or data for types of other modules (typedata.go).
//
// What generated code uses is copied from emit/support (carry.go).
package gocode
