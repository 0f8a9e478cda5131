// Package crd writes a schema.CRD as the YAML of a CustomResourceDefinition.
package crd
