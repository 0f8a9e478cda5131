package limits

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MinLength bounds how short texts are.
type MinLength struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MinLengthSpec `json:"spec"`
}

type MinLengthSpec struct {
	// +k8s:minLength=2
	Text string `json:"text"`
	// +k8s:optional
	// +k8s:minLength=3
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:required
	// +k8s:minLength=1
	Named LongText `json:"named"`
}

// LongText has a bound of its own.
//
// +k8s:minLength=3
type LongText string

// MaxLength bounds how many characters texts have.
type MaxLength struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MaxLengthSpec `json:"spec"`
}

type MaxLengthSpec struct {
	// +k8s:maxLength=3
	Text string `json:"text"`
	// +k8s:optional
	// +k8s:maxLength=0
	Empty *string `json:"empty,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=4
	Named ShortText `json:"named,omitempty"`
}

// ShortText has a bound of its own.
//
// +k8s:maxLength=2
type ShortText string

// MaxBytes bounds how many bytes texts have.
type MaxBytes struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MaxBytesSpec `json:"spec"`
}

type MaxBytesSpec struct {
	// +k8s:maxBytes=5
	Text string `json:"text"`
	// +k8s:optional
	// +k8s:maxBytes=3
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=3
	// +k8s:maxBytes=6
	Both string `json:"both,omitempty"`
	// +k8s:optional
	Named FewBytes `json:"named,omitempty"`
}

// FewBytes has a bound of its own.
//
// +k8s:maxBytes=4
type FewBytes string
