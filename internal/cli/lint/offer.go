package lint

import (
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/fix"
)

// Offer returns the help of a finding whose edits another program may make: the one that --fix follows. It is not ok if
// the help has an effect on the API, or if an edit is in another file than the finding or in one that must not be
// edited: other programs do not validate the result, and may mistake the file. dir is the directory of the package.
func Offer(d *diag.Diagnostic, dir string) (diag.Help, bool) {
	help := fix.Preferred(d)
	if len(help.Edits) == 0 || help.HasEffect() {
		return diag.Help{}, false
	}
	path := d.Span.Source.Path
	isElsewhere := func(e diag.Edit) bool { return e.Span.Source != d.Span.Source }
	if filepath.Dir(path) != dir || slices.ContainsFunc(help.Edits, isElsewhere) || fix.Keeps(path) != "" {
		return diag.Help{}, false
	}
	return help, true
}
