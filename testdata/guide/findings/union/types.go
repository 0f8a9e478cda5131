// Package v1 is the API of sources.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Source is an example.
//
// +kubebuilder:object:root=true
type Source struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SourceSpec `json:"spec"`
}

// SourceSpec is the desired state of a source.
type SourceSpec struct {
	// +unionDiscriminator
	// +kubebuilder:validation:Enum=Git;Bucket
	Type string `json:"type"`
	// +optional
	Git *Address `json:"git,omitempty"`
	// +optional
	Bucket *Address `json:"bucket,omitempty"`
}

// Address is where to find a source.
type Address struct {
	URL string `json:"url"`
}
