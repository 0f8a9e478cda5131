package later

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
