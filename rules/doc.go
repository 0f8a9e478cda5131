// Package rules validates CRDs. It holds the table of checks and runs them. The verdict is that of the API server's
// own code.
package rules
