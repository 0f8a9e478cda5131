package harness

import (
	"reflect"
	"strconv"
	"strings"
)

// isWrittenZero reports whether a path leads to a field of a struct that is not a pointer, has the zero value, and is
// written anyway.
func isWrittenZero(v reflect.Value, path []string) bool {
	v = reflect.Indirect(v)
	if len(path) == 0 || !v.IsValid() {
		return false
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name != path[0] {
				continue
			}
			if len(path) == 1 {
				return options == "" && v.Field(i).Kind() != reflect.Pointer && v.Field(i).IsZero()
			}
			return isWrittenZero(v.Field(i), path[1:])
		}
	case reflect.Slice:
		if n, err := strconv.Atoi(path[0]); err == nil && n < v.Len() {
			return isWrittenZero(v.Index(n), path[1:])
		}
	case reflect.Map:
		return isWrittenZero(v.MapIndex(reflect.ValueOf(path[0]).Convert(v.Type().Key())), path[1:])
	}
	return false
}
