// Package docs has the pages that `crdproof help` prints parts of.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package docs

import _ "embed"

// The references of checks and of markers, and the differences from controller-gen, in Markdown.
var (
	//go:embed checks.md
	Checks string
	//go:embed markers.md
	Markers string
	//go:embed deviations.md
	Deviations string
)
