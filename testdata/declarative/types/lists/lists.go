package lists

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ListSets has lists without equal items.
type ListSets struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ListSetsSpec `json:"spec"`
}

type ListSetsSpec struct {
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=9
	Texts []string `json:"texts,omitempty"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=9
	Numbers []int32 `json:"numbers,omitempty"`
	// +k8s:optional
	Named TextSet `json:"named,omitempty"`
}

// TextSet has tags of its own.
//
// +k8s:listType=set
// +k8s:maxItems=9
type TextSet []string

// ListMaps has lists by key.
type ListMaps struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ListMapsSpec `json:"spec"`
}

type ListMapsSpec struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=9
	One []ListItem `json:"one,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=port
	// +k8s:maxItems=9
	Two []ListItem `json:"two,omitempty"`
	// +k8s:optional
	Named ItemsByName `json:"named,omitempty"`
}

type ListItem struct {
	// +k8s:maxLength=9
	Name string `json:"name"`
	Port int32  `json:"port"`
	// +k8s:optional
	// +k8s:maxLength=2
	Value string `json:"value,omitempty"`
}

// ItemsByName has tags of its own.
//
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=9
type ItemsByName []ListItem

// ListAtomic has lists that are replaced as a whole.
type ListAtomic struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ListAtomicSpec `json:"spec"`
}

type ListAtomicSpec struct {
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=9
	Texts []string `json:"texts,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=9
	Items []ListItem `json:"items,omitempty"`
}

// Unique has lists that are replaced as a whole, and are without equal items.
type Unique struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UniqueSpec `json:"spec"`
}

type UniqueSpec struct {
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:eachVal=+k8s:maxLength=9
	// +k8s:maxItems=9
	Texts []string `json:"texts,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:maxItems=9
	Structs []ListPair `json:"structs,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=9
	Items []ListItem `json:"items,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=port
	// +k8s:maxItems=9
	Two []ListItem `json:"two,omitempty"`
}

type ListPair struct {
	// +k8s:optional
	// +k8s:maxLength=9
	A string `json:"a,omitempty"`
	B *int32 `json:"b,omitempty"`
}

// CustomUnique has lists whose items another validation tells apart.
type CustomUnique struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CustomUniqueSpec `json:"spec"`
}

type CustomUniqueSpec struct {
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:customUnique
	// +k8s:maxItems=9
	Texts []string `json:"texts,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	// +k8s:customUnique
	// +k8s:maxItems=9
	Items []ListItem `json:"items,omitempty"`
}
