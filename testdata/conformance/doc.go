// Conformance holds crdproof's verdict on CRDs against that of the real API server, which runs in this process, on a
// real etcd.
//
// Every CRD that crdproof writes for the modules of parity is judged by both, and then created. After that both judge
// mutations of those CRDs: seeded changes of types, bounds, defaults, lists, junctors, rules, names, versions and all
// else that a server has an opinion of. They have to agree on accept or refuse in every one.
//
//	go run . [-seed number] [-mutations n] [-first n] [-run regexp] [-details n] [-words] [-operators]
//
// A mutation is made again by its seed and number, with the same -run: -seed 7 -first 42 -mutations 1. It has to be
// started in its own directory, testdata/conformance. The exit code is 1 where the verdicts differ.
//
// Its helpers, the Go that prunes, defaults and validates objects, are held against the API server as well: the program
// helpers makes objects from the schemas of those CRDs, right and wrong ones, and rules at random, and asks both.
//
// The mistakes that controller-gen lets pass and a server does not are cases in the folder faults. What markers mean is
// tried on objects, which stand as samples in the cases of testdata/generate.
package main
