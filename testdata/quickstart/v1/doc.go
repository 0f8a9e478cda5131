// Package v1 is the API of an operations team: maintenance jobs that run every night on a set of machines.
//
// +kubebuilder:object:generate=true
// +groupName=operations.example.com
// +versionName=v1
package v1
