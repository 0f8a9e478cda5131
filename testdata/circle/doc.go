// Circle holds Go's JSON against the schema that crdproof makes of the same Go type, without an oracle of crdproof's
// own.
//
// It generates Go kinds at random, over all shapes that encoding/json knows. What encoding/json writes of their values,
// the API server's library has to accept under crdproof's schema, and to store whole; and what it accepts of random
// changes to those objects, encoding/json has to read. A failure is excused only by a warning of crdproof that says
// just this, at the very field; and each such warning has to be true of some value. A kind may be refused only where
// one of its shapes has no schema, and by the rule that says so.
//
//	go run . [-seed number] [-types n] [-first n] [-values n] [-mutations n] [-nil-elements=false] [-details n]
//
// A failure is made again by its seed and the number in the kind's name: -seed 7 -first 42 -types 1. It has to be
// started in its own directory, testdata/circle. The exit code is 1 where the circle does not close.
package main
