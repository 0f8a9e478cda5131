// Package presence holds kinds whose fields have tags of Kubernetes' declarative validation: which fields have to be set, may be, or must not be.
//
// +groupName=presence.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package presence
