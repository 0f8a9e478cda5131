package fill

import (
	"reflect"
	"strconv"
	"strings"
)

// hints are the hints of a field's tag `circle` about the values that its markers allow.
type hints struct {
	// set forbids to leave the value unset; filled forbids an empty text of a list of bytes, too.
	set, filled bool
	// solid forbids a null behind a pointer, too.
	solid bool
	// resource asks for a whole Kubernetes object.
	resource bool
	// bounded says that min and max are given, sized that minLen and maxLen are.
	bounded, sized           bool
	min, max, minLen, maxLen int
	// unique forbids equal elements; mapKey is the name of a field that no two elements share.
	unique bool
	mapKey string
	// noMeta forbids embedded metadata, which the author does not want to be stored.
	noMeta bool
	// omitZero is the JSON option of that name.
	omitZero bool
	// as is what the field has to show.
	as As
}

// parseHints returns a field's key, too; "" for a struct whose fields belong to the one around it.
func parseHints(field reflect.StructField) (key string, h hints) {
	for _, word := range strings.Split(field.Tag.Get("circle"), ",") {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "set":
			h.set, h.filled = true, true
		case "resource":
			h.resource = true
		case "min":
			h.bounded, h.min = true, n
		case "max":
			h.max = n
		case "minlen":
			h.sized, h.minLen = true, n
		case "maxlen":
			h.maxLen = n
		case "nometa":
			h.noMeta = true
		case "unique":
			h.unique = true
		case "mapkey":
			h.mapKey = value
		}
	}
	key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	h.omitZero = strings.Contains(","+options+",", ",omitzero,")
	t := field.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if key == "" && !(field.Anonymous && t.Kind() == reflect.Struct) {
		key = field.Name
	}
	return key, h
}
