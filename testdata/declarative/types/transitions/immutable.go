package transitions

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ImmutableScalars has scalars that do not change.
type ImmutableScalars struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ImmutableScalarsSpec `json:"spec"`
}

type ImmutableScalarsSpec struct {
	// +k8s:immutable
	Text string `json:"text"`
	// +k8s:optional
	// +k8s:immutable
	Optional string `json:"optional,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	Pointer *int32 `json:"pointer,omitempty"`
	// +k8s:optional
	Named FixedText `json:"named,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	Flag bool `json:"flag,omitempty"`
}

// FixedText has tags of its own.
//
// +k8s:immutable
type FixedText string

// ImmutableLists has lists and maps that do not change.
type ImmutableLists struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ImmutableListsSpec `json:"spec"`
}

type ImmutableListsSpec struct {
	// +k8s:optional
	// +k8s:immutable
	// +k8s:maxItems=9
	List []string `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	// +k8s:maxProperties=9
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=9
	Items []ImmutableItem `json:"items,omitempty"`
}

type ImmutableItem struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// ImmutableStructs has structs that do not change.
type ImmutableStructs struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ImmutableStructsSpec `json:"spec"`
}

type ImmutableStructsSpec struct {
	// +k8s:immutable
	Struct ImmutableInner `json:"struct"`
	// +k8s:optional
	// +k8s:immutable
	Pointer *ImmutableInner `json:"pointer,omitempty"`
	Named   FixedStruct     `json:"named"`
}

type ImmutableInner struct {
	Name string `json:"name,omitempty"`
	// +k8s:maxItems=9
	List []string `json:"list,omitempty"`
}

// FixedStruct has tags of its own.
//
// +k8s:immutable
type FixedStruct struct {
	Name string `json:"name,omitempty"`
	Size *int32 `json:"size,omitempty"`
}

// ImmutableBelow has parts that do not change, in lists and maps.
type ImmutableBelow struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ImmutableBelowSpec `json:"spec"`
}

type ImmutableBelowSpec struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:immutable
	// +k8s:maxItems=9
	Items []ImmutableItem `json:"items,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:immutable
	// +k8s:maxProperties=9
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	// +k8s:subfield(name)=+k8s:immutable
	Struct *ImmutableInner `json:"struct,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=id
	// +k8s:maxItems=9
	Nodes []ImmutableNode `json:"nodes,omitempty"`
}

type ImmutableNode struct {
	ID string `json:"id"`
	// +k8s:optional
	// +k8s:immutable
	Zone string `json:"zone,omitempty"`
}

// Monotonic has numbers that do not become smaller.
type Monotonic struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MonotonicSpec `json:"spec"`
}

type MonotonicSpec struct {
	// +k8s:monotonic
	Number int32 `json:"number"`
	// +k8s:optional
	// +k8s:monotonic
	Optional int64 `json:"optional,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	// +k8s:monotonic
	Kept *int64 `json:"kept,omitempty"`
	// +k8s:optional
	// +k8s:monotonic
	Pointer *int64 `json:"pointer,omitempty"`
	// +k8s:optional
	Named Counter `json:"named,omitempty"`
}

// Counter has tags of its own.
//
// +k8s:minimum=0
// +k8s:monotonic
type Counter int32

// ImmutableRequired has required fields that do not change.
type ImmutableRequired struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ImmutableRequiredSpec `json:"spec"`
}

type ImmutableRequiredSpec struct {
	// +k8s:required
	// +k8s:immutable
	// +k8s:maxProperties=9
	Map map[string]string `json:"map,omitempty"`
	// +k8s:required
	// +k8s:update=NoModify
	Text string `json:"text,omitempty"`
	// +k8s:required
	// +k8s:immutable
	Pointer *string `json:"pointer,omitempty"`
}
