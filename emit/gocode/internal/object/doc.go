// Package object writes the helpers for objects as JSON. Kinds enter, a Writer with their code leaves, to which typed
// code adds its own.
//
// Schemas are data that the runtime reads (types.go, typedata.go), with the rest of each rule; the rules themselves are
// functions in a table. Only access.go knows how a value is represented (an object is a map[string]any), and only the
// files cel*.go know CEL.
//
// Small regular expressions become automata (automaton.go). Long lines are broken at the end (lines.go).
//
// What generated code uses is the runtime, internal/support. How it is named is in runtime.go; carry.go copies it.
package object
