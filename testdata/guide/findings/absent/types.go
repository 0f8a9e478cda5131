// Package v1 is the API of schedules.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Schedule is an example.
//
// +kubebuilder:object:root=true
type Schedule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ScheduleSpec `json:"spec"`
}

// ScheduleSpec is the desired state of a schedule.
//
// +kubebuilder:validation:XValidation:rule="self.mode != 'Weekly' || self.day != 'Sunday'",message="weekly schedules skip Sunday"
type ScheduleSpec struct {
	// +kubebuilder:validation:Enum=Daily;Weekly
	Mode string `json:"mode"`
	// +optional
	Day string `json:"day,omitempty"`
}
