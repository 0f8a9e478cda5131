// Package v1 is the API of runners.
//
// +groupName=example.com
// +versionName=v1
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Runner is an example.
//
// +kubebuilder:object:root=true
type Runner struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RunnerSpec `json:"spec"`
}

// RunnerSpec is the desired state of a runner.
type RunnerSpec struct {
	// +optional
	Claim RunnerClaim `json:"claim,omitzero"`
}

// RunnerClaim is the volume of a runner.
type RunnerClaim struct {
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +optional
	Access corev1.PersistentVolumeAccessMode `json:"access,omitempty"`
}
