// Package lists holds kinds whose fields have tags of Kubernetes' declarative validation: how the items of lists are told apart, and what holds of one of them.
//
// +groupName=lists.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package lists
