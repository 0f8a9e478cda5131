// Package suitetest runs suites of test cases for CRDs in go test.
//
// It has no dependencies: it starts crdproof, a program that the module pins, and reports each case as a subtest. So
// the libraries of Kubernetes that the module requires stay as they are. docs/testing.md of crdproof describes suites.
//
// The files: run.go runs the program and reports what it prints, tool.go finds the program, inputs.go tells the cache
// of go test what the result depends on.
package suitetest
