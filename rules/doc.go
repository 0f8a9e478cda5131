// Package rules proves CRDs: it holds the table of checks, runs them, and lets the API server's own code have the last
// word.
package rules
