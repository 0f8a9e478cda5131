// Package v1 is the API of volumes.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Volume is an example.
//
// +kubebuilder:object:root=true
type Volume struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec VolumeSpec `json:"spec"`
}

// VolumeSpec is the desired state of a volume.
type VolumeSpec struct {
	// +required
	ReadOnly bool `json:"readOnly,omitempty"`
}
