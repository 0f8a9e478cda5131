package main

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// environmentSet is that in which the server compiles the rules of new CRDs. Up to 1.34, its constructor takes a second
// argument: whether costs are counted strictly, as they are for CRDs.
var environmentSet = func() *environment.EnvSet {
	make := reflect.ValueOf(environment.MustBaseEnvSet)
	args := []reflect.Value{reflect.ValueOf(environment.DefaultCompatibilityVersion())}
	if make.Type().NumIn() > 1 {
		args = append(args, reflect.ValueOf(true))
	}
	return make.Call(args)[0].Interface().(*environment.EnvSet)
}()

// costs compiles the rules of all versions.
func costs(crd *apiextensions.CustomResourceDefinition) (out []Cost) {
	for i, v := range crd.Spec.Versions {
		schema := v.Schema
		if schema == nil {
			schema = crd.Spec.Validation
		}
		if schema == nil || schema.OpenAPIV3Schema == nil {
			continue
		}
		w := walk{}
		path := fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
		w.node(path, schema.OpenAPIV3Schema, validation.RootCELContext(schema.OpenAPIV3Schema))
		out = append(out, w.costs...)
	}
	return out
}

type walk struct{ costs []Cost }

// node compiles the rules of a schema and of those below it in which there may be rules.
func (w *walk) node(path string, s *apiextensions.JSONSchemaProps, at *validation.CELSchemaContext) {
	w.rules(path, s, at)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		w.node(path+".properties["+name+"]", &property, at.ChildPropertyContext(&property, name))
	}
	if s.Items != nil && s.Items.Schema != nil {
		w.node(path+".items", s.Items.Schema, at.ChildItemsContext(s.Items.Schema))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		below := s.AdditionalProperties.Schema
		w.node(path+".additionalProperties", below, at.ChildAdditionalPropertiesContext(below))
	}
}

func (w *walk) rules(path string, s *apiextensions.JSONSchemaProps, at *validation.CELSchemaContext) {
	if len(s.XValidations) == 0 {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			w.costs = append(w.costs, Cost{Path: path, Rule: fmt.Sprint("panic: ", p)})
		}
	}()
	info, err := at.TypeInfo()
	if err != nil || info == nil || info.DeclType == nil {
		w.costs = append(w.costs, Cost{Path: path, Rule: fmt.Sprint("no type: ", err)})
		return
	}
	results, err := cel.Compile(info.Schema, info.DeclType, math.MaxUint64, environmentSet,
		cel.NewExpressionsEnvLoader())
	if err != nil {
		w.costs = append(w.costs, Cost{Path: path, Rule: err.Error()})
		return
	}
	for i, r := range results {
		c := Cost{
			Path: fmt.Sprintf("%s.x-kubernetes-validations[%d]", path, i),
			Each: r.MaxCost, MessageCost: r.MessageExpressionMaxCost, Values: r.MaxCardinality,
		}
		if r.Error != nil {
			c.Rule = r.Error.Detail
		}
		if r.MessageExpressionError != nil {
			c.Message = r.MessageExpressionError.Detail
		}
		w.costs = append(w.costs, c)
	}
}
