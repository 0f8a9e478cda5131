package markers

import "strings"

// OpenShift's dialect of feature gates (github.com/openshift/controller-tools, pkg/crd/markers/patch_validation.go): a
// field or kind belongs to gates of which one is on, and three markers have forms that depend on gates.

const (
	openshiftEnable = "openshift:enable:FeatureGate"
	openshiftAware  = "openshift:validation:FeatureGateAware"
)

// openshiftMarkers returns the rows of the dialect.
func openshiftMarkers() []Definition {
	gates := func(name, doc string) Param {
		return Param{Name: name, Shape: listOf(String), Optional: true, Doc: doc}
	}
	row := func(short, example string, more ...Param) Definition {
		return Definition{
			Name: openshiftAware + short, Example: "+" + openshiftAware + short + ":featureGate=NodeSwap," + example,
			Targets: Type | Field, Category: catValidation, Own: true, Repeatable: true,
			Params: append([]Param{
				gates("featureGate", "One of these gates must be on; \"\" is always on."),
				gates("requiredFeatureGate", "Gates that must all be on."),
			}, more...),
			Doc: "Sets " + validationPrefix + short + " if feature gates are on.",
		}
	}
	return []Definition{
		{Name: openshiftEnable, Targets: Package | Type | Field, Category: catCRD, Own: true, Repeatable: true,
			Step: Gate, Effect: Shapes, Whole: true, Params: single(listOf(String)),
			Doc: "Puts a field or kind into the CRD if one of the feature gates is on."},
		row("Enum", "enum=Always;Never", Param{Name: "enum", Shape: listOf(String), Doc: "The allowed values."}),
		row("MaxItems", "maxItems=10",
			Param{Name: "maxItems", Shape: shapeOf(Int), Doc: "The maximum number of items."}),
		row("XValidation", `rule="self.min <= self.max"`,
			Param{Name: "rule", Shape: shapeOf(String), Doc: "The condition."},
			optional(String, "message", "The error message if the condition is false."),
			optional(String, "fieldPath", "The field that the error names.")),
	}
}

// ofGates returns a marker of the dialect as the one that it sets, behind its gates.
func (t *Table) ofGates(m Marker, target Target) Marker {
	short, isAware := strings.CutPrefix(m.Def.Name, openshiftAware)
	if !isAware {
		return m
	}
	step := Step{Kind: Gate, At: m.Name, Foreign: true}
	var args []Arg
	for _, a := range m.Args {
		switch a.Name {
		case "featureGate":
			a.Name = ""
			step.Args = append(step.Args, a)
		case "requiredFeatureGate":
			a.Name = "all"
			step.Args = append(step.Args, a)
		case "enum", "maxItems":
			a.Name = ""
			args = append(args, a)
		default:
			args = append(args, a)
		}
	}
	m.Def, m.Args, m.Steps = t.index[key{target, validationPrefix + short}], args, []Step{step}
	return m
}
