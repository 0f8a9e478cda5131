// Package gocode generates Go functions that prune, default and validate objects as the API server does. The input is
// the versions of kinds with their compiled rules. The output is the Go files of one package, written with jennifer.
//
// The helpers for objects as JSON come first (internal/object). For a kind with a Go type, those for values of the
// type follow (typed), which call the former for what they cannot decide.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package gocode
