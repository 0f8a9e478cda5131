// Package v1 is the API of jobs.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Job is an example.
//
// +kubebuilder:object:root=true
type Job struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec JobSpec `json:"spec"`
	// +optional
	Status JobStatus `json:"status,omitzero"`
}

// JobSpec is the desired state of a job.
type JobSpec struct {
	Image string `json:"image"`
}

// JobStatus is the observed state of a job.
type JobStatus struct {
	// +optional
	Phase string `json:"phase,omitempty"`
}
