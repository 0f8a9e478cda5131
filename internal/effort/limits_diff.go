package effort

// The limits of crdproof diff on all work for one CRD: that of all its versions, in both directions. Each is at least
// ten times what any CRD of the releases takes that crdproof is tested with, which is at most 270,000 steps; and each
// is spent in a few seconds.
var (
	// DiffSchemas bounds the comparison of schemas.
	DiffSchemas = &Limit{Name: "diff-schemas", Steps: "comparisons of parts of schemas", Most: 3_000_000,
		Beyond: undecided,
		Why:    "Comparing every member of a list with every other takes the square of their number."}
	// DiffRules bounds what is derived about rules.
	DiffRules = &Limit{Name: "diff-rules", Steps: "parts of rules that are visited", Most: 3_000_000,
		Beyond: undecided,
		Why:    "Each rule is compared with all others, and for each combination of the values that it reads."}
	// DiffClaims bounds what package symbolic evaluates.
	DiffClaims = &Limit{Name: "diff-claims", Steps: "steps of the evaluation of rules for all objects", Most: 5_000_000,
		Beyond: undecided,
		Why:    "The worst case grows exponentially with the conditions of a rule and of those of the old CRD."}
	// DiffClaim bounds what package symbolic evaluates for one question.
	DiffClaim = &Limit{Name: "diff-claim", Steps: "steps of the evaluation of one rule for all objects", Most: 500_000,
		Beyond: undecided,
		Why:    "One rule must not take what is meant for all. Those of CRDs of releases take at most 200,000."}
	// DiffTexts bounds the searches for texts that patterns match or do not match.
	DiffTexts = &Limit{Name: "diff-texts", Steps: "steps of the automata of patterns", Most: 10_000_000,
		Beyond: undecided,
		Why:    "Whether a text exists that several patterns match takes exponential work in general."}
	// DiffValues bounds the values that are made and validated without a server.
	DiffValues = &Limit{Name: "diff-values", Steps: "parts of values that are made or validated", Most: 2_000_000,
		Beyond: undecided,
		Why:    "A few bounds such as minItems in each other demand values of any size."}
	// DiffPlans bounds the plans for objects that may show a difference.
	DiffPlans = &Limit{Name: "diff-plans", Steps: "demands of plans for objects", Most: 3_000_000,
		Beyond: undecided,
		Why:    "The ways to satisfy or to violate nested oneOf and rules multiply."}
	// DiffWritten bounds the objects that are written to both CRDs.
	DiffWritten = &Limit{Name: "diff-written",
		Steps: "bytes of objects that are written and read, and parts of schemas that validate them",
		Most:  5_000_000, Beyond: undecided,
		Why: "Large defaults and junctors make each write expensive; the number of writes is limited, too."}
)

const undecided = "the answer is unknown"

// The limits of crdproof diff on single searches. The number of objects to try decides which differences are shown.
var (
	// DiffDepth bounds the depth of what is compared.
	DiffDepth = &Limit{Name: "diff-depth", Steps: "levels of a schema", Most: 100, Beyond: undecided,
		Why: "The paths of all levels take the square of the depth. CRDs of releases have fewer than 30 levels."}
	// DiffWrites bounds the objects that are tried for a version.
	DiffWrites = &Limit{Name: "diff-writes", Steps: "writes for one version of a CRD, in one direction", Most: 6_000,
		Beyond: undecided,
		Why:    "A write takes about a millisecond. CRDs of releases take at most some hundred."}
	// DiffTries bounds the objects that are tried for a difference.
	DiffTries = &Limit{Name: "diff-tries", Steps: "objects for one difference", Most: 60, Beyond: undecided,
		Why: "Nearly all differences are shown by one of the first ten objects."}
	// DiffErrors bounds the errors of an answer that are looked at.
	DiffErrors = &Limit{Name: "diff-errors", Steps: "errors in the answer to a write", Most: 100,
		Beyond: "the other errors are ignored",
		Why:    "Three errors are repaired at a time. The others decide whether a difference is the only one."}
	// DiffAlternatives bounds the alternatives for a part of a schema or of a rule.
	DiffAlternatives = &Limit{Name: "diff-alternatives", Steps: "plans for a part of a schema or of a rule", Most: 24,
		Beyond: "the other plans are not tried", Why: "Alternatives multiply, and 60 objects are tried."}
	// DiffRepairs bounds how often an object is repaired.
	DiffRepairs = &Limit{Name: "diff-repairs", Steps: "repairs of an object, one after the other", Most: 8,
		Beyond: "the object is given up", Why: "Each repair fixes up to three errors."}
	// DiffUpdateRepairs bounds how often an update is repaired.
	DiffUpdateRepairs = &Limit{Name: "diff-update-repairs", Steps: "repairs of an update, one after the other",
		Most: 2, Beyond: "the update is given up", Why: "An update changes one field, so that few errors follow."}
	// DiffUpdateWays bounds the alternatives for a repair of an update.
	DiffUpdateWays = &Limit{Name: "diff-update-ways", Steps: "ways to repair an update", Most: 4,
		Beyond: "the update is given up", Why: "With two repairs, these are 20 writes for one update."}
	// DiffUpdates bounds the updates of an object.
	DiffUpdates = &Limit{Name: "diff-updates", Steps: "updates of an object", Most: 30, Beyond: undecided,
		Why: "Each is written to both CRDs. The fields next to the difference come first."}
	// DiffFields bounds the fields of one object that updates change.
	DiffFields = &Limit{Name: "diff-fields", Steps: "fields of an object that updates change", Most: 8,
		Beyond: "updates of other fields are not tried", Why: "Fields around the object must get their turn, too."}
	// DiffTargets bounds the fields that an update changes for a transition rule.
	DiffTargets = &Limit{Name: "diff-transitions", Steps: "fields that updates change for a transition rule",
		Most: 100, Beyond: "updates of other fields are not tried", Why: "Each takes up to four writes."}
	// DiffShown bounds the objects that show a difference.
	DiffShown = &Limit{Name: "diff-shown", Steps: "objects that show a difference, but no rejected update", Most: 6,
		Beyond: "the first object is reported", Why: "Each takes up to 30 updates."}
	// DiffMinimal bounds the search for smaller witnesses.
	DiffMinimal = &Limit{Name: "diff-minimal", Steps: "writes that leave out parts of the objects for one version",
		Most: 800, Beyond: "the objects have parts that could be left out",
		Why: "Most objects have fewer than ten parts that no schema demands, and each takes up to four writes."}
	// DiffPicks bounds the values that are put at a place.
	DiffPicks = &Limit{Name: "diff-picks", Steps: "values at a place", Most: 6,
		Beyond: "other values are not tried", Why: "The values that violate nothing else come first."}
	// DiffNumbers bounds the numbers that are tried.
	DiffNumbers = &Limit{Name: "diff-numbers", Steps: "multiples of a step, or values of an enum that a rule reads",
		Most: 40, Beyond: undecided, Why: "A range with fewer integers is decided by trying all of them."}
	// DiffWords bounds the texts of one kind.
	DiffWords = &Limit{Name: "diff-words", Steps: "texts for a pattern", Most: 4,
		Beyond: "other texts are not tried", Why: "A shortest and a longest one, and two others."}
	// DiffText bounds one search for a text.
	DiffText = &Limit{Name: "diff-text", Steps: "steps of the search for one text", Most: 200_000, Beyond: undecided,
		Why: "It is about 0.1 s. The patterns of CRDs of releases take less."}
	// DiffLongText bounds the length of texts.
	DiffLongText = &Limit{Name: "diff-long-text", Steps: "characters of a text with maxLength", Most: 1 << 16,
		Beyond: "shorter texts are tried", Why: "The maximum length of labels, names and URLs is far below it."}
	// DiffOpenText bounds the length of texts without a maximum.
	DiffOpenText = &Limit{Name: "diff-open-text", Steps: "characters of a text without maxLength", Most: 1 << 10,
		Beyond: "shorter texts are tried", Why: "It is longer than every bound of names."}
	// DiffMinLength bounds the length of the shortest texts.
	DiffMinLength = &Limit{Name: "diff-min-length", Steps: "characters of the shortest text", Most: 3 << 20,
		Beyond: undecided,
		Why: "API servers accept bodies of requests up to 3 MiB (apiserver/pkg/server/config.go, " +
			"MaxRequestBodyBytes)."}
	// DiffProgram bounds the size of one pattern.
	DiffProgram = &Limit{Name: "diff-pattern", Steps: "instructions of a pattern", Most: 100_000, Beyond: undecided,
		Why: "Package regexp has a limit of 3,355,443 of them, which (.{1000}){1000} does not reach alone; 100,000 " +
			"take some megabytes."}
	// DiffKeys bounds the sizes of lists and maps.
	DiffKeys = &Limit{Name: "diff-keys", Steps: "items of a list, or keys of a map", Most: 1_100, Beyond: undecided,
		Why: "Some CRDs have maxItems 1024, which 1,025 items violate."}
	// Markdown bounds a report in Markdown.
	Markdown = &Limit{Name: "markdown", Steps: "bytes of a report in Markdown", Most: 32_000,
		Beyond: "the report has no objects, or shorter lists",
		Why:    "GitHub's limit of a comment is 65,536 characters, and OLM's of a status 32 kB."}
	// DiffVersions bounds --between-versions.
	DiffVersions = &Limit{Name: "diff-between-versions", Steps: "pairs of versions of one CRD", Most: 400,
		Beyond: "the other pairs are not compared",
		Why:    "20 versions are 380 pairs. Each pair is a comparison of its own."}
)

// diffLimits are the limits of crdproof diff, in the order of docs/limits.md.
func diffLimits() []*Limit {
	return []*Limit{
		DiffSchemas, DiffRules, DiffClaims, DiffClaim, DiffTexts, DiffValues, DiffPlans, DiffWritten, DiffDepth,
		DiffWrites, DiffTries, DiffErrors, DiffAlternatives, DiffRepairs, DiffUpdateRepairs, DiffUpdateWays,
		DiffUpdates, DiffFields, DiffTargets, DiffShown, DiffMinimal, DiffPicks, DiffNumbers, DiffWords,
		DiffText, DiffLongText, DiffOpenText, DiffMinLength, DiffProgram, DiffKeys, Markdown, DiffVersions,
	}
}
