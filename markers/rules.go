package markers

// The rules of this package's diagnostics.
const (
	ruleUnknown  = "marker-unknown"
	ruleTarget   = "marker-target"
	ruleSyntax   = "marker-syntax"
	ruleArgument = "marker-argument"
	ruleMissing  = "marker-missing"
	ruleValue    = "marker-value"
	rulePayload  = "marker-payload"
	ruleRefused  = "marker-refused"
	ruleRepeated = "marker-repeated-argument"
	ruleLoose    = "marker-loose"
)

// A Rule is a kind of mistake that this package finds.
type Rule struct {
	ID string
	// Doc is one sentence that ends with a full stop.
	Doc string
	// Tolerated says that controller-gen lets the mistake pass.
	Tolerated bool
}

// Rules lists them.
func Rules() []Rule {
	return []Rule{
		{ruleUnknown, "The name resembles a marker's but is none, so nothing reads it.", true},
		{ruleTarget, "The marker stands on a kind of declaration where nothing reads it.", true},
		{ruleSyntax, "The arguments do not follow the grammar of markers.", false},
		{ruleArgument, "The marker has no argument of this name, or not beside another one.", false},
		{ruleMissing, "An argument that the marker cannot do without is missing.", false},
		{ruleValue, "The value is not of the argument's type.", false},
		{rulePayload, "A tag that speaks of another marker has none behind its =, or one that nothing reads.", false},
		{ruleRefused, "The marker may not stand on this kind of declaration.", false},
		{ruleRepeated, "An argument, or a key of a map, is given twice; the last one wins.", true},
		{ruleLoose, "The value is not what it looks like: part of it is ignored, or a separator became part of it.", true},
	}
}

// Tolerated reports whether controller-gen lets the mistakes of a rule pass. For these Parse returns the value that
// controller-gen would use, so a caller may turn the error into a warning.
func Tolerated(rule string) bool {
	for _, r := range Rules() {
		if r.ID == rule {
			return r.Tolerated
		}
	}
	return false
}
