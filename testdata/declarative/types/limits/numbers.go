package limits

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Minimum bounds how small numbers are.
type Minimum struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MinimumSpec `json:"spec"`
}

type MinimumSpec struct {
	// +k8s:minimum=2
	Number int32 `json:"number"`
	// +k8s:optional
	// +k8s:minimum=-1
	Pointer *int64 `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:minimum=3
	Unsigned uint32 `json:"unsigned,omitempty"`
	// +k8s:required
	// +k8s:minimum=1
	Named AtLeastTwo `json:"named"`
}

// AtLeastTwo has a bound of its own.
//
// +k8s:minimum=2
type AtLeastTwo int64

// Maximum bounds how large numbers are.
type Maximum struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MaximumSpec `json:"spec"`
}

type MaximumSpec struct {
	// +k8s:maximum=2
	Number int32 `json:"number"`
	// +k8s:optional
	// +k8s:maximum=-1
	Pointer *int64 `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:maximum=3
	Unsigned uint16 `json:"unsigned,omitempty"`
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=4
	Both *int32 `json:"both,omitempty"`
}

// LimitsBelow has bounds at every depth, of which all that apply hold.
type LimitsBelow struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              LimitsBelowSpec `json:"spec"`
}

type LimitsBelowSpec struct {
	// +k8s:optional
	Lists LimitedList `json:"lists,omitempty"`
	// +k8s:optional
	Structs []LimitedStruct `json:"structs,omitempty"`
	// +k8s:optional
	Map map[string]LimitedStruct `json:"map,omitempty"`
}

// LimitedList has bounds of its own.
//
// +k8s:maxItems=2
type LimitedList []LimitedText

// LimitedText has tags of its own.
//
// +k8s:maxLength=3
type LimitedText string

type LimitedStruct struct {
	// +k8s:optional
	// +k8s:minimum=1
	Number *int32 `json:"number,omitempty"`
	// +k8s:optional
	Text LimitedText `json:"text,omitempty"`
}
