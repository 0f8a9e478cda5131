// Package later holds kinds whose fields have tags of Kubernetes' declarative validation that the linked version does
// not have yet.
//
// +groupName=later.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package later
