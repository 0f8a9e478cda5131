package limits

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MinItems bounds how few items lists have.
type MinItems struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MinItemsSpec `json:"spec"`
}

type MinItemsSpec struct {
	// +k8s:required
	// +k8s:minItems=2
	List []string `json:"list,omitempty"`
	// +k8s:optional
	Named PairList `json:"named,omitempty"`
}

// PairList has a bound of its own.
//
// +k8s:minItems=2
type PairList []int32

// MaxItems bounds how many items lists have.
type MaxItems struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MaxItemsSpec `json:"spec"`
}

type MaxItemsSpec struct {
	// +k8s:optional
	// +k8s:maxItems=2
	List []string `json:"list,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=0
	Empty []string `json:"empty,omitempty"`
	// +k8s:optional
	// +k8s:maxItems=3
	Structs []SizedItem `json:"structs,omitempty"`
}

type SizedItem struct {
	// +k8s:optional
	// +k8s:maxItems=1
	Words []string `json:"words,omitempty"`
}

// MinProperties bounds how few entries maps have.
type MinProperties struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MinPropertiesSpec `json:"spec"`
}

type MinPropertiesSpec struct {
	// +k8s:required
	// +k8s:minProperties=2
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	Named PairMap `json:"named,omitempty"`
}

// PairMap has a bound of its own.
//
// +k8s:minProperties=2
type PairMap map[string]int32

// MaxProperties bounds how many entries maps have.
type MaxProperties struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MaxPropertiesSpec `json:"spec"`
}

type MaxPropertiesSpec struct {
	// +k8s:optional
	// +k8s:maxProperties=2
	Map map[string]string `json:"map,omitempty"`
	// +k8s:optional
	// +k8s:maxProperties=0
	Empty map[string]string `json:"empty,omitempty"`
}
