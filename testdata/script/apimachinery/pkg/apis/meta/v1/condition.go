package v1

// Condition is an aspect of the state of an object.
type Condition struct {
	// The condition's name.
	// +required
	// +kubebuilder:validation:MaxLength=316
	Type string `json:"type"`
	// True, False or Unknown.
	// +required
	// +kubebuilder:validation:Enum=True;False;Unknown
	Status string `json:"status"`
}

// AddToGroupVersion adds what all groups have to a scheme.
func AddToGroupVersion(_, _ any) {}
