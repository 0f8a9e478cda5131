// Package v1 is the API of databases.
//
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Database is a replicated database.
//
// +kubebuilder:object:root=true
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec DatabaseSpec `json:"spec"`
}

// DatabaseSpec is the desired state of a database.
//
// +kubebuilder:validation:XValidation:rule="self.replicas <= self.maxReplica",message="too many replicas"
type DatabaseSpec struct {
	// +kubebuilder:default=1
	Replicas *int32 `json:"replicas,omitempty"`

	// +kubebuilder:default=3
	MaxReplicas *int32 `json:"maxReplicas,omitempty"`

	// +kubebuilder:validation:XValidation:rule="self.all(u, self.exists_one(v, v == u))",message="duplicate user"
	// +kubebuilder:validation:items:MaxLength=63
	// +optional
	Users []string `json:"users,omitempty"`
}
