// Package v1 is an API for tests.
//
// +kubebuilder:object:generate=true
// +groupName=example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and the version of the kinds.
var GroupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// AddToScheme adds the kinds to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &Garden{}, &GardenList{}, &Region{}, &RegionList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}

// Garden is a garden with beds.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Garden struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec GardenSpec `json:"spec"`
	// +optional
	Status GardenStatus `json:"status,omitzero"`
}

// GardenSpec is what grows in a garden.
//
// +kubebuilder:validation:XValidation:rule="!has(self.beds) || self.size >= size(self.beds)",message="there is no room for the beds"
type GardenSpec struct {
	// +optional
	// +kubebuilder:default=2
	// +kubebuilder:validation:Minimum=0
	Size *int32 `json:"size,omitempty"`
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=8
	Beds []Bed `json:"beds,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[a-z]*$`
	Owner string `json:"owner,omitempty"`
	// +optional
	// +kubebuilder:validation:Enum=clay;loam;sand
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the soil cannot be changed"
	// +crdproof:ignore:check=immutable-optional,reason="the tests remove the soil"
	Soil string `json:"soil,omitempty"`
}

// Bed is a bed with one plant.
type Bed struct {
	// +required
	// +kubebuilder:validation:MaxLength=20
	Name string `json:"name"`
	// +optional
	// +kubebuilder:default=grass
	// +kubebuilder:validation:MaxLength=20
	Plant string `json:"plant,omitempty"`
}

// GardenStatus is what has grown.
type GardenStatus struct {
	// +optional
	// +kubebuilder:validation:Minimum=0
	Flowers int32 `json:"flowers,omitempty"`
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// GardenList is a list of gardens.
//
// +kubebuilder:object:root=true
type GardenList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Garden `json:"items"`
}

// Region has no namespace and no status subresource.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
type Region struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	// +kubebuilder:validation:Enum=dry;wet
	Climate string `json:"climate,omitempty"`
	// +optional
	Status string `json:"status,omitempty"`
}

// RegionList is a list of regions.
//
// +kubebuilder:object:root=true
type RegionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Region `json:"items"`
}
