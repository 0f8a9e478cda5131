package markers

// A Difference is a case in which Kubernetes' own Go validators (k8s.io/code-generator, validation-gen) and the API
// server under a CRD with the same tags report different errors for an object, because of how the server treats all
// CRDs. testdata/declarative compares the two; these are the differences that it accepts.
type Difference struct {
	// ID is short and stable.
	ID string
	// Tags are the tags that show it; none if it does not depend on a tag.
	Tags []string
	// Doc says in a few sentences what differs and why.
	Doc string
}

// Differences returns all of them, in the order of the reference.
func Differences() []Difference {
	return []Difference{
		{ID: "rules-unchecked",
			Doc: "If a field is missing, too long, of the wrong type or not an enum value, the API server rejects " +
				"the object before it runs CEL rules. It then reports fewer errors at once."},
		{ID: "zero-is-set", Tags: []string{"k8s:optional"},
			Doc: "Without omitempty, Go encodes an optional field even if it is empty, and the API server checks " +
				"its bounds. Go's validators treat the field as unset. crdproof warns about such fields."},
		{ID: "no-short-circuit",
			Doc: "Go's validators stop at the first error of some tags and do not validate the rest of the field. " +
				"The API server also reports the errors inside it."},
		{ID: "reported-as-a-whole", Tags: []string{"k8s:unique", "k8s:update"},
			Doc: "A CEL rule that compares items reports its error at the list or map, since a fieldPath cannot " +
				"name an item. Go's validators name the item."},
		{ID: "less-ratcheting",
			Doc: "An update may keep invalid values of the stored object. The API server allows this only if the " +
				"whole value that has the keyword or the rule is unchanged. A rule about several fields is on " +
				"their struct, so no field of the struct may change. Go's validators compare only the value that " +
				"the tag applies to."},
		{ID: "added-parts", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "Rules about changes do not run for a value that the update adds, such as an item of a list, " +
				"since it has no old value. Go's validators treat its fields as unset before the update."},
		{ID: "required-was-missing", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "A stored object may lack a required field, if the object is older than the schema. A rule about " +
				"changes of the field then does not run. Go's validators treat the field as unset before the update."},
		{ID: "duplicates-reported-once", Tags: []string{"k8s:listType"},
			Doc: "If three items are equal, Go's validators report two of them, and the API server reports one."},
		{ID: "duplicates-kept", Tags: []string{"k8s:listType"},
			Doc: "If any list of the stored object has equal items, the API server does not look for equal items " +
				"in an update. Go's validators accept equal items only in a list that does not change."},
		{ID: "duplicates-unequal", Tags: []string{"k8s:listType", "k8s:immutable", "k8s:update"},
			Doc: "Two items of a list of type map may have the same key in a stored object. The API server then " +
				"does not find the old items that Go's validators find, and in CEL the list does not equal itself. " +
				"It can therefore reject an update that keeps the list, or miss a change in it."},
		{ID: "order-ignored", Tags: []string{"k8s:immutable", "k8s:update"},
			Doc: "In CEL, lists of type map and set are equal in any order, so reordering is not a change. For Go's " +
				"validators it is."},
	}
}
