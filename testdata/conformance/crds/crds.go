// Package crds holds small CRDs, one a file, which together have every keyword of a schema and every function of a
// rule.
package crds

import "embed"

// Files are the CRDs.
//
//go:embed *.yaml
var Files embed.FS
