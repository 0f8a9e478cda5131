package later

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Eq has fields that may have one value.
type Eq struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              EqSpec `json:"spec"`
}

type EqSpec struct {
	// +k8s:eq="a"
	Text string `json:"text" try:"a,b"`
	// +k8s:optional
	// +k8s:eq="a"
	Pointer *string `json:"pointer,omitempty" try:"a,b"`
	// +k8s:optional
	// +k8s:eq=1
	Number int32 `json:"number,omitempty"`
	// +k8s:eq=true
	Flag bool `json:"flag"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:eq=1
	// +k8s:maxItems=9
	List []int32 `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:eq="a"
	// +k8s:maxProperties=9
	Map map[string]int32 `json:"map,omitempty" try:"a,b"`
}

// Reason has texts of the format k8s-condition-reason.
type Reason struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ReasonSpec `json:"spec"`
}

type ReasonSpec struct {
	// +k8s:format=k8s-condition-reason
	Text string `json:"text" try:"k8s-condition-reason"`
	// +k8s:optional
	// +k8s:format=k8s-condition-reason
	Pointer *string `json:"pointer,omitempty" try:"k8s-condition-reason"`
}

// Own has texts of formats of a project's own.
type Own struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OwnSpec `json:"spec"`
}

type OwnSpec struct {
	// +k8s:format=later-digest
	Text string `json:"text" try:"0a1b,0A1B,0a1"`
	// +k8s:optional
	// +k8s:format=later-digest
	Optional string `json:"optional,omitempty" try:"0a1b,0A1B,0a1"`
	// +k8s:optional
	// +k8s:format=later-mark
	Pointer *string `json:"pointer,omitempty" try:"a,'a,\t"`
	// +k8s:optional
	// +k8s:format=later-digest
	// +k8s:format=k8s-short-name
	Both *string `json:"both,omitempty" try:"0a1b,0A1B,0a-1,a.b"`
}

// OwnBelow has formats of keys, values and typedefs.
type OwnBelow struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OwnBelowSpec `json:"spec"`
}

type OwnBelowSpec struct {
	// +k8s:optional
	Named Digest `json:"named,omitempty" try:"0a1b,0A1B,0a1"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=later-mark
	// +k8s:eachVal=+k8s:format=later-digest
	// +k8s:maxProperties=9
	Marks map[string]string `json:"marks,omitempty" try:"a,'a,0a1b,'0a1b"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:format=later-mark
	Texts []string `json:"texts,omitempty" try:"a,'a"`
	// +k8s:modeDiscriminator
	Mode string `json:"mode" try:"a,b"`
	// +k8s:ifMode("a")=+k8s:format=later-digest
	// +k8s:maxLength=9
	// +k8s:optional
	InMode *string `json:"inMode,omitempty" try:"0a1b,0A1B,0a1"`
}

// Digest has tags of its own.
//
// +k8s:format=later-digest
type Digest string

// Quantities has bounds of quantities.
type Quantities struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              QuantitiesSpec `json:"spec"`
}

type QuantitiesSpec struct {
	// +k8s:minimum="1Ki"
	// +k8s:maximum="1Mi"
	Size resource.Quantity `json:"size" try:"0,1023,1Ki,1024,2k,1Mi,1048577,-1Mi"`
	// +k8s:optional
	// +k8s:minimum=0
	Pointer *resource.Quantity `json:"pointer,omitempty" try:"0,-1,1m,-1m"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:maximum="500m"
	// +k8s:maxItems=9
	List []resource.Quantity `json:"list,omitempty" try:"0,1,500m,501m"`
	// +k8s:modeDiscriminator
	Mode string `json:"mode" try:"a,b"`
	// +k8s:ifMode("a")=+k8s:maximum="1"
	// +k8s:optional
	InMode *resource.Quantity `json:"inMode,omitempty" try:"0,1,2,1001m"`
}

// Durations has bounds of durations.
type Durations struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DurationsSpec `json:"spec"`
}

type DurationsSpec struct {
	// +k8s:minimum="1s"
	// +k8s:maximum="1h30m"
	Wait time.Duration `json:"wait" try:"999999999,1000000000,5400000000000,5400000000001"`
	// +k8s:optional
	// +k8s:minimum="-1ns"
	Pointer *time.Duration `json:"pointer,omitempty" try:"-2,-1,0"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:maximum="1us"
	// +k8s:maxItems=9
	List []time.Duration `json:"list,omitempty" try:"999,1000,1001"`
}

// Bytes has bounds of bytes.
type Bytes struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BytesSpec `json:"spec"`
}

type BytesSpec struct {
	// +k8s:optional
	// +k8s:maxBytes=1
	One []byte `json:"one,omitempty"`
	// +k8s:optional
	// +k8s:maxBytes=2
	Two []byte `json:"two,omitempty"`
	// +k8s:optional
	// +k8s:maxBytes=3
	Three []byte `json:"three,omitempty"`
}

// Details has errors with a text of their own.
type Details struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DetailsSpec `json:"spec"`
}

type DetailsSpec struct {
	// +k8s:required="a number is needed"
	Number int32 `json:"number"`
	// +k8s:required="a text is needed"
	Text *string `json:"text,omitempty"`
	// +k8s:forbidden="it has moved"
	Old string `json:"old"`
	// +k8s:required
	Part DetailsPart `json:"part"`
	// +k8s:optional
	Other DetailsPart `json:"other"`
}

type DetailsPart struct {
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:"name"`
}
