// Package values holds kinds whose fields have tags of Kubernetes' declarative validation: which values a field may have.
//
// +groupName=values.declarative.example.com
// +versionName=v1
// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-nolint
package values
