// Package typed writes the helpers for values of Go types: ValidateWidget, ValidateWidgetUpdate, PruneWidget and
// DefaultWidget. A Writer with the helpers for JSON and a kind with its Go type enter, the Writer gets their code.
//
// The first two call typed code, which only finds out whether an object is certainly valid: it reads the fields of the
// structs, and makes no JSON and no errors. Every other object is encoded and validated by the helpers for JSON, so
// that errors, their texts and their order have one home. So typed code may give up on anything, but must never take
// an invalid object for a valid one.
//
// A function of typed code has the form func(x *T) bool, or func(x, old *T) bool if rules below compare with the old
// value, which may be nil. It returns false for what is not certainly valid.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package typed
