package nested

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Subfields has rules for fields of a type that has none.
type Subfields struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SubfieldsSpec `json:"spec"`
}

type SubfieldsSpec struct {
	// +k8s:subfield(text)=+k8s:maxLength=2
	// +k8s:subfield(number)=+k8s:minimum=1
	Value Plain `json:"value"`
	// +k8s:optional
	// +k8s:subfield(text)=+k8s:required
	// +k8s:subfield(list)=+k8s:maxItems=1
	Pointer *Plain `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:subfield(text)=+k8s:optional
	// +k8s:subfield(text)=+k8s:minLength=2
	Optional *Plain `json:"optional,omitempty"`
	// +k8s:optional
	Named *Narrowed `json:"named,omitempty"`
}

type Plain struct {
	Text   string           `json:"text,omitempty"`
	Number int32            `json:"number"`
	List   []string         `json:"list,omitempty"`
	Map    map[string]int32 `json:"map,omitempty"`
}

// Narrowed has tags of its own.
//
// +k8s:subfield(number)=+k8s:maximum=3
type Narrowed Plain

// SubfieldChains has rules for the parts of fields of a type that has none.
type SubfieldChains struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SubfieldChainsSpec `json:"spec"`
}

type SubfieldChainsSpec struct {
	// +k8s:subfield(list)=+k8s:eachVal=+k8s:maxLength=2
	// +k8s:subfield(map)=+k8s:eachVal=+k8s:minimum=1
	// +k8s:subfield(map)=+k8s:eachKey=+k8s:neq="no"
	Value Plain `json:"value" try:"no,a,b"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(list)=+k8s:eachVal=+k8s:neq="no"
	List []Plain `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(text)=+k8s:neq="no"
	Map map[string]Plain `json:"map,omitempty" try:"no,a,b"`
}

// EachVal has rules for the values of lists and maps.
type EachVal struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              EachValSpec `json:"spec"`
}

type EachValSpec struct {
	// +k8s:optional
	// +k8s:eachVal=+k8s:minimum=1
	Numbers []int32 `json:"numbers,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:maxLength=2
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(text)=+k8s:maxLength=2
	Structs []Plain `json:"structs,omitempty"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:minLength=2
	Set []string `json:"set,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:subfield(size)=+k8s:maximum=2
	ByName []Sized `json:"byName,omitempty"`
	// +k8s:optional
	Named SmallNumbers `json:"named,omitempty"`
}

type Sized struct {
	Name string `json:"name"`
	Size int32  `json:"size"`
	Note string `json:"note,omitempty"`
}

// SmallNumbers has tags of its own.
//
// +k8s:eachVal=+k8s:maximum=3
type SmallNumbers []int32

// EachKey has rules for the keys of maps.
type EachKey struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              EachKeySpec `json:"spec"`
}

type EachKeySpec struct {
	// +k8s:optional
	// +k8s:eachKey=+k8s:maxLength=1
	Short map[string]string `json:"short,omitempty"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:minLength=2
	// +k8s:eachKey=+k8s:neq="ab"
	Long map[string]int32 `json:"long,omitempty"`
	// +k8s:optional
	ByKey map[Key]string `json:"byKey,omitempty"`
	// +k8s:optional
	Named Keyed `json:"named,omitempty"`
}

// Key has tags of its own.
//
// +k8s:maxLength=2
type Key string

// Keyed has tags of its own.
//
// +k8s:eachKey=+k8s:maxBytes=2
type Keyed map[string]string

// Opaque has fields whose types' rules are not asked.
type Opaque struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OpaqueSpec `json:"spec"`
}

type OpaqueSpec struct {
	// +k8s:optional
	// +k8s:opaqueType
	Struct *Ruled `json:"struct,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:opaqueType
	// +k8s:maxItems=2
	List []Ruled `json:"list,omitempty"`
	// +k8s:optional
	Asked *Ruled `json:"asked,omitempty"`
	// +k8s:optional
	// +k8s:opaqueType
	// +k8s:minLength=2
	Text RuledText `json:"text,omitempty"`
}

type Ruled struct {
	// +k8s:required
	Name string `json:"name,omitempty"`
	// +k8s:optional
	// +k8s:maximum=2
	Size *int32 `json:"size,omitempty"`
}

// RuledText has tags of its own.
//
// +k8s:maxLength=1
type RuledText string

// Levels has rules that are not yet stable.
type Levels struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              LevelsSpec `json:"spec"`
}

type LevelsSpec struct {
	// +k8s:optional
	// +k8s:alpha=+k8s:maxLength=2
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:beta(since: "1.35")=+k8s:minimum=1
	Number int32 `json:"number,omitempty"`
	// +k8s:alpha(since:"1.36")=+k8s:required
	Needed *string `json:"needed,omitempty"`
}

// Comments has tags with remarks behind them.
type Comments struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CommentsSpec `json:"spec"`
}

type CommentsSpec struct {
	// Text is short.
	// +k8s:optional # it need not be there
	// +k8s:maxLength=3 # not more than that
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:neq="#1" # but not the first
	List []string `json:"list,omitempty" try:"#1,#2"`
}
