// Conformance compares crdproof's verdict on CRDs with that of the real API server, which runs in this process, on a
// real etcd.
//
// Both validate every CRD that crdproof writes for the modules of parity, and the server then creates it. After that,
// both validate mutations of those CRDs: seeded changes of types, bounds, defaults, lists, junctors, rules, names,
// versions and everything else that a server checks. They must agree on every mutation.
//
//	go run . [-seed number] [-mutations n] [-first n] [-run regexp] [-details n] [-words] [-operators]
//
// To reproduce a mutation, use its seed and number, with the same -run: -seed 7 -first 42 -mutations 1. Run it in its
// own directory, testdata/conformance. The exit code is 1 if the verdicts differ.
//
// The program helpers compares the generated Go helpers, which prune, default and validate objects, with the API
// server as well. It generates valid and invalid objects from the schemas of those CRDs, and random rules.
//
// The directory faults has cases of mistakes that controller-gen accepts and a server rejects. The cases of
// testdata/generate have sample objects, which test what markers mean.
package main
