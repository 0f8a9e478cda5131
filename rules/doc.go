// Package rules will hold Check: the ordered table of what is proved about a CRD before it is written, each entry with
// an id, a sentence of documentation and a function. What enters is a schema.CRD and the Kubernetes versions to prove
// it for; what leaves are diagnostics.
package rules
