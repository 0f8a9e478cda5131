//go:build modules

package plugin

// A module of golangci-lint's requires a google.golang.org/genproto from before its packages moved to other modules.
// Together with those that Kubernetes requires, `go mod tidy` would find the packages twice, and `golangci-lint custom`
// would fail. This import, which is never built, requires a later one.
import _ "google.golang.org/genproto/protobuf/field_mask"
