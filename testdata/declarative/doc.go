// Declarative holds the CRDs that crdproof makes of Kubernetes' declarative validation tags against Kubernetes' own
// reading of these tags.
//
// validation-gen, of the pinned k8s.io/code-generator, writes Go validators for the kinds in types. Objects are made of
// these kinds at random and changed a little; what the validators say of creating them and of updating one to the other
// has to be what the API server's own strategy says under crdproof's CRD: the same objects are refused, and for the
// same fields. A difference is excused only by one of markers.Differences, which says why Kubernetes itself makes it.
//
//	go run . [-seed number] [-values n] [-kind name] [-details n]
//
// It has to be started in its own directory, testdata/declarative. The exit code is 1 where two verdicts differ without
// an excuse. The validators in types are written again by
//
//	go test ./program -run TestValidators -update
package main
