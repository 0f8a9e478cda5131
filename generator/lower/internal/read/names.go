package read

const (
	ValidationPrefix = "kubebuilder:validation:"
	ItemsPrefix      = ValidationPrefix + "items:"
)

const MarkEnum = ValidationPrefix + "Enum"

// Names of markers that other files refer to, besides those declared there.
const (
	MarkMaximum     = ValidationPrefix + "Maximum"
	MarkMinimum     = ValidationPrefix + "Minimum"
	MarkMultipleOf  = ValidationPrefix + "MultipleOf"
	MarkResource    = "kubebuilder:resource"
	MarkSkipVersion = "kubebuilder:skipversion"
	MarkStatus      = "kubebuilder:subresource:status"
)

// Markers that limit the names of objects.
const (
	MarkObjectName   = "crdproof:objectName"
	MarkGenerateName = "crdproof:objectGenerateName"
)

// Names of markers that other files refer to.
const (
	MarkExactlyOneOf = "kubebuilder:validation:ExactlyOneOf"
	MarkAtMostOneOf  = "kubebuilder:validation:AtMostOneOf"
	MarkAtLeastOneOf = "kubebuilder:validation:AtLeastOneOf"
	MarkKBOptional   = "kubebuilder:validation:Optional"
	MarkKBRequired   = "kubebuilder:validation:Required"
	MarkSchemaless   = "kubebuilder:validation:Schemaless"
	MarkImmutable    = "k8s:immutable"
	MarkType         = "kubebuilder:validation:Type"
	MarkPreserve     = "kubebuilder:pruning:PreserveUnknownFields"
	MarkObjectMeta   = "crdproof:embeddedObjectMeta"
	MarkIgnore       = "crdproof:ignore"
	markFormat       = "k8s:format"
	MarkRule         = "crdproof:rule"
	MarkXPreserve    = "kubebuilder:validation:XPreserveUnknownFields"
)

const (
	MarkK8sOptional     = "k8s:optional"
	MarkK8sForbidden    = "k8s:forbidden"
	MarkModeOf          = "k8s:modeDiscriminator"
	MarkOpaque          = "k8s:opaqueType"
	MarkDependRequired  = "k8s:dependentRequired"
	MarkDependForbidden = "k8s:dependentForbidden"
	markCustom          = "k8s:customValidation"
)

// This file holds the tags that compare a value with the one before an update. A rule with OldSelf runs only if both
// values are present, so the rules for setting and clearing a field are on the struct around it.

const (
	MarkK8sUpdate    = "k8s:update"
	MarkK8sMonotonic = "k8s:monotonic"
)

// Markers of KEP-1027, and of KEP-2335's sketches.
const (
	MarkOldUnion              = "union"
	MarkOldUnionDiscriminator = "unionDiscriminator"
	MarkOldDiscriminator      = "discriminator"
)
