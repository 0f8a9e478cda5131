// Package fakeclient makes controller-runtime's fake client answer as an API server does: it prunes, sets defaults and
// validates custom resources, and returns the server's errors, with their reasons and causes.
//
// The input is a builder of the fake client, and the rules of kinds: the functions that crdproof generates (WithKinds),
// or CRDs that are read at run time (package fakeclient/crds). The output is a client. Kinds without rules behave as
// before. For the others, a write follows the steps of an API server (request.go, write.go, patch.go, delete.go), on
// the JSON that was stored (store.go). The fake client then gets the result. It remains what lists, watches, indexes
// and counts resource versions.
package fakeclient
