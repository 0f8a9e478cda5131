// Package v1 is the API of workers.
//
// +groupName=example.com
// +versionName=v1
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Worker is an example.
//
// +kubebuilder:object:root=true
type Worker struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WorkerSpec `json:"spec"`
}

// WorkerSpec is the desired state of a worker.
type WorkerSpec struct {
	// +crdproof:embeddedObjectMeta
	Template corev1.PodTemplateSpec `json:"template"`
}
