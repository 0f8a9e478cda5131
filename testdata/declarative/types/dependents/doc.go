// Package dependents holds kinds whose fields have tags of Kubernetes' declarative validation: fields that depend on other fields.
//
// +groupName=dependents.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package dependents
