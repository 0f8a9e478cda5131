// Package webhook connects the functions that crdproof generates (crdproof helpers) with webhooks of
// controller-runtime.
//
// Validator and Defaulter adapt the functions for Go types. Validating and Defaulting are HTTP handlers for all kinds
// of a package. They work on the bytes of requests, so their answers are exact: decoding into a Go type changes an
// object, since a field with omitempty loses a zero that a client has written.
package webhook
