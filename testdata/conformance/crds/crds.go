// Package crds contains small CRDs, one in each file. Together they have every keyword of a schema and every function
// of a rule.
package crds

import "embed"

// Files are the CRDs.
//
//go:embed *.yaml
var Files embed.FS
