package values

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Enum has fields of a type that lists its values.
type Enum struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              EnumSpec `json:"spec"`
}

type EnumSpec struct {
	Level Level `json:"level" try:"low,high,mid,Low"`
	// +k8s:optional
	Pointer *Level `json:"pointer,omitempty" try:"low,high,mid"`
	// +k8s:optional
	List []Level `json:"list,omitempty" try:"low,high,mid"`
	// +k8s:optional
	// +k8s:maxProperties=9
	ByLevel map[Level]string `json:"byLevel,omitempty" try:"low,high,mid"`
}

// Level has tags of its own.
//
// +k8s:enum
type Level string

const (
	LevelLow  Level = "low"
	LevelHigh Level = "high"
)

// EnumExclude has a field of a type that lists its values but for some constants.
type EnumExclude struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              EnumExcludeSpec `json:"spec"`
}

type EnumExcludeSpec struct {
	// +k8s:required
	Phase Phase `json:"phase" try:"open,shut,ajar"`
	// +k8s:optional
	Last Phase `json:"last,omitempty" try:"open,shut,ajar"`
}

// Phase has tags of its own.
//
// +k8s:enum
type Phase string

const (
	PhaseOpen Phase = "open"
	PhaseShut Phase = "shut"
	// PhaseAjar is of another time.
	//
	// +k8s:enumExclude
	PhaseAjar Phase = "ajar"
)

// NeqString has texts that are not a certain one.
type NeqString struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NeqStringSpec `json:"spec"`
}

type NeqStringSpec struct {
	// +k8s:neq="never"
	Text string `json:"text" try:"never"`
	// +k8s:optional
	// +k8s:neq=""
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:neq="it's \"so\""
	Quoted string `json:"quoted,omitempty" try:"it's \"so\",its so"`
	// +k8s:optional
	Named NotNone `json:"named,omitempty" try:"none,None"`
}

// NotNone has tags of its own.
//
// +k8s:neq="none"
type NotNone string

// NeqInt has numbers that are not a certain one.
type NeqInt struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NeqIntSpec `json:"spec"`
}

type NeqIntSpec struct {
	// +k8s:neq=0
	Number int32 `json:"number"`
	// +k8s:optional
	// +k8s:neq=-1
	Pointer *int64 `json:"pointer,omitempty"`
	// +k8s:optional
	Named NotThirteen `json:"named,omitempty" try:"13"`
}

// NotThirteen has tags of its own.
//
// +k8s:neq=13
type NotThirteen int32

// NeqBool has flags that are not a certain one.
type NeqBool struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NeqBoolSpec `json:"spec"`
}

type NeqBoolSpec struct {
	// +k8s:neq=true
	Flag bool `json:"flag"`
	// +k8s:optional
	// +k8s:neq=false
	Pointer *bool `json:"pointer,omitempty"`
}

// NeqBelow has parts that are not a certain one.
type NeqBelow struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NeqBelowSpec `json:"spec"`
}

type NeqBelowSpec struct {
	// +k8s:optional
	// +k8s:subfield(name)=+k8s:neq="x"
	Struct *NeqInner `json:"struct,omitempty" try:"x"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:neq="x"
	List []string `json:"list,omitempty" try:"x"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:neq=3
	// +k8s:eachKey=+k8s:neq="x"
	Map map[string]int32 `json:"map,omitempty" try:"x,y"`
}

type NeqInner struct {
	Name string `json:"name" try:"x"`
}
