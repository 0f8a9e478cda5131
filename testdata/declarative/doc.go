// Declarative compares the CRDs that crdproof derives from Kubernetes' declarative validation tags with Kubernetes'
// own implementation of these tags.
//
// validation-gen, from the pinned k8s.io/code-generator, writes Go validators for the kinds in types. The program
// generates random objects of these kinds and changes them a little. What the validators report for the creation of an
// object, and for an update to another, must be what the API server's own strategy reports under crdproof's CRD: the
// same objects are rejected, because of the same fields. A difference is excused only by one of differences.txtar,
// which says why Kubernetes itself makes it.
//
// It does so twice: with the linked version, whose validators are in types, and with the next version of Kubernetes,
// which has not been released. The module in next requires the code of that version, and its Go version. The program
// builds another program of it, which answers for the validators of the same kinds, and of those in later, whose tags
// the linked version does not have.
//
//	go run . [-linked] [-next] [-seed number] [-values n] [-kind name] [-kinds n] [-details n]
//
// Run it in its own directory, testdata/declarative. The exit code is 1 if two verdicts differ without an excuse. To
// rewrite the validators in types, run
//
//	go test ./program -run TestValidators -update
package main
