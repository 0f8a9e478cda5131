/*
Copyright the authors of the shop.
*/

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// OrderSpec defines the desired state of Order
// +kubebuilder:validation:XValidation:rule="self.priority != 'High' || self.coupon == ''",message="urgent orders accept no coupon"
type OrderSpec struct {
	// lines are the ordered articles
	// +required
	Lines []Line `json:"lines"`

	// coupon is the code of a discount
	// +optional
	// +kubebuilder:validation:MaxLenght=20
	Coupon *string `json:"coupon,omitempty"`

	// priority says how soon the order is sent
	// +optional
	// +kubebuilder:validation:Enum=Low;Normal;High
	// +kubebuilder:default=Normal
	Priority string `json:"priority,omitempty"`
}

// Line is an article and its quantity
type Line struct {
	// article is the name of the article
	// +required
	// +kubebuilder:validation:MaxLength=63
	Article string `json:"article"`

	// pieces is the quantity
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default=1
	Pieces int32 `json:"pieces,omitempty"`
}

// OrderStatus defines the observed state of Order.
type OrderStatus struct {
	// conditions describe the state of the order
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Order is the Schema for the orders API
type Order struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is a standard object metadata
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec defines the desired state of Order
	// +required
	Spec OrderSpec `json:"spec"`

	// status defines the observed state of Order
	// +optional
	Status OrderStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true

// OrderList contains a list of Order
type OrderList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []Order `json:"items"`
}
