// Package nested holds kinds whose fields have tags of Kubernetes' declarative validation: validation of a part of a field, and tags within tags.
//
// +groupName=nested.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package nested
