// Package v1beta1 is the API of databases.
//
// +groupName=example.com
package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Database is an example.
//
// +kubebuilder:object:root=true
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec DatabaseSpec `json:"spec"`
}

// DatabaseSpec is the desired state of a database.
type DatabaseSpec struct {
	Size int64 `json:"size"`
	// +optional
	Owner string `json:"owner,omitempty"`
}
