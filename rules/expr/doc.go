// Package expr will compile the CEL rules of a schema, for each Kubernetes version (KEP-2876).
package expr
