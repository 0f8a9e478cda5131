// Package transitions holds kinds whose fields have tags of Kubernetes' declarative validation: what an update may change.
//
// +groupName=transitions.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package transitions
