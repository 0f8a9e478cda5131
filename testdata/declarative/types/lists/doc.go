// Package lists holds kinds whose fields have tags of Kubernetes' declarative validation: how the items of lists are identified, and validation of one item.
//
// +groupName=lists.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package lists
