package markers

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// The mistakes that this package finds. Package lower, which gives markers a meaning, finds more mistakes of these
// checks.
var (
	UnknownMarker = &diag.Check{
		ID: "marker-unknown", Mistake: true, Tolerated: true, MayWarn: true,
		Doc:    "The comment is close to a marker but no tool reads it, so it has no effect.",
		Hurts:  "Every user: what the marker should do is not done.",
		Unless: "the marker is meant for another tool",
	}
	WrongTarget = &diag.Check{
		ID: "marker-target", Mistake: true, Tolerated: true, MayWarn: true,
		Doc:    "The marker has no effect on this kind of declaration.",
		Hurts:  "Every user: what the marker should do is not done.",
		Unless: "the marker is meant for another tool",
	}
	BadSyntax = &diag.Check{
		ID: "marker-syntax", Mistake: true,
		Doc: "The arguments do not follow the grammar of markers.",
	}
	BadArgument = &diag.Check{
		ID: "marker-argument", Mistake: true,
		Doc: "The marker has no argument of this name, or two of its arguments exclude each other.",
	}
	MissingArgument = &diag.Check{
		ID: "marker-missing", Mistake: true,
		Doc: "A required argument of the marker is missing.",
	}
	BadValue = &diag.Check{
		ID: "marker-value", Mistake: true, MayWarn: true,
		Doc:    "The value does not have the argument's type.",
		Hurts:  "Every user: what the marker should do is not done.",
		Unless: "the effect is the one that you mean",
	}
	BadPayload = &diag.Check{
		ID: "marker-payload", Mistake: true,
		Doc: "A tag that applies another marker has no marker after its =, or an unknown one.",
	}
	ForbiddenMarker = &diag.Check{
		ID: "marker-refused", Mistake: true,
		Doc: "The marker is not allowed on this kind of declaration.",
	}
	RepeatedArgument = &diag.Check{
		ID: "marker-repeated-argument", Mistake: true, Tolerated: true,
		Doc:    "An argument, or a key of a map, is duplicated; the last one is used.",
		Hurts:  "Every user: only one of the values has an effect.",
		Unless: "the effect is the one that you mean",
	}
	LooseValue = &diag.Check{
		ID: "marker-loose", Mistake: true, Tolerated: true,
		Doc:    "The value is not what it looks like: part of it is ignored, or separators or quotes are part of it.",
		Hurts:  "Readers of the code, and other tools that read it differently.",
		Unless: "the marker must stay as it is for another tool",
	}
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
