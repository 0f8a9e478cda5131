package markers

// A Difference is a case in which an object gets another verdict from Kubernetes' own Go validators
// (k8s.io/code-generator, validation-gen) than from the API server under a CRD with the same tags, because the server
// treats all CRDs so. testdata/declarative holds the two against each other; these are all differences that it lets
// pass.
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
		{ID: "rules-unchecked",
			Doc: "A field that is missing, too long, of another type or not in its enum keeps the API server from " +
				"asking the rules in CEL, so that it tells fewer errors at once. It refuses the object all the same."},
		{ID: "zero-is-set", Tags: []string{"k8s:optional"},
			Doc: "An optional field without omitempty is written even where it is empty, and the API server holds " +
				"its bounds against what is written. Go's validators take it as not set. crdproof warns of such " +
				"fields."},
		{ID: "no-short-circuit",
			Doc: "Go's validators stop at the first error of some tags and do not look further into the field; the " +
				"API server tells the errors within it, too."},
		{ID: "told-of-the-whole", Tags: []string{"k8s:unique", "k8s:update"},
			Doc: "What a rule in CEL says of several items it says of the list or map, since a fieldPath cannot " +
				"name an item; Go's validators name the item."},
		{ID: "ratcheted-less",
			Doc: "An update may keep what is wrong in the stored object. For the API server that is what stands " +
				"unchanged where the keyword or the rule stands, and a rule about several fields stands at their " +
				"struct; Go's validators look at just what the tag speaks of."},
		{ID: "added-parts", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "Rules on changes are not asked for what the update adds as a whole, such as an item of a list, " +
				"since it has no old value; Go's validators take its fields as having been unset."},
		{ID: "required-was-missing", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "A rule on changes of a required field stands at the field, and is not asked where the stored " +
				"object lacks it all the same, which it can only if it is older than the schema; Go's validators " +
				"take the field as having been unset."},
		{ID: "duplicates-told-once", Tags: []string{"k8s:listType"},
			Doc: "Of three equal items Go's validators report two, the API server one."},
		{ID: "duplicates-kept", Tags: []string{"k8s:listType"},
			Doc: "The API server does not look for equal items in an update if the stored object has some already, " +
				"in whichever of its lists; Go's validators forgive only the list that does not change."},
		{ID: "duplicates-unequal", Tags: []string{"k8s:listType", "k8s:immutable", "k8s:update"},
			Doc: "Where two items of a list of type map have one key, the API server does not find the old items " +
				"that Go's validators find, and the list is not equal to itself in CEL. So it refuses an update " +
				"that keeps such a list, or misses a change in one."},
		{ID: "order-ignored", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "Lists of type map and set are equal in CEL whatever their order is, so that reordering them is no " +
				"change; to Go's validators it is."},
	}
}
