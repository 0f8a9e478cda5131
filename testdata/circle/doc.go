// Circle compares Go's JSON with the schema that crdproof derives from the same Go type. It needs no expected results
// of crdproof's own.
//
// It generates random Go kinds, over all shapes that encoding/json supports. The API server's library must accept what
// encoding/json writes for their values under crdproof's schema, and store it whole. encoding/json must decode what
// the library accepts of random changes to those objects. A failure is excused only by a warning of crdproof that
// reports exactly this, at the same field, and each such warning must be true for some value. A kind may be rejected
// only if one of its shapes has no schema, and by the check for that.
//
//	go run . [-seed number] [-types n] [-first n] [-values n] [-mutations n] [-nil-elements=false] [-details n]
//
// To reproduce a failure, use its seed and the number in the kind's name: -seed 7 -first 42 -types 1. Run it in its
// own directory, testdata/circle. The exit code is 1 if the circle does not close.
package main
