package schema

// An Origin is a type of Kubernetes' libraries whose values have several texts.
type Origin uint8

// The origins.
const (
	NoOrigin Origin = iota
	// Quantity is resource.Quantity, Duration is metav1.Duration.
	Quantity
	Duration
)

// Patterns of what the decoders of the origins accept. A file that has one shows its origin by it.
const (
	// QuantityPattern is what resource.ParseQuantity accepts (k8s.io/apimachinery/pkg/api/resource/quantity.go).
	QuantityPattern = `^` + decimalText + `(([KMGTPE]i)|[numkMGTPE]|([eE]` + decimalText + `))?$`
	decimalText     = `(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))`
	// DurationPattern is what time.ParseDuration accepts, and durations of more than 292 years.
	DurationPattern = `^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
)
