// Parity runs controller-gen and crdproof on real API modules and compares what they write.
//
// Every case is run three times: by controller-gen, by crdproof with compat=controller-gen, whose bytes have to be the
// same, and by crdproof as it is, whose deviations are counted. The exit code is 1 where a file is missing, extra or
// different under compat, where crdproof reports an error or a warning that is not known to be right, and where it
// misses a mistake that is known to be there (harness.KnownMistakes).
//
//	go run . [-run regexp] [-keep dir] [-crdproof binary]
//
// It has to be started in its own directory, testdata/parity.
package main
