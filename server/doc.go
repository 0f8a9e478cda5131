// Package server runs a Kubernetes API server in this process: the code of Kubernetes' own extension server for
// CustomResourceDefinitions on an embedded etcd, with the built-in kinds that tests of operators commonly need.
//
// The input is CRDs: files, directories, revisions of the git repository, Go packages, or objects in memory. The output
// is a rest.Config and a kubeconfig. Start is for a test, New for TestMain and for programs; the command serve is in a
// directory of its own. It has neither controllers nor nodes, and pods do not run. The kinds are a table in kinds.go.
package server
