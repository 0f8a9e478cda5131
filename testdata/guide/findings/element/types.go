// Package v1 is the API of gateways.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Gateway is an example.
//
// +kubebuilder:object:root=true
type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GatewaySpec `json:"spec"`
}

// GatewaySpec is the desired state of a gateway.
type GatewaySpec struct {
	// +listType=atomic
	// +optional
	Routes []*Route `json:"routes,omitempty"`
}

// Route is where requests go.
type Route struct {
	Path string `json:"path"`
}
