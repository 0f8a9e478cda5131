package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MaintenanceNightlyJob runs one command or one shell script on a set of machines, every night.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=mnj
// +kubebuilder:printcolumn:name="Last Run",type=date,JSONPath=`.status.lastRunTime`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type MaintenanceNightlyJob struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is what to run, and where.
	// +required
	Spec MaintenanceNightlyJobSpec `json:"spec"`
	// status is what the last night brought.
	// +optional
	Status MaintenanceNightlyJobStatus `json:"status,omitempty"`
}

// MaintenanceNightlyJobSpec is what to run, and where. It holds either a command or a shell script.
//
// +kubebuilder:validation:ExactlyOneOf=command;shell
type MaintenanceNightlyJobSpec struct {
	// command is the path of the program to run, without arguments.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	Command string `json:"command,omitempty"`
	// shell is a script that is handed to the machine's shell.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=65536
	Shell string `json:"shell,omitempty"`
	// machines are the names of the machines that the job runs on.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=256
	Machines []Machine `json:"machines,omitempty"`
}

// Machine is the name of a machine: lower-case words joined by hyphens.
//
// +kubebuilder:validation:MaxLength=63
// +kubebuilder:validation:Pattern=`^[a-z0-9]+(-[a-z0-9]+)*$`
type Machine string

// MaintenanceNightlyJobStatus is what the last night brought.
type MaintenanceNightlyJobStatus struct {
	// lastRunTime is when the job last began.
	// +optional
	LastRunTime *metav1.Time `json:"lastRunTime,omitempty"`
	// failed are the machines on which the last run failed.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=256
	Failed []Machine `json:"failed,omitempty"`
}

// MaintenanceNightlyJobList is a list of jobs.
//
// +kubebuilder:object:root=true
type MaintenanceNightlyJobList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the jobs.
	Items []MaintenanceNightlyJob `json:"items"`
}
