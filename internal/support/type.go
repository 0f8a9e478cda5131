package support

// A Type is the structure of a schema, for decisions at run time: which fields are unknown, which defaults are
// missing, which old value belongs to a new one, and what the type of a dynamic value of CEL is. Types are data
// (Types.Data).
type Type struct {
	// Name is the JSON type; "" for int-or-string and for unknown data that is preserved.
	Name string
	// more are constraints that few types have; nil if there are none.
	more *constraints
	// These are limits of strings and lists; 0 limits nothing.
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
	Defaults []Default
	// ItemDefault and ValueDefault are nil for none.
	ItemDefault, ValueDefault any
	Format                    string
	ListType                  string
	ListKeys                  []string
	// Resource is set for an embedded resource that does not describe apiVersion, kind and metadata itself: the type
	// that CEL sees instead, which does. Old and new values are correlated without it.
	Resource *Type
	// rules are those of the value itself. readsOld is set if one of them reads the old value.
	rules    []Rule
	readsOld bool
}

// A Content says what is in values, so that other values are not searched.
type Content uint8

const (
	// Lists are those of type set and map.
	Lists Content = 1 << iota
	// Resources are embedded ones.
	Resources
	// withRules are values with rules, withOldRules those with rules that read the old value.
	withRules
	withOldRules
)

// A TypeField is a property.
type TypeField struct {
	Name string
	Type *Type
}

// A Default is the default of a field.
type Default struct {
	Name  string
	Value any
}

// copied is a new value that equals a default.
func copied(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for name, field := range value {
			out[name] = copied(field)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = copied(item)
		}
		return out
	}
	return value
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
