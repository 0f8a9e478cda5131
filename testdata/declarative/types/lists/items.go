package lists

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Items has rules for single items of lists by key.
type Items struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ItemsSpec `json:"spec"`
}

type ItemsSpec struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:immutable
	// +k8s:item(name: "b")=+k8s:subfield(value)=+k8s:maxLength=2
	// +k8s:maxItems=9
	List []Entry `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=port
	// +k8s:item(name: "a", port: 1)=+k8s:subfield(value)=+k8s:neq="no"
	// +k8s:item(port: 2, name: "b")=+k8s:subfield(value)=+k8s:required
	// +k8s:maxItems=9
	Two []Entry `json:"two,omitempty"`
	// +k8s:optional
	// +k8s:item(name: "a")=+k8s:subfield(value)=+k8s:immutable
	Named Entries `json:"named,omitempty"`
}

type Entry struct {
	Name string `json:"name" try:"a,b"`
	Port int32  `json:"port"`
	// +k8s:optional
	Value string `json:"value,omitempty" try:"no"`
}

// Entries has tags of its own.
//
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:item(name: "b")=+k8s:subfield(port)=+k8s:minimum=2
// +k8s:maxItems=9
type Entries []Entry

// ItemFlags has rules for items whose key is a flag.
type ItemFlags struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ItemFlagsSpec `json:"spec"`
}

type ItemFlagsSpec struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=on
	// +k8s:item(on: true)=+k8s:subfield(value)=+k8s:minLength=2
	// +k8s:maxItems=9
	List []FlagEntry `json:"list,omitempty"`
}

type FlagEntry struct {
	On    bool   `json:"on"`
	Value string `json:"value"`
}

// ItemUnion has a list of which exactly one of two items is there.
type ItemUnion struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ItemUnionSpec `json:"spec"`
}

type ItemUnionSpec struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "succeeded")=+k8s:unionMember
	// +k8s:item(name: "failed")=+k8s:unionMember
	// +k8s:maxItems=9
	Tasks []Task `json:"tasks,omitempty"`
}

type Task struct {
	Name  string `json:"name" try:"succeeded,failed"`
	State string `json:"state,omitempty"`
}

// ItemZeroOrOne has a list of which at most one of two items is there.
type ItemZeroOrOne struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ItemZeroOrOneSpec `json:"spec"`
}

type ItemZeroOrOneSpec struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "succeeded")=+k8s:zeroOrOneOfMember
	// +k8s:item(name: "failed")=+k8s:zeroOrOneOfMember
	// +k8s:maxItems=9
	Tasks []Task `json:"tasks,omitempty"`
	// +k8s:optional
	Named Tasks `json:"named,omitempty"`
}

// Tasks has tags of its own.
//
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:item(name: "succeeded")=+k8s:zeroOrOneOfMember(union: "end")
// +k8s:item(name: "failed")=+k8s:zeroOrOneOfMember(union: "end")
// +k8s:maxItems=9
type Tasks []Task
