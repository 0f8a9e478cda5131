package markers

import (
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
)

// The mistakes that this package finds. Who gives markers a meaning finds more of the same kinds, and names these
// rows too.
var (
	UnknownMarker = &diag.Check{
		ID: "marker-unknown", Mistake: true, Tolerated: true,
		Doc: "The name resembles a marker's but is none, so nothing reads it.",
		Bad: "// +kubebuilder:validation:Optinal", Good: "// +kubebuilder:validation:Optional",
	}
	WrongTarget = &diag.Check{
		ID: "marker-target", Mistake: true, Tolerated: true,
		Doc: "The marker stands on a kind of declaration where nothing reads it.",
		Bad: "// +nullable\ntype Port struct {", Good: "// +nullable\nPort *Port `json:\"port,omitempty\"`",
	}
	BadSyntax = &diag.Check{
		ID: "marker-syntax", Mistake: true,
		Doc: "The arguments do not follow the grammar of markers.",
		Bad: "// +kubebuilder:validation:Pattern=\"^[a-z]+$", Good: "// +kubebuilder:validation:Pattern=\"^[a-z]+$\"",
	}
	BadArgument = &diag.Check{
		ID: "marker-argument", Mistake: true,
		Doc: "The marker has no argument of this name, or not beside another one.",
		Bad: "// +kubebuilder:resource:shortNames=wd", Good: "// +kubebuilder:resource:shortName=wd",
	}
	MissingArgument = &diag.Check{
		ID: "marker-missing", Mistake: true,
		Doc:  "An argument that the marker cannot do without is missing.",
		Bad:  "// +kubebuilder:printcolumn:name=Phase,type=string",
		Good: "// +kubebuilder:printcolumn:name=Phase,type=string,JSONPath=`.status.phase`",
	}
	BadValue = &diag.Check{
		ID: "marker-value", Mistake: true,
		Doc: "The value is not of the argument's type.",
		Bad: "// +kubebuilder:validation:MaxLength=long", Good: "// +kubebuilder:validation:MaxLength=63",
	}
	BadPayload = &diag.Check{
		ID: "marker-payload", Mistake: true,
		Doc: "A tag that speaks of another marker has none behind its =, or one that nothing reads.",
		Bad: "// +k8s:eachVal=k8s:maxLength=63", Good: "// +k8s:eachVal=+k8s:maxLength=63",
	}
	RefusedMarker = &diag.Check{
		ID: "marker-refused", Mistake: true,
		Doc: "The marker may not stand on this kind of declaration.",
		Bad: "// +k8s:enum\nPolicy Policy `json:\"policy\"`", Good: "// +k8s:enum\ntype Policy string",
	}
	RepeatedArgument = &diag.Check{
		ID: "marker-repeated-argument", Mistake: true, Tolerated: true,
		Doc: "An argument, or a key of a map, is given twice; the last one wins.",
		Bad: "// +kubebuilder:resource:path=widgets,path=widget", Good: "// +kubebuilder:resource:path=widgets",
	}
	LooseValue = &diag.Check{
		ID: "marker-loose", Mistake: true, Tolerated: true,
		Doc: "The value is not what it looks like: part of it is ignored, or a separator became part of it.",
		Bad: "// +kubebuilder:validation:Enum=Always ;Never", Good: "// +kubebuilder:validation:Enum=Always;Never",
	}
)

// Checks lists them.
func Checks() []*diag.Check {
	return []*diag.Check{
		UnknownMarker, WrongTarget, BadSyntax, BadArgument, MissingArgument, BadValue, BadPayload, RefusedMarker,
		RepeatedArgument, LooseValue,
	}
}

// Tolerated reports whether controller-gen lets the mistakes of a check pass. For these Parse returns the value that
// controller-gen would use, so a caller may turn the error into a warning.
func Tolerated(id string) bool {
	return slices.ContainsFunc(Checks(), func(c *diag.Check) bool { return c.ID == id && c.Tolerated })
}
