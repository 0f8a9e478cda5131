// Package v1 is the API of proxies.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Proxy is an example.
//
// +kubebuilder:object:root=true
type Proxy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ProxySpec `json:"spec"`
}

// ProxySpec is the desired state of a proxy.
type ProxySpec struct {
	// +optional
	TLS ProxyTLS `json:"tls,omitempty"`
}

// ProxyTLS is how a proxy encrypts.
type ProxyTLS struct {
	// +kubebuilder:validation:MinLength=1
	SecretName string `json:"secretName"`
}
