package transitions

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// UpdateNoSet has fields that are set when the object is made, or never.
type UpdateNoSet struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateNoSetSpec `json:"spec"`
}

type UpdateNoSetSpec struct {
	// +k8s:optional
	// +k8s:update=NoSet
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	Number int32 `json:"number,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:maxItems=9
	List []string `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:maxProperties=9
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	Struct *UpdateInner `json:"struct,omitempty"`
}

type UpdateInner struct {
	Name string `json:"name,omitempty"`
	Size int32  `json:"size,omitempty"`
}

// UpdateNoUnset has fields that stay set.
type UpdateNoUnset struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateNoUnsetSpec `json:"spec"`
}

type UpdateNoUnsetSpec struct {
	// +k8s:optional
	// +k8s:update=NoUnset
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	Number int32 `json:"number,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	// +k8s:maxItems=9
	List []string `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	// +k8s:maxProperties=9
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	Struct *UpdateInner `json:"struct,omitempty"`
}

// UpdateNoModify has fields that are set or unset, but do not change from one value to another.
type UpdateNoModify struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateNoModifySpec `json:"spec"`
}

type UpdateNoModifySpec struct {
	// +k8s:optional
	// +k8s:update=NoModify
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:update=NoModify
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:update=NoModify
	Number int32 `json:"number,omitempty"`
	// +k8s:optional
	// +k8s:update=NoModify
	Struct *UpdateInner `json:"struct,omitempty"`
	// +k8s:update=NoModify
	Value UpdateInner `json:"value"`
}

// UpdateSetOnce has fields with several constraints on updates.
type UpdateSetOnce struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateSetOnceSpec `json:"spec"`
}

type UpdateSetOnceSpec struct {
	// +k8s:optional
	// +k8s:update=NoModify
	// +k8s:update=NoUnset
	Once string `json:"once,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:update=NoModify
	// +k8s:update=NoUnset
	Fixed *string `json:"fixed,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:update=NoUnset
	// +k8s:maxItems=9
	Kept []string `json:"kept,omitempty"`
}

// UpdateWritten has fields that are written even where they are empty.
type UpdateWritten struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateWrittenSpec `json:"spec"`
}

type UpdateWrittenSpec struct {
	// +k8s:update=NoSet
	Set string `json:"set"`
	// +k8s:update=NoUnset
	Unset string `json:"unset"`
	// +k8s:update=NoModify
	Modify string `json:"modify"`
	// +k8s:update=NoSet
	Number int32 `json:"number"`
}

// UpdateSets has sets to which nothing is added, or from which nothing is taken.
type UpdateSets struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateSetsSpec `json:"spec"`
}

type UpdateSetsSpec struct {
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=9
	// +k8s:update=NoAddItem
	// +k8s:maxItems=9
	NoAdd []string `json:"noAdd,omitempty"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=9
	// +k8s:update=NoRemoveItem
	// +k8s:maxItems=9
	NoRemove []string `json:"noRemove,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:eachVal=+k8s:maxLength=9
	// +k8s:update=NoAddItem
	// +k8s:update=NoRemoveItem
	// +k8s:maxItems=9
	Frozen []string `json:"frozen,omitempty"`
}

// UpdateLists has lists by key to which nothing is added, or from which nothing is taken.
type UpdateLists struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateListsSpec `json:"spec"`
}

type UpdateListsSpec struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:update=NoAddItem
	// +k8s:maxItems=9
	NoAdd []UpdateItem `json:"noAdd,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=size
	// +k8s:update=NoRemoveItem
	// +k8s:maxItems=9
	NoRemove []UpdateItem `json:"noRemove,omitempty"`
	// +k8s:optional
	// +k8s:update=NoAddItem
	// +k8s:update=NoRemoveItem
	Frozen UpdateItems `json:"frozen,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:update=NoAddItem
	// +k8s:maxItems=9
	Atomic []UpdateItem `json:"atomic,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:update=NoModify
	// +k8s:maxItems=9
	Values []UpdateItem `json:"values,omitempty"`
}

type UpdateItem struct {
	// +k8s:maxLength=9
	Name  string `json:"name"`
	Size  int32  `json:"size"`
	Value string `json:"value,omitempty"`
}

// UpdateItems has tags of its own.
//
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=9
type UpdateItems []UpdateItem

// UpdateMaps has maps to which nothing is added, or from which nothing is taken.
type UpdateMaps struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UpdateMapsSpec `json:"spec"`
}

type UpdateMapsSpec struct {
	// +k8s:optional
	// +k8s:update=NoAddItem
	// +k8s:maxProperties=9
	NoAdd map[string]string `json:"noAdd,omitempty"`
	// +k8s:optional
	// +k8s:update=NoRemoveItem
	// +k8s:maxProperties=9
	NoRemove map[string]UpdateInner `json:"noRemove,omitempty"`
	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:update=NoAddItem
	// +k8s:maxProperties=9
	Frozen map[string]string `json:"frozen,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:update=NoModify
	// +k8s:maxProperties=9
	Values map[string]string `json:"values,omitempty"`
}
