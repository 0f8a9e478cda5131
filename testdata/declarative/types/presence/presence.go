package presence

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// RequiredKinds has required fields of every sort of type, which are left out where they are empty.
type RequiredKinds struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RequiredKindsSpec `json:"spec"`
}

type RequiredKindsSpec struct {
	// +k8s:required
	Text string `json:"text,omitempty"`
	// +k8s:required
	Number int32 `json:"number,omitempty"`
	// +k8s:required
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:required
	List []string `json:"list,omitempty"`
	// +k8s:required
	Map map[string]string `json:"map,omitempty"`
	// +k8s:required
	Struct *RequiredInner `json:"struct,omitempty"`
}

type RequiredInner struct {
	// +k8s:required
	Name string `json:"name,omitempty"`
	// +k8s:optional
	Note string `json:"note,omitempty"`
}

// RequiredWritten has required fields that are written even where they are empty.
type RequiredWritten struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RequiredWrittenSpec `json:"spec"`
}

type RequiredWrittenSpec struct {
	// +k8s:required
	Text string `json:"text"`
	// +k8s:required
	Number int32 `json:"number"`
	// +k8s:required
	Flag bool `json:"flag"`
	// +k8s:required
	Mode RequiredMode `json:"mode"`
}

type RequiredMode string

// RequiredLists has required lists and maps that are written even where they are empty.
type RequiredLists struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              RequiredListsSpec `json:"spec"`
}

type RequiredListsSpec struct {
	// +k8s:required
	// +listType=atomic
	List []string `json:"list"`
	// +k8s:required
	Map map[string]string `json:"map"`
}

// OptionalKinds has optional fields with bounds, which do not hold where a field is not set.
type OptionalKinds struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OptionalKindsSpec `json:"spec"`
}

type OptionalKindsSpec struct {
	// +k8s:optional
	// +k8s:minLength=2
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:minimum=2
	Number int32 `json:"number,omitempty"`
	// +k8s:optional
	// +k8s:minimum=2
	Pointer *int64 `json:"pointer,omitempty"`
	// +k8s:optional
	// +k8s:minItems=2
	List []string `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:minProperties=2
	Map map[string]string `json:"map,omitempty"`
}

// OptionalWritten has optional fields that are written even where they are empty.
type OptionalWritten struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OptionalWrittenSpec `json:"spec"`
}

type OptionalWrittenSpec struct {
	// +k8s:optional
	// +k8s:minLength=2
	Text string `json:"text"`
	// +k8s:optional
	// +k8s:minimum=2
	Number int32 `json:"number"`
}

// OptionalDefaults has optional fields with defaults.
type OptionalDefaults struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OptionalDefaultsSpec `json:"spec"`
}

type OptionalDefaultsSpec struct {
	// +k8s:optional
	// +default="four"
	// +k8s:maxLength=4
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +default=3
	// +k8s:minimum=2
	Number *int32 `json:"number,omitempty"`
}

// ForbiddenKinds has fields that must not be set.
type ForbiddenKinds struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ForbiddenKindsSpec `json:"spec"`
}

type ForbiddenKindsSpec struct {
	// +k8s:forbidden
	Text string `json:"text,omitempty"`
	// +k8s:forbidden
	Pointer *string `json:"pointer,omitempty"`
	// +k8s:forbidden
	Number int32 `json:"number,omitempty"`
	// +k8s:forbidden
	Flag bool `json:"flag,omitempty"`
	// +k8s:forbidden
	List []string `json:"list,omitempty"`
	// +k8s:forbidden
	Map map[string]string `json:"map,omitempty"`
	// +k8s:forbidden
	Struct *ForbiddenInner `json:"struct,omitempty"`
}

type ForbiddenInner struct {
	Name string `json:"name,omitempty"`
}

// ForbiddenWritten has fields that must not be set, and are written all the same.
type ForbiddenWritten struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ForbiddenWrittenSpec `json:"spec"`
}

type ForbiddenWrittenSpec struct {
	// +k8s:forbidden
	Text string `json:"text"`
	// +k8s:forbidden
	Number int32 `json:"number"`
}
