package kube

// Feature is something that API servers do from some version on, and older ones do not or do otherwise. The linked
// library has all of them. Everything that depends on the version asks this table: the type checker, the estimates of
// costs, the verdict and the messages.
type Feature uint8

// The features. The first of them are fields of the CRD API.
const (
	OptionalOldSelf Feature = iota
	SelectableFields
	NameFormats
	// MetadataExamples rejects example and externalDocs in the schema of metadata.
	MetadataExamples
	// IntegerFormats validates that an integer is in the range of its format, such as int32.
	IntegerFormats
	// KeywordFields lets rules read a field by its own name if that is a word of CEL.
	KeywordFields
	// Optionals are the syntax of optional values, and comparisons of numbers of different types.
	Optionals
	// TwoVariables are the macros of comprehensions with two variables.
	TwoVariables
	// FormatChecks are those of the arguments of format, anywhere in which lists may have values of several types.
	FormatChecks
	// OptionalMacros lets the target of optMap and optFlatMap hold what has no type of its own, such as an empty list.
	OptionalMacros
	// EndsOfLists are first and last of lists, and unwrap of optional values.
	EndsOfLists
	// UnitEquality has the cost of one for comparing two values of a type of Kubernetes, and the size of a URL.
	UnitEquality
	// SizesOfLocals has estimates of sizes for variables, for values of lists and maps that a rule makes, and for all
	// that passes through dyn.
	SizesOfLocals
	// IntOrStringLength takes the maxLength of an int-or-string for its size.
	IntOrStringLength
	// GlobalMatches has the cost of a pattern for matches(text, pattern), as for text.matches(pattern).
	GlobalMatches
	// CappedNames has a maximum length for metadata.name and metadata.generateName of every resource.
	CappedNames
	// StatusRatcheting ratchets updates of the status subresource.
	StatusRatcheting
	// RuleValues has the values that break rules in errors.
	RuleValues
	// StatusPaths has the whole path in the errors of a status.
	StatusPaths
	// FreePresence has no cost for has().
	FreePresence
	// EnumLength takes the longest value of an enum for the size of a string.
	EnumLength
	// SizesOfMacros has estimates of sizes for the results of macros.
	SizesOfMacros
	// QuantityCosts has the cost of reading a text for quantity and isQuantity.
	QuantityCosts
	// BlockingEnums keeps a value that is not one of an enum from rules.
	BlockingEnums
	// DeclarativeMeta validates the metadata of objects by declarative tags.
	DeclarativeMeta
	// Ratcheting ratchets updates of objects.
	Ratcheting
	// SizesOfURLs has estimates of sizes for parts of URLs.
	SizesOfURLs
	// CostModel has the estimates of cel.dev/cel-go, which has more sizes of lists, maps and results of functions, and
	// none for some that were wrong.
	CostModel
	// TooFew has types of their own for errors of values that are too short, lists with too few items, and objects with
	// too few fields.
	TooFew
)

// A featureRow is what is known of a feature.
type featureRow struct {
	since Minor
	// older is what servers without the feature do, and source where that was looked up: in the versions of
	// k8s.io/apiextensions-apiserver, or of the module that is named, around it.
	older, source string
	// field is the name of the field that they drop, "" if it is not about one.
	field string
}

var features = [...]featureRow{
	OptionalOldSelf: {30, "the field optionalOldSelf of rules is dropped", "pkg/registry/customresourcedefinition/" +
		"strategy.go: up to 0.29, dropDisabledFields drops it, since CRDValidationRatcheting is off by default (pkg/" +
		"features/kube_features.go)", "optionalOldSelf"},
	SelectableFields: {31, "the field selectableFields is dropped",
		"pkg/registry/customresourcedefinition/strategy.go: in 0.30, dropDisabledFields drops it, since " +
			"CustomResourceFieldSelectors is off by default (pkg/features/kube_features.go)", "selectableFields"},
	NameFormats: {35, "the formats k8s-short-name and k8s-long-name are not validated", "pkg/apiserver/validation/" +
		"formats.go: introduced in 1.34, but a server of 1.34 knows the formats of the version before it only, as it " +
		"does the functions of CEL", ""},
	MetadataExamples: {36, "example and externalDocs are permitted in the schema of metadata",
		"pkg/apiserver/schema/convert.go: the structural schema has them from 0.36 on", ""},
	IntegerFormats: {36, "the formats of integers, such as int32, are not validated",
		"kube-openapi, pkg/validation/validate/schema.go, as of the versions that 0.35 and 0.36 require", ""},
	KeywordFields: {32, "a field whose name is a word of CEL has to be escaped in rules",
		"apiserver, pkg/cel/environment/environment.go", ""},
	Optionals: {29, "rules cannot use optional values, or compare numbers of different types",
		"apiserver, pkg/cel/environment/base.go", ""},
	TwoVariables: {33, "macros have one variable", "apiserver, pkg/cel/environment/base.go", ""},
	FormatChecks: {31, "the arguments of format are not checked, and a list of several types must be one of them, " +
		"not a part of one",
		"cel-go, ext/formatting.go: stringFormatValidator, from 0.18 on; cel/validator.go: inExemptFunction", ""},
	OptionalMacros: {32, "the target of optMap and optFlatMap cannot contain optional.none() or an empty list or map",
		"cel-go, cel/library.go: from 0.22 on, the macros copy their target; before that, its parts are checked " +
			"twice, and must have the same type both times (checker/checker.go, setType)", ""},
	EndsOfLists: {33, "rules cannot use first, last, optional.unwrap and unwrapOpt", "cel-go, cel/library.go: " +
		"version 2 of the library of optional values, which is the default from 0.23 on", ""},
	UnitEquality: {32, "the cost of comparing two quantities, URLs, IP addresses or CIDRs with == has no limit",
		"apiserver, pkg/cel/library/cost.go: EstimateCallCost has cases for == and for the size of " +
			"url from 0.32 on", ""},
	SizesOfLocals: {33, "values that a rule makes, and its variables, have no estimated sizes", "cel-go, " +
		"checker/cost.go: 0.23 has scopes for local variables, and entrySizeEstimate", ""},
	IntOrStringLength: {34, "the maxLength of an int-or-string is not taken for its size", "apiserver, " +
		"pkg/cel/common/schemas.go: SchemaDeclType", ""},
	GlobalMatches: {37, "the cost of matches(text, pattern) is that of a comparison", "cel-go, checker/cost.go: " +
		"functionCost has a case for the overload from 0.29 on", ""},
	CappedNames: {37, "metadata.name and metadata.generateName have no maximum length",
		"pkg/apiserver/schema/cel/model/schemas.go: WithTypeAndObjectMeta", ""},
	StatusRatcheting: {33, "updates of the status are not ratcheted",
		"pkg/registry/customresource/status_strategy.go: " +
			"ValidateUpdate passes the old object to the validators from 0.33 on", ""},
	RuleValues: {35, "errors of rules have the type of the value, not the value",
		"pkg/apiserver/schema/cel/validation.go: validateExpressions", ""},
	StatusPaths: {31, "the errors of updates of the status have paths that begin below it",
		"pkg/registry/customresource/validator.go: ValidateStatusUpdate", ""},
	FreePresence: {29, "has() costs 1",
		"apiserver, pkg/cel/environment/base.go: PresenceTestHasCost(false) from 0.29 on", ""},
	EnumLength: {29, "the longest value of an enum is not taken for the size of a string",
		"apiserver, pkg/cel/common/schemas.go: estimateMaxStringEnumLength", ""},
	SizesOfMacros: {30, "the results of macros, such as filter, have no estimated sizes", "cel-go, checker/cost.go: " +
		"costComprehension sets a size from 0.17.8 on", ""},
	QuantityCosts: {30, "quantity and isQuantity cost 1",
		"apiserver, pkg/cel/library/cost.go: EstimateCallCost has a case for them from 0.30 on", ""},
	BlockingEnums: {29, "rules are evaluated although a value is not one of its enum", "pkg/registry/customresource/" +
		"strategy.go: hasBlockingErr", ""},
	DeclarativeMeta: {38, "errors of the metadata of objects are those of handwritten code",
		"apimachinery, pkg/apis/meta/v1/types.go: the tags are beta from 0.38 on, and replace errors of " +
			"pkg/api/validation/objectmeta.go", ""},
	Ratcheting: {30, "updates are not ratcheted", "pkg/features/kube_features.go: CRDValidationRatcheting is off by " +
		"default up to 0.29", ""},
	SizesOfURLs: {38, "the parts of a URL, such as its host, have no estimated sizes", "apiserver, " +
		"pkg/cel/library/cost.go: EstimateCallCost has a ResultSize for getHost and others from 0.38 on", ""},
	CostModel: {38, "the sizes of lists and maps that a rule makes, and of what functions return, are estimated in " +
		"another way",
		"cel.dev/cel-go, common/cost, from 0.33 on", ""},
	TooFew: {38, "errors of minItems, minLength and minProperties are \"Invalid value\"",
		"pkg/apiserver/validation/validation.go: kubeOpenAPIResultToFieldErrors", ""},
}

// Since returns the first version whose API server has the feature by default, without a feature gate.
func (f Feature) Since() Minor { return features[f].since }

// Older says what servers do that do not have the feature, as a clause.
func (f Feature) Older() string { return features[f].older }

// Source returns where that was looked up.
func (f Feature) Source() string { return features[f].source }

// Field returns the field that servers without the feature drop, "" if it is not about one.
func (f Feature) Field() string { return features[f].field }

// Features returns all features.
func Features() (out []Feature) {
	for f := range features {
		out = append(out, Feature(f))
	}
	return out
}

// Has reports whether servers of a version have a feature.
func (m Minor) Has(f Feature) bool { return m >= f.Since() }
