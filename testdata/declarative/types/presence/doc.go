// Package presence holds kinds whose fields have tags of Kubernetes' declarative validation: which fields must, may or must not be set.
//
// +groupName=presence.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package presence
