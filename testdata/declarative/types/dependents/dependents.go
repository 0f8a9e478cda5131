package dependents

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// DependentRequired has fields that ask for other fields.
type DependentRequired struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DependentRequiredSpec `json:"spec"`
}

type DependentRequiredSpec struct {
	// +k8s:optional
	// +k8s:dependentRequired("cert")
	Key *string `json:"key,omitempty"`
	// +k8s:optional
	Cert *string `json:"cert,omitempty"`
	// +k8s:optional
	// +k8s:dependentRequired("words")
	// +k8s:dependentRequired("labels")
	Text string `json:"text,omitempty"`
	// +k8s:optional
	Words []string `json:"words,omitempty"`
	// +k8s:optional
	// +k8s:dependentRequired("size")
	Labels map[string]string `json:"labels,omitempty"`
	// +k8s:optional
	Size int32 `json:"size,omitempty"`
}

// DependentForbidden has fields that shut out other fields.
type DependentForbidden struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DependentForbiddenSpec `json:"spec"`
}

type DependentForbiddenSpec struct {
	// +k8s:optional
	// +k8s:dependentForbidden("cert")
	Key *string `json:"key,omitempty"`
	// +k8s:optional
	Cert *string `json:"cert,omitempty"`
	// +k8s:optional
	// +k8s:dependentForbidden("words")
	// +k8s:dependentForbidden("size")
	Text string `json:"text,omitempty"`
	// +k8s:optional
	Words []string `json:"words,omitempty"`
	// +k8s:optional
	Size int32 `json:"size,omitempty"`
}

// DependentWritten has fields that depend on fields that are written even where they are empty.
type DependentWritten struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DependentWrittenSpec `json:"spec"`
}

type DependentWrittenSpec struct {
	// +k8s:dependentRequired("number")
	Text string `json:"text"`
	// +k8s:dependentForbidden("flag")
	Number int32 `json:"number"`
	Flag   bool  `json:"flag"`
}

// DependentBelow has dependent fields in lists.
type DependentBelow struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DependentBelowSpec `json:"spec"`
}

type DependentBelowSpec struct {
	// +k8s:optional
	List []DependentItem `json:"list,omitempty"`
}

type DependentItem struct {
	// +k8s:optional
	// +k8s:dependentRequired("b")
	// +k8s:dependentForbidden("c")
	A *string `json:"a,omitempty"`
	// +k8s:optional
	B *string `json:"b,omitempty"`
	// +k8s:optional
	C *string `json:"c,omitempty"`
}

// Mode has fields that belong to a mode.
type Mode struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ModeSpec `json:"spec"`
}

type ModeSpec struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode" try:"A,B"`
	// +k8s:ifMode("A")=+k8s:required
	// +k8s:ifMode("A")=+k8s:maxLength=2
	A *string `json:"a,omitempty"`
	// +k8s:ifMode("A")=+k8s:optional
	// +k8s:ifMode("B")=+k8s:required
	B *string `json:"b,omitempty"`
	// +k8s:ifMode("B")=+k8s:optional
	List []string `json:"list,omitempty"`
	// +k8s:ifMode("B")=+k8s:optional
	Map map[string]string `json:"map,omitempty"`
}

// ModeFlags has two modes, one of which is a flag.
type ModeFlags struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ModeFlagsSpec `json:"spec"`
}

type ModeFlagsSpec struct {
	// +k8s:modeDiscriminator(modality: "flag")
	Flag bool `json:"flag"`
	// +k8s:modeDiscriminator(modality: "type")
	Type ModeType `json:"type" try:"X,Y"`
	// +k8s:ifMode(modality: "flag", mode: "true")=+k8s:required
	A *string `json:"a,omitempty"`
	// +k8s:ifMode(modality: "type", mode: "X")=+k8s:required
	// +k8s:ifMode(modality: "type", mode: "Y")=+k8s:optional
	// +k8s:ifMode(modality: "type", mode: "Y")=+k8s:minimum=2
	B *int32 `json:"b,omitempty"`
}

// ModeType has tags of its own.
//
// +k8s:enum
type ModeType string

const (
	ModeX ModeType = "X"
	ModeY ModeType = "Y"
	ModeZ ModeType = "Z"
)
