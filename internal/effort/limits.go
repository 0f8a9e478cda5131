package effort

import (
	"fmt"
	"io"
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// RevisionBytes limits what is read of a git revision.
var RevisionBytes = &Limit{
	Name: "revision-bytes", Steps: "bytes of files of a git revision", Most: 2 << 30,
	Beyond: "the revision is rejected",
	Why:    "All files of a revision are in memory at the same time.",
}

// FileBytes limits the size of a file.
var FileBytes = &Limit{
	Name: "file-bytes", Steps: "bytes of a file", Most: 256 << 20, Beyond: "the file is rejected",
	Why: "An API server accepts requests of 3 MiB (k8s.io/apiserver, pkg/server/config.go: MaxRequestBodyBytes), and " +
		"a file may hold many objects.",
}

// ShippedBytes limits the search for what scripts write into CRDs after generation.
var ShippedBytes = &Limit{
	Name: "shipped-bytes", Steps: "bytes of YAML files that are searched for CRDs which were edited after generation",
	Most:   256 << 20,
	Beyond: "the other files are not read, and findings that they would answer are listed",
	Why:    "A repository may hold any number of manifests. The largest known ones have a tenth.",
}

// DeclaredFormats limits the formats of a project's own.
var DeclaredFormats = &Limit{
	Name: "declared-formats", Steps: "formats in the files that declarativeFormats names", Most: 1_000,
	Beyond: "the file is rejected",
	Why:    "A tag with an unknown format is compared with all of them. Kubernetes has 13 formats.",
}

// The limits of schemas and of the Go types that they are made of.
var (
	// SchemaNodes limits the schema of one version of a CRD.
	SchemaNodes = &Limit{
		Name: "schema-nodes", Steps: "schemas in the schema of a version", Most: 131_072,
		Beyond: "the CRD is rejected",
		Why: "An API server reads 3 MiB of a request (`MaxRequestBodyBytes` in k8s.io/apiserver, " +
			"pkg/server/config.go), and a field takes at least 24 bytes: its name, its type and the punctuation.",
	}
	// SchemaDepth limits how deep schemas are nested.
	SchemaDepth = &Limit{
		Name: "schema-depth", Steps: "levels of a schema", Most: 1_000,
		Beyond: "the CRD is rejected",
		Why: "The size of a YAML file and of all paths in findings grows with the square of the depth. An API server " +
			"reads 10,000 levels of JSON (`maxNestingDepth` in sigs.k8s.io/json, " +
			"internal/golang/encoding/json/scanner.go); a field takes two. Its own decoder takes the square of the " +
			"depth, too (`UnmarshalJSON` in k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/v1/marshal.go).",
	}
	// TypeContents limits the steps of Go's type checker.
	TypeContents = &Limit{
		Name:  "type-contents",
		Steps: "pairs of Go values in each other, without pointers, slices and maps between them",
		Most:  200_000_000, Beyond: "the Go type is rejected",
		Why: "Go's type checker, and so the compiler, compares all of them (go/types, validtype.go). Their number " +
			"can double with each type.",
	}
	// ConstantBytes limits the strings that are listed as enum values.
	ConstantBytes = &Limit{
		Name: "constant-bytes", Steps: "bytes of a constant", Most: 3 << 20,
		Beyond: "the enum that lists the constant is rejected",
		Why: "An API server reads 3 MiB of a request. A constant can be twice as long as the one that it is made " +
			"of.",
	}
	// EmbeddedStructs limits the structs that one struct embeds, with those that are embedded in them.
	EmbeddedStructs = &Limit{
		Name: "embedded-structs", Steps: "embedded structs of a struct", Most: 10_000,
		Beyond: "the Go type is rejected",
		Why: "A struct that is embedded on several paths counts once for each: their number can double with each " +
			"level.",
	}
	// TypeArguments limits the arguments of a generic type.
	TypeArguments = &Limit{
		Name: "type-arguments", Steps: "types in the arguments of a generic type", Most: 10_000,
		Beyond: "the Go type is rejected",
		Why:    "An argument can contain another one several times, so that its size can double with each type.",
	}
	// TypeExpansions limits how often a generic type is described within itself, with different arguments.
	TypeExpansions = &Limit{
		Name: "type-expansions", Steps: "instances of a generic type within itself", Most: 20,
		Beyond: "the Go type is rejected", Why: "Such a type seems to expand endlessly.",
	}
	// TypeInstances limits the instances of a generic type that is described within itself.
	TypeInstances = &Limit{
		Name: "type-instances", Steps: "instances of such a type in a CRD", Most: 1_000,
		Beyond: "the Go type is rejected", Why: "Such a type seems to expand endlessly.",
	}
	// UnknownMarkers limits the search for the markers that comments were meant to be.
	UnknownMarkers = &Limit{
		Name: "unknown-markers", Steps: "comments that begin as markers do and are not known ones", Most: 10_000,
		Beyond: "misspelled markers in the others are not reported",
		Why:    "Each is compared with all known markers. Large projects have some hundred, which other tools read.",
	}
	// ZeroValues limits the zero values of Go types.
	ZeroValues = &Limit{
		Name: "zero-values", Steps: "values in the JSON of an unset Go field", Most: 1_000,
		Beyond: "it is not checked whether an API server accepts the unset field",
		Why: "The zero value of an array or a struct contains those of its parts, so that its size can grow with " +
			"each.",
	}
)

// The limits of files and of the validation of CRDs.
var (
	// AliasBytes limits the expansion of a document.
	AliasBytes = &Limit{
		Name: "alias-bytes", Steps: "bytes of expanded YAML aliases of a document", Most: 32 << 20,
		Beyond: "the document is rejected",
		Why: "Aliases of aliases multiply the size. An API server reads 3 MiB of one object " +
			"(`MaxRequestBodyBytes`); a document can be a list of some objects.",
	}
	// DefaultValues limits the size of a default.
	DefaultValues = &Limit{
		Name: "default-values", Steps: "values in a default", Most: 10_000,
		Beyond: "the CRD is rejected",
		Why: "If they are invalid, the time of the API server's code grows with their square (`Merge` in " +
			"k8s.io/kube-openapi, pkg/validation/validate/result.go).",
	}
	// ObjectFindings limits the errors about an object, and its unknown fields.
	ObjectFindings = &Limit{
		Name: "object-findings", Steps: "errors, or unknown fields, of an object", Most: 1_000,
		Beyond: "the others are counted",
		Why:    "Each is explained with its position and a help, for which the whole object is searched.",
	}
	// Rejections limits the reasons for a rejection that are explained.
	Rejections = &Limit{
		Name: "rejections", Steps: "reasons for which the API server rejects a CRD", Most: 1_000,
		Beyond: "the other reasons are counted",
		Why:    "Each is explained in the words of the source. Most of so many follow from a few mistakes.",
	}
)

// The limits of the search for values that objects may lack (cel-absent, cel-never, cel-message-absent), and for which
// rules fail (cel-runtime).
var (
	// AbsenceSteps limits the search in all rules of a version.
	AbsenceSteps = &Limit{
		Name: "absence-steps", Steps: "steps of the search for absent values", Most: 10_000_000,
		Beyond: "it is not decided for the other rules whether they read absent values",
		Why:    "The worst case grows exponentially. The largest known CRDs need a tenth.",
	}
	// AbsenceFormulas limits the memory of the search.
	AbsenceFormulas = &Limit{
		Name: "absence-formulas", Steps: "nodes of decision diagrams for a version", Most: 200_000,
		Beyond: "it is not decided for the other rules whether they read absent values",
		Why:    "They take memory. The largest known CRDs need a tenth.",
	}
	// AbsenceNamed limits the items and keys that the search distinguishes.
	AbsenceNamed = &Limit{
		Name: "absence-named", Steps: "items of a list, or keys of a map, that rules name", Most: 4,
		Beyond: "the others are treated as one",
		Why:    "The places to look at multiply with each list in a list.",
	}
	// AbsenceConstants limits the constants that the search distinguishes.
	AbsenceConstants = &Limit{
		Name: "absence-constants", Steps: "constants that a value is compared with", Most: 64,
		Beyond: "the others may be equal to them",
		Why:    "Each is compared with all others.",
	}
	// AbsenceProducts limits the combinations of values of the arguments of a function.
	AbsenceProducts = &Limit{
		Name: "absence-products", Steps: "combinations of what the arguments of a function may be", Most: 256,
		Beyond: "the result may be any value",
		Why:    "They multiply with each argument.",
	}
	// AbsenceNames limits the names of values that the search distinguishes.
	AbsenceNames = &Limit{
		Name: "absence-names", Steps: "bytes of the expression that identifies a value", Most: 10_000,
		Beyond: "the value is treated as unknown",
		Why:    "Variables of macros could double the expression again and again.",
	}
	// AbsenceGuards limits the attempts to add guards to a rule.
	AbsenceGuards = &Limit{
		Name: "absence-guards", Steps: "times that guards are added to a rule", Most: 8,
		Beyond: "the help does not have the whole rule",
		Why:    "Behind the first guards, a rule may read other absent values.",
	}
	// AbsenceFixed limits the rules to which guards are added.
	AbsenceFixed = &Limit{
		Name: "absence-fixed", Steps: "bytes of a rule to which guards are added", Most: 10_000,
		Beyond: "the help does not have the whole rule",
		Why:    "To compile and evaluate a longer rule takes seconds, and the help would be too long to read.",
	}
	// AbsenceProofs limits the search for an object for which a rule with guards has another result.
	AbsenceProofs = &Limit{
		Name: "absence-proofs", Steps: "steps to show what guards change in the rules of a version", Most: 2_000_000,
		Beyond: "the help does not have the whole rule",
		Why:    "Each rule that is tried is compared with all rules of the version.",
	}
	// RuntimeErrors limits the search for values for which rules fail.
	RuntimeErrors = &Limit{
		Name: "runtime-errors", Steps: "steps of the search for values for which the rules of a version fail",
		Most: 2_000_000, Beyond: "it is not decided for the other rules whether they fail",
		Why: "Each rule that calls a function that may fail is evaluated for all objects once more.",
	}
)

// The limits of the search for updates that together do what a rule forbids (immutable-optional).
var (
	// TransitionSteps limits the search for objects with a value that rules compare with its old one.
	TransitionSteps = &Limit{
		Name: "transition-steps", Steps: "steps of the search for objects that rules compare with older ones",
		Most: 5_000_000, Beyond: "nothing is found for the other rules",
		Why: "The worst case grows exponentially. The largest known CRDs need a tenth.",
	}
	// TransitionWrites limits the writes of such objects.
	TransitionWrites = &Limit{
		Name: "transition-writes", Steps: "writes of objects that rules compare with older ones", Most: 10_000,
		Beyond: "nothing is found for the other rules",
		Why:    "Most rules need three; each value that does not match a pattern takes one more.",
	}
)

// The limits of the objects that show the answer to a question about rules.
var (
	// SymbolicTries limits the objects that are made for one answer.
	SymbolicTries = &Limit{
		Name: "symbolic-tries", Steps: "objects that may show how two rules differ", Most: 8,
		Beyond: "the answer is unknown",
		Why:    "The first one shows it, unless a rule calls a function whose result is not known.",
	}
	// SymbolicText limits the search for a string of such an object.
	SymbolicText = &Limit{
		Name: "symbolic-text", Steps: "steps of the search for a string that matches a pattern", Most: 10_000,
		Beyond: "the answer is unknown",
		Why:    "Some patterns have only very long strings.",
	}
	// SymbolicTexts limits the conditions about one string whose pairs are compared.
	SymbolicTexts = &Limit{
		Name: "symbolic-texts", Steps: "conditions about a string, such as matches() and startsWith()", Most: 12,
		Beyond: "only the combinations of an example are compared",
		Why:    "Each pair takes four searches for a string.",
	}
	// SymbolicSums limits the values that a sum is known to have.
	SymbolicSums = &Limit{
		Name: "symbolic-sums", Steps: "values of a sum", Most: 32,
		Beyond: "only the least and the largest value of the sum are known",
		Why:    "They multiply with each operand.",
	}
	// SymbolicSize limits the objects.
	SymbolicSize = &Limit{
		Name: "symbolic-size", Steps: "items of a list, or letters of a string, in such an object", Most: 1_000,
		Beyond: "the answer is unknown",
		Why:    "Nothing larger is needed, unless a rule compares a size with a large number.",
	}
)

// ExpressionRepairs limits the search for what is meant by an expression that does not compile.
var ExpressionRepairs = &Limit{
	Name: "expression-repairs", Steps: "bytes that are compiled in place of an expression that does not compile",
	Most:   60_000,
	Beyond: "the help does not have the whole expression",
	Why:    "Each mistake has several possible corrections, and an expression may have several mistakes.",
}

// The limits of the search for strings that match the patterns of a field.
var (
	// PatternTexts limits the searches of a CRD.
	PatternTexts = &Limit{
		Name: "pattern-texts", Steps: "steps of the search for strings that match the patterns of a CRD",
		Most:   20_000_000,
		Beyond: "it is not decided for the other fields whether their patterns match every string, or none",
		Why:    "The automata of some patterns are exponentially large. The largest known CRDs need a hundredth.",
	}
	// PatternText limits one search.
	PatternText = &Limit{
		Name: "pattern-text", Steps: "steps of the search for a string that matches the patterns of a field",
		Most:   500_000,
		Beyond: "it is not decided whether every string matches the patterns, or none",
		Why:    "One pattern must not spend what is left for the others.",
	}
)

// VacuousSteps limits the search for objects for which a rule is false, or true.
var VacuousSteps = &Limit{
	Name: "vacuous-steps", Steps: "steps of the search for objects for which a rule of a version is false, or true",
	Most: 5_000_000, Beyond: "it is not decided for the other rules whether they have the same result for all objects",
	Why: "The worst case grows exponentially. The largest known CRDs need a hundredth.",
}

// CostSteps limits the search for bounds that bring the costs of the rules of a version within the budgets.
var CostSteps = &Limit{
	Name: "cost-steps", Steps: "bytes of rules whose cost is estimated for proposals", Most: 5_000_000,
	Beyond: "no bounds are proposed for the other rules",
	Why:    "Each proposal estimates all rules several hundred times, with the API server's code.",
}

// The limits of the search for calls of controller-gen in a repository.
var (
	AdoptFiles = &Limit{
		Name: "adopt-files", Steps: "files and directories of a repository", Most: 500_000,
		Beyond: "the other files are not searched for calls of controller-gen",
		Why:    "The largest known repositories of operators have a tenth.",
	}
	AdoptBytes = &Limit{
		Name: "adopt-bytes", Steps: "bytes of Makefiles, scripts, Taskfiles and Go files", Most: 256 << 20,
		Beyond: "the other files are not searched for calls of controller-gen",
		Why:    "The largest known repositories of operators have a tenth.",
	}
	AdoptFile = &Limit{
		Name: "adopt-file", Steps: "bytes of a file with calls of controller-gen", Most: 4 << 20,
		Beyond: "the file is not searched for calls of controller-gen",
		Why:    "People write these files.",
	}
	AdoptCalls = &Limit{
		Name: "adopt-calls", Steps: "calls of controller-gen in a repository, and commands behind a call", Most: 1_000,
		Beyond: "the other calls are not edited",
		Why:    "People read the list. The largest known repositories have ten.",
	}
	AdoptExpansion = &Limit{
		Name: "adopt-expansion", Steps: "bytes of Makefiles and of the variables in their calls", Most: 16 << 20,
		Beyond: "the calls are not edited",
		Why:    "A variable may contain another one several times, so that its length can double with each.",
	}
)

// Limits returns all limits, in the order of docs/limits.md.
func Limits() []*Limit {
	general := []*Limit{
		FileBytes, RevisionBytes, ShippedBytes, DeclaredFormats,
		AdoptFiles, AdoptBytes, AdoptFile, AdoptCalls, AdoptExpansion,
		SchemaNodes, SchemaDepth, TypeContents, ConstantBytes, EmbeddedStructs, TypeArguments, TypeExpansions,
		TypeInstances, ZeroValues,
		UnknownMarkers,
		AliasBytes, DefaultValues, ObjectFindings, Rejections,
		AbsenceSteps, AbsenceFormulas, AbsenceNamed, AbsenceConstants, AbsenceProducts, AbsenceNames,
		AbsenceGuards, AbsenceFixed, AbsenceProofs, RuntimeErrors, TransitionSteps, TransitionWrites,
		SymbolicTries, SymbolicText, SymbolicTexts, SymbolicSums, SymbolicSize, ExpressionRepairs, PatternTexts,
		PatternText,
		VacuousSteps, CostSteps,
	}
	return slices.Concat(general, diffLimits(), helperLimits())
}

const head = `# Limits

<!-- Written by go test ./internal/effort -update from the table of the limits. -->

Every search, expansion and comparison of crdproof ends. Each counts its steps, not seconds, so that the result is the
same on every machine. Beyond a limit, crdproof either rejects the input or reports that a part of the validation is not
decided, with the check [too-large](checks.md).

`

// WritePage writes docs/limits.md.
func WritePage(w io.Writer) error {
	_, err := fmt.Fprint(w, head, "| Limit | Counts | At most | Beyond it | Why |\n|---|---|---|---|---|\n")
	if err != nil {
		return err
	}
	for _, l := range Limits() {
		if _, err := fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s |\n", l.Name, l.Steps, diag.Grouped(l.Most), l.Beyond,
			l.Why); err != nil {
			return err
		}
	}
	return nil
}
