// Package object writes the helpers for objects as JSON. Kinds enter, a Writer with their code leaves, to which typed
// code adds its own.
//
// Each part of a helper has its own file: prune, defaults, values, scale, rules. A pass writes one function for each
// schema whose values it has to visit. Identical functions are written once. Only access.go knows how a value is
// represented (an object is a map[string]any), only the files cel*.go know CEL, and only the passes know schemas.
//
// Small regular expressions become automata (automaton.go). What the generated program looks up in a schema at run
// time is a table (types.go), or data for types of other modules (typedata.go).
//
// What generated code uses is the runtime, internal/support. How it is named is in runtime.go; carry.go copies it.
package object
