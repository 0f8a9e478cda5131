// Package limits holds kinds whose fields have tags of Kubernetes' declarative validation: the bounds of lengths, sizes and numbers.
//
// +groupName=limits.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package limits
