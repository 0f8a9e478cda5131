// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

// A Type is the structure of a schema, for decisions at run time: which fields are unknown, which defaults are
// missing, which old value belongs to a new one, and what the type of a dynamic value of CEL is.
type Type struct {
	// Name is the JSON type; "" for int-or-string and for unknown data that is preserved.
	Name string
	// Own validates what this structure does not say. It is nil if there is nothing: then all constraints are the type,
	// the limits, and what is said about fields, items and values.
	Own Check
	// These are limits of strings and lists; 0 is none.
	MinLength, MaxLength, MinItems, MaxItems int
	// Only are the strings that are allowed, nil for all.
	Only []string
	// Fields are the properties, sorted by name.
	Fields []TypeField
	// Needs are the names of the fields that an object must have.
	Needs []string
	// Items is the type of a list's items, Values that of a map's values. Their defaults replace null.
	Items, Values *Type
	Nullable      bool
	Preserve      bool
	IntOrString   bool
	// Open is set if an object may have any fields, in which everything is unknown.
	Open bool
	// Embedded is set for resources, embedded ones and whole objects: apiVersion, kind and metadata are always known.
	Embedded bool
	// Has says what there may be in a value, or what it is itself.
	Has Content
	// Defaults are those of the fields.
	Defaults                  []Default
	ItemDefault, ValueDefault func() any
	Format                    string
	ListType                  string
	ListKeys                  []string
	// Resource is set for an embedded resource that does not describe apiVersion, kind and metadata itself: the type
	// that CEL sees instead, which does. Old and new values are correlated without it.
	Resource *Type
}

// A Content says what is in values, so that other values are not searched.
type Content uint8

const (
	// Lists are those of type set and map.
	Lists Content = 1 << iota
	// Resources are embedded ones.
	Resources
)

// A TypeField is a property.
type TypeField struct {
	Name string
	Type *Type
}

// A Default is the default of a field. Each call of value makes a new one.
type Default struct {
	Name  string
	Value func() any
}

// field returns the type of a property, nil if there is no property of that name.
func (t *Type) field(name string) *Type {
	if at, found := t.find(name, len(t.Fields)); found {
		return t.Fields[at].Type
	}
	return nil
}

// find returns the position of a property. It is found faster if it is the next one, or soon after it.
func (t *Type) find(name string, next int) (at int, found bool) {
	const near = 8
	for i := next; i < len(t.Fields) && i < next+near; i++ {
		if t.Fields[i].Name == name {
			return i, true
		}
	}
	low, high := 0, len(t.Fields)
	for low < high {
		if middle := (low + high) / 2; t.Fields[middle].Name < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(t.Fields) && t.Fields[low].Name == name
}
