// Package unions holds kinds whose fields have tags of Kubernetes' declarative validation: how many fields of a group are set.
//
// +groupName=unions.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package unions
