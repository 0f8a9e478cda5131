package server

import (
	"context"
	"testing"

	"k8s.io/client-go/rest"
)

// Start starts a server for a test, which ends with the test, and returns the configuration of a client that may do
// everything. The arguments are those of Options.CRDs. If the server cannot start, the test fails.
func Start(t testing.TB, crds ...string) *rest.Config {
	t.Helper()
	// The context of the test ends before its cleanups, in which tests may still delete objects.
	s, err := New(context.WithoutCancel(t.Context()), Options{CRDs: crds})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s.Config()
}
