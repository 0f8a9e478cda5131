package markers

// A Difference is a case in which an object gets another verdict from Kubernetes' own Go validators (k8s.io/code-generator,
// validation-gen) than from the API server under a CRD with the same tags, because the server treats all CRDs so.
// testdata/declarative holds the two against each other; these are all differences that it lets pass.
type Difference struct {
	// ID is short and stable.
	ID string
	// Tags are those that it is seen with; none where it is no matter of a tag.
	Tags []string
	// Doc says in a sentence or two what differs and why.
	Doc string
}

// Differences are all of them, in the order of the reference.
func Differences() []Difference {
	return []Difference{
		{
			ID: "rules-unchecked",
			Doc: "A field that is missing, too long, of another type or not in its enum keeps the API server from asking the rules in CEL, so that " +
				"it tells fewer errors at once. It refuses the object all the same.",
		},
		{
			ID: "no-short-circuit",
			Doc: "Go's validators stop at the first error of some tags and do not look into the field; the API server tells the errors " +
				"within it, too.",
		},
		{
			ID: "duplicates-told-once", Tags: []string{"listType"},
			Doc: "Of three equal items Go's validators report two, the API server one.",
		},
		{
			ID: "duplicates-kept", Tags: []string{"listType"},
			Doc: "The API server does not look for equal items in an update if the stored object has some already, in whichever of its lists; Go's " +
				"validators forgive only the list that does not change.",
		},
		{
			ID: "duplicates-unequal", Tags: []string{"immutable", "update"},
			Doc: "A stored list of type map in which two items have one key is not equal to itself in CEL, so that its rules on changes refuse " +
				"an update that keeps it.",
		},
		{
			ID: "order-ignored", Tags: []string{"immutable", "update"},
			Doc: "Lists of type map and set are equal in CEL whatever their order is, so that reordering them is no change; to Go's validators it is.",
		},
	}
}
