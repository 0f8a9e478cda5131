// Package v1 is the API of clusters.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Cluster is an example.
//
// +kubebuilder:object:root=true
type Cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ClusterSpec `json:"spec"`
}

// ClusterSpec is the desired state of a cluster.
type ClusterSpec struct {
	// +listType=set
	Nodes []string `json:"nodes"`
}
