// Package gocode writes Go functions that prune, default and validate objects as the API server would. In go the
// versions of kinds, with their compiled rules; out come the Go files of one package, written with jennifer.
//
// A helper is made of passes over the object, each in a file of its own: prune, defaults, values, scale, rules; those
// over embedded resources and lists are in walk.go. A pass writes one function for each schema on whose values it has
// anything to do; functions that would be the same are written once. How a value is represented, an object as
// map[string]any, is known to access.go alone; what CEL means to the files cel*.go; what a schema means to the passes.
//
// Regular expressions become automata where these are small (automaton.go), and what is asked of a schema only when the
// program runs is a table (types.go).
//
// What generated code needs beside itself is copied from emit/support (carry.go).
package gocode
