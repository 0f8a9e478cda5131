package markers

// A Difference is a case in which Kubernetes' own Go validators (k8s.io/code-generator, validation-gen) and the API
// server under a CRD with the same tags report different errors for an object, because the server treats all CRDs so.
// testdata/declarative compares the two; these are the differences that it accepts.
type Difference struct {
	// ID is short and stable.
	ID string
	// Tags are the tags that show it; none if it does not depend on a tag.
	Tags []string
	// Doc says in a few sentences what differs and why.
	Doc string
}

// Differences are all of them, in the order of the reference.
func Differences() []Difference {
	return []Difference{
		{ID: "rules-unchecked",
			Doc: "If a field is missing, too long, of another type or not in its enum, the API server does not run " +
				"CEL " +
				"rules, so it reports fewer errors at once. It rejects the object anyway."},
		{ID: "zero-is-set", Tags: []string{"k8s:optional"},
			Doc: "An optional field without omitempty is encoded even if it is empty, and the API server checks its " +
				"bounds. Go's validators treat it as unset. crdproof warns about such fields."},
		{ID: "no-short-circuit",
			Doc: "Go's validators stop at the first error of some tags and do not validate the rest of the field. " +
				"The " +
				"API server also reports the errors inside it."},
		{ID: "told-of-the-whole", Tags: []string{"k8s:unique", "k8s:update"},
			Doc: "A CEL rule about several items reports its error at the list or map, since a fieldPath cannot name " +
				"an " +
				"item. Go's validators name the item."},
		{ID: "ratcheted-less",
			Doc: "An update may keep invalid values of the stored object. The API server compares the value that has " +
				"the " +
				"keyword or the rule, which for a rule about several fields is their struct. Go's validators compare " +
				"only " +
				"the value that the tag applies to."},
		{ID: "added-parts", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "Rules on changes do not run for values that the update adds as a whole, such as an item of a list, " +
				"since they have no old value. Go's validators treat its fields as unset before."},
		{ID: "required-was-missing", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "A rule on changes of a required field is at the field, and does not run if the stored object lacks " +
				"the " +
				"field, which is possible if it is older than the schema. Go's validators treat the field as unset " +
				"before."},
		{ID: "duplicates-told-once", Tags: []string{"k8s:listType"},
			Doc: "Of three equal items Go's validators report two, the API server one."},
		{ID: "duplicates-kept", Tags: []string{"k8s:listType"},
			Doc: "The API server does not look for equal items in an update if any list of the stored object has " +
				"some. " +
				"Go's validators accept them only in a list that does not change."},
		{ID: "duplicates-unequal", Tags: []string{"k8s:listType", "k8s:immutable", "k8s:update"},
			Doc: "If two items of a list of type map have the same key, the API server does not find the old items " +
				"that " +
				"Go's validators find, and the list is not equal to itself in CEL. So it rejects an update that " +
				"keeps such " +
				"a list, or misses a change in one."},
		{ID: "order-ignored", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "In CEL, lists of type map and set are equal in any order, so reordering is not a change. For Go's " +
				"validators it is."},
	}
}
