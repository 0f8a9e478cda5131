// Package crd is the runtime of the Go code that crdproof generates from CRDs: functions that prune, default and
// validate objects as an API server does. Generated code imports it; programs use the generated variables, whose types
// are here: a Kind for the values of a Go type, and a Resource for objects as JSON.
//
//	errs := v1.WidgetHelpers.Validate(widget)
//
// All other names are for generated code. Most are functions of CEL, in which the rules of CRDs are written, or state
// of a validation.
//
// Code that version N of crdproof has generated works with version N of this module and all later ones: names,
// signatures and meanings stay. So a module may require the newest version, whichever versions generated the code of
// the packages that it imports. To depend on no module of crdproof, generate with helpers:runtime=copy.
//
// The errors of metadata have the texts of the module k8s.io/apimachinery that a program is built with.
package crd
