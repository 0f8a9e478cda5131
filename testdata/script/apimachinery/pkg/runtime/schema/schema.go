// Package schema replaces the package of the same path in scripts.
package schema

// GroupVersion names a group and a version.
type GroupVersion struct{ Group, Version string }
