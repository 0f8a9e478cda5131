// Package v1 is the API of firewalls.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Firewall is an example.
//
// +kubebuilder:object:root=true
type Firewall struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FirewallSpec `json:"spec"`
}

// FirewallSpec is the desired state of a firewall.
type FirewallSpec struct {
	// +kubebuilder:validation:items:XValidation:rule="!self.startsWith('10.') && !self.startsWith('192.168.')"
	// +listType=atomic
	// +optional
	Sources []string `json:"sources,omitempty"`
}
