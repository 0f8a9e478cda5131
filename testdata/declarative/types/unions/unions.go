package unions

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Union has two fields of which exactly one is set.
type Union struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UnionSpec `json:"spec"`
}

type UnionSpec struct {
	// +k8s:optional
	// +k8s:unionMember
	A *string `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B    *Member `json:"b,omitempty"`
	Note string  `json:"note,omitempty"`
}

type Member struct {
	// +k8s:optional
	// +k8s:maximum=3
	Size int32 `json:"size,omitempty"`
}

// UnionKinds has members of every sort of type.
type UnionKinds struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UnionKindsSpec `json:"spec"`
}

type UnionKindsSpec struct {
	// +k8s:optional
	// +k8s:unionMember
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Number int32 `json:"number,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	List []string `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Map map[string]string `json:"map,omitempty"`
}

// UnionSeveral has two unions side by side.
type UnionSeveral struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UnionSeveralSpec `json:"spec"`
}

type UnionSeveralSpec struct {
	// +k8s:optional
	// +k8s:unionMember(union: "one")
	A1 *string `json:"a1,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "one")
	A2 *string `json:"a2,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "two")
	B1 *string `json:"b1,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "two")
	B2 *string `json:"b2,omitempty"`
}

// UnionDiscriminated has a field that says which of the others is set.
type UnionDiscriminated struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UnionDiscriminatedSpec `json:"spec"`
}

type UnionDiscriminatedSpec struct {
	// +k8s:unionDiscriminator
	Type MemberType `json:"type" try:"Alpha,beta,gamma"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "Alpha")
	Alpha *Member `json:"alpha,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Beta *Member `json:"beta,omitempty"`
}

type MemberType string

// UnionOptional has a field that says which of the others is set, and may be left out.
type UnionOptional struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UnionOptionalSpec `json:"spec"`
}

type UnionOptionalSpec struct {
	// +k8s:optional
	// +k8s:unionDiscriminator(union: "u")
	Type ClosedType `json:"type,omitempty" try:"A,b,c"`
	// +k8s:optional
	// +k8s:unionMember(union: "u")
	A *string `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(union: "u", memberName: "b")
	Bee *string `json:"bee,omitempty"`
}

// ClosedType has tags of its own.
//
// +k8s:enum
type ClosedType string

const (
	ClosedA ClosedType = "A"
	ClosedB ClosedType = "b"
	ClosedC ClosedType = "c"
)

// UnionBelow has unions in structs, lists and maps.
type UnionBelow struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UnionBelowSpec `json:"spec"`
}

type UnionBelowSpec struct {
	// +k8s:optional
	Struct *UnionInner `json:"struct,omitempty"`
	// +k8s:optional
	List []UnionInner `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	ByName []UnionItem `json:"byName,omitempty"`
	// +k8s:optional
	Map map[string]UnionInner `json:"map,omitempty"`
}

type UnionInner struct {
	// +k8s:optional
	// +k8s:unionMember
	A *string `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B *string `json:"b,omitempty"`
}

type UnionItem struct {
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:unionMember
	A *string `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	B *string `json:"b,omitempty"`
}

// UnionSubfields makes a union of the fields of a type that is none.
type UnionSubfields struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              UnionSubfieldsSpec `json:"spec"`
}

type UnionSubfieldsSpec struct {
	// +k8s:subfield(d)=+k8s:unionDiscriminator
	// +k8s:subfield(m1)=+k8s:unionMember
	// +k8s:subfield(m2)=+k8s:unionMember
	Value NoUnion `json:"value"`
	// +k8s:subfield(m1)=+k8s:zeroOrOneOfMember
	// +k8s:subfield(m2)=+k8s:zeroOrOneOfMember
	Other NoUnion `json:"other"`
}

type NoUnion struct {
	D  string `json:"d,omitempty" try:"m1,m2"`
	M1 *int32 `json:"m1,omitempty"`
	M2 *int32 `json:"m2,omitempty"`
}

// ZeroOrOneOf has fields of which at most one is set.
type ZeroOrOneOf struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ZeroOrOneOfSpec `json:"spec"`
}

type ZeroOrOneOfSpec struct {
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	A *string `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember
	B string `json:"b,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember(union: "other")
	C []string `json:"c,omitempty"`
	// +k8s:optional
	// +k8s:zeroOrOneOfMember(union: "other")
	D *int32 `json:"d,omitempty"`
}
