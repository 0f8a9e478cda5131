// Package v1 is the API of snapshots.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Snapshot is an example.
//
// +kubebuilder:object:root=true
type Snapshot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SnapshotSpec `json:"spec"`
}

// SnapshotSpec is the desired state of a snapshot.
type SnapshotSpec struct {
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="className cannot change"
	// +kubebuilder:validation:MaxLength=63
	// +optional
	ClassName string `json:"className,omitempty"`
}
