// Parity runs controller-gen and crdproof on real API modules and compares what they write.
//
// Every case is run three times: by controller-gen, by crdproof with compat=controller-gen, whose bytes must be
// identical, and by crdproof without options, whose deviations are counted. The exit code is 1 if a file is missing,
// extra or different under compat, if crdproof reports an error or a warning that is not known to be right, and if it
// does not report a known mistake (harness.KnownMistakes).
//
//	go run . [-run regexp] [-keep dir] [-crdproof binary] [-effects]
//
// Run it in its own directory, testdata/parity.
package main
