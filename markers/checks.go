package markers

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// The mistakes that this package finds. Package lower, which gives markers a meaning, finds more mistakes of these
// checks.
var (
	UnknownMarker    = &diag.Check{ID: "marker-unknown", Mistake: true, Tolerated: true, MayWarn: true}
	WrongTarget      = &diag.Check{ID: "marker-target", Mistake: true, Tolerated: true, MayWarn: true}
	BadSyntax        = &diag.Check{ID: "marker-syntax", Mistake: true}
	BadArgument      = &diag.Check{ID: "marker-argument", Mistake: true}
	MissingArgument  = &diag.Check{ID: "marker-missing", Mistake: true}
	BadValue         = &diag.Check{ID: "marker-value", Mistake: true, MayWarn: true}
	BadPayload       = &diag.Check{ID: "marker-payload", Mistake: true}
	ForbiddenMarker  = &diag.Check{ID: "marker-refused", Mistake: true}
	RepeatedArgument = &diag.Check{ID: "marker-repeated-argument", Mistake: true, Tolerated: true}
	LooseValue       = &diag.Check{ID: "marker-loose", Mistake: true, Tolerated: true}
)

// Checks lists them.
func Checks() []*diag.Check {
	return []*diag.Check{
		UnknownMarker, WrongTarget, BadSyntax, BadArgument, MissingArgument, BadValue, BadPayload, ForbiddenMarker,
		RepeatedArgument, LooseValue,
	}
}

// Tolerated reports whether controller-gen accepts the mistakes of a check. For these Parse returns the value that
// controller-gen uses, so that a caller may turn the error into a warning.
func Tolerated(id string) bool {
	return slices.ContainsFunc(Checks(), func(c *diag.Check) bool { return c.ID == id && c.Tolerated })
}
