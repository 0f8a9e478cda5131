package tools

import (
	"cmp"
	"fmt"
	"slices"

	toolmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/crdproof/crdproof/markers"
)

// examples show the markers of the generators rbac and webhook in messages.
func examples() map[string]string {
	return map[string]string{
		"kubebuilder:rbac": "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch",
		"kubebuilder:webhook": "+kubebuilder:webhook:path=/validate-example-com-v1-widget,mutating=false," +
			"failurePolicy=fail,sideEffects=None,groups=example.com,resources=widgets,verbs=create;update," +
			"versions=v1,name=widget.example.com,admissionReviewVersions=v1",
		"kubebuilder:webhookconfiguration": "+kubebuilder:webhookconfiguration:mutating=true,name=widgets",
	}
}

// table returns the markers that the generators rbac and webhook register. controller-tools decides what it accepts;
// the table serves to report mistakes at their places.
func table() (*markers.Table, error) {
	registry := &toolmarkers.Registry{}
	for _, g := range []string{"rbac", "webhook"} {
		if err := New(g).RegisterMarkers(registry); err != nil {
			return nil, err
		}
	}
	var defs []markers.Definition
	for _, def := range registry.AllDefinitions() {
		params, err := paramsOf(def)
		if err != nil {
			return nil, err
		}
		defs = append(defs, markers.Definition{
			Name: def.Name, Targets: markers.Package, Repeatable: true, Params: params, Example: examples()[def.Name],
		})
	}
	slices.SortFunc(defs, func(a, b markers.Definition) int { return cmp.Compare(a.Name, b.Name) })
	return markers.NewTable(defs), nil
}

// paramsOf returns the arguments of a marker in the order of the Go struct that they fill.
func paramsOf(def *toolmarkers.Definition) ([]markers.Param, error) {
	arguments := map[string]string{}
	for argument, field := range def.FieldNames {
		arguments[field] = argument
	}
	var out []markers.Param
	for i := range def.Output.NumField() {
		name := arguments[def.Output.Field(i).Name]
		argument, ok := def.Fields[name]
		if !ok {
			continue
		}
		shape, err := shapeOf(&argument)
		if err != nil {
			return nil, fmt.Errorf("argument %s of %s: %w", name, def.Name, err)
		}
		out = append(out, markers.Param{Name: name, Shape: shape, Optional: argument.Optional})
	}
	return out, nil
}

// shapeOf returns the type of an argument. A type that none of these markers has is an error.
func shapeOf(a *toolmarkers.Argument) (markers.Shape, error) {
	kind, ok := map[toolmarkers.ArgumentType]markers.Kind{
		toolmarkers.BoolType: markers.Bool, toolmarkers.IntType: markers.Int, toolmarkers.StringType: markers.String,
		toolmarkers.SliceType: markers.List,
	}[a.Type]
	if !ok {
		return markers.Shape{}, fmt.Errorf("unexpected type %s", a.TypeString())
	}
	shape := markers.Shape{Kind: kind}
	if kind == markers.List {
		item, err := shapeOf(a.ItemType)
		if err != nil {
			return markers.Shape{}, err
		}
		shape.Elem = &item
	}
	return shape, nil
}
