package support

// A crdType is the structure of a schema, for decisions at run time: which fields are unknown, which defaults are
// missing, which old value belongs to a new one, and what the type of a dynamic value of CEL is.
type crdType struct {
	// name is the JSON type; "" for int-or-string and for unknown data that is preserved.
	name string
	// own validates what this structure does not say. It is nil if there is nothing: then all constraints are the type,
	// the limits, and what is said about fields, items and values.
	own crdCheck
	// These are limits of strings and lists; 0 is none.
	minLength, maxLength, minItems, maxItems int
	// only are the strings that are allowed, nil for all.
	only []string
	// fields are the properties, sorted by name.
	fields []crdTypeField
	// needs are the names of the fields that an object must have.
	needs []string
	// items is the type of a list's items, values that of a map's values. Their defaults replace null.
	items, values *crdType
	nullable      bool
	preserve      bool
	intOrString   bool
	// open is set if an object may have any fields, in which everything is unknown.
	open bool
	// embedded is set for resources, embedded ones and whole objects: apiVersion, kind and metadata are always known.
	embedded bool
	// has says what there may be in a value, or what it is itself.
	has crdContent
	// defaults are those of the fields.
	defaults                  []crdDefault
	itemDefault, valueDefault func() any
	format                    string
	listType                  string
	listKeys                  []string
	// resource is set for an embedded resource that does not describe apiVersion, kind and metadata itself: the type
	// that CEL sees instead, which does. Old and new values are correlated without it.
	resource *crdType
}

// A crdContent says what is in values, so that other values are not searched.
type crdContent uint8

const (
	// crdLists are those of type set and map.
	crdLists crdContent = 1 << iota
	// crdResources are embedded ones.
	crdResources
)

// A crdTypeField is a property.
type crdTypeField struct {
	name string
	typ  *crdType
}

// A crdDefault is the default of a field. Each call of value makes a new one.
type crdDefault struct {
	name  string
	value func() any
}

// field returns the type of a property, nil if there is no property of that name.
func (t *crdType) field(name string) *crdType {
	if at, found := t.find(name, len(t.fields)); found {
		return t.fields[at].typ
	}
	return nil
}

// find returns the position of a property. It is found faster if it is the next one, or soon after it.
func (t *crdType) find(name string, next int) (at int, found bool) {
	const near = 8
	for i := next; i < len(t.fields) && i < next+near; i++ {
		if t.fields[i].name == name {
			return i, true
		}
	}
	low, high := 0, len(t.fields)
	for low < high {
		if middle := (low + high) / 2; t.fields[middle].name < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(t.fields) && t.fields[low].name == name
}
