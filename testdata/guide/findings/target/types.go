// Package v1 is the API of backups.
//
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Backup is an example.
//
// +kubebuilder:object:root=true
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BackupSpec `json:"spec"`
}

// BackupSpec is the desired state of a backup.
type BackupSpec struct {
	// +optional
	Retention Retention `json:"retention,omitzero"`
	// +kubebuilder:validation:MaxLenght=63
	// +optional
	Schedule string `json:"schedule,omitempty"`
}

// Retention is how long backups are kept.
//
// +optional
type Retention struct {
	// +optional
	Days int32 `json:"days,omitempty"`
}
