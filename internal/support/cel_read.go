package support

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// readJSON makes a JSON value of the schema a value of CEL (apiserver, pkg/cel/common, UnstructuredToVal).
func readJSON(value any, t *Type) any {
	if value == nil {
		if t.Nullable {
			return nil
		}
		return nullRead
	}
	if t.IntOrString {
		switch value.(type) {
		case string, int64:
			return value
		}
		return &Failure{"invalid data, expected XIntOrString value to be either a string or integer"}
	}
	switch t.Name {
	case "object":
		if fields, ok := asMap(value); ok {
			if t.Resource != nil {
				t = t.Resource
			}
			return schemaObject{fields, t}
		}
		return &Failure{"invalid data, expected a map for the provided schema with type=object"}
	case "array":
		if items, ok := value.([]any); ok {
			return List{Items: items, Type: t}
		}
		return &Failure{"invalid data, expected an array for the provided schema with type=array"}
	}
	return readScalar(value, t)
}

// nullRead is the value of a null that the schema does not allow.
var nullRead = &Failure{"invalid data, got null for schema with nullable=false"}

func readScalar(value any, t *Type) any {
	switch t.Name {
	case "string":
		if text, ok := value.(string); ok {
			return readFormat(value, text, t.Format)
		}
		return unexpected("string", value)
	case "number":
		switch number := value.(type) {
		case float64:
			return value
		case int64:
			return float64(number)
		}
		return unexpected("float", value)
	case "integer":
		if _, ok := value.(int64); ok {
			return value
		}
		return unexpected("int", value)
	case "boolean":
		if _, ok := value.(bool); ok {
			return value
		}
		return unexpected("bool", value)
	}
	if t.Preserve {
		return unknownData{value}
	}
	return &Failure{"invalid type, expected object, array, number, integer, boolean or string, or no type with " +
		"x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got " + t.Name}
}

// unexpected is the failure for a value that does not have the schema's type.
func unexpected(want string, value any) *Failure {
	return &Failure{fmt.Sprintf("invalid data, expected %s, got %T", want, value)}
}

// readFormat reads a string with a format.
func readFormat(value any, text, format string) any {
	switch format {
	case "duration":
		return readDuration(text).Dyn()
	case "date":
		return readDate(text).Dyn()
	case "date-time":
		return readDateTime(text).Dyn()
	case "byte":
		return readBytes(text).Dyn()
	}
	return value
}

// readDate reads a text of format date.
func readDate(text string) Result[time.Time] {
	t, err := time.Parse("2006-01-02", text)
	if err != nil {
		return fail[time.Time](&Failure{"Invalid date formatted string " + text + ": " + err.Error()})
	}
	return OK(t)
}

// readDateTime reads a text of format date-time as kube-openapi's strfmt does, for which the empty string is the
// Unix epoch.
func readDateTime(text string) Result[time.Time] {
	if text == "" {
		return OK(time.Unix(0, 0).UTC())
	}
	// This layout also accepts what the layouts with a fixed number of digits accept.
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04:05", text)
	}
	if err != nil {
		return fail[time.Time](&Failure{"Invalid date-time formatted string " + text + ": " + err.Error()})
	}
	return OK(t)
}

// readBytes reads a text of format byte, which CEL decodes as URL-safe base64.
func readBytes(text string) Result[[]byte] {
	data, err := base64.URLEncoding.DecodeString(text)
	if err != nil {
		return fail[[]byte](&Failure{"Invalid byte formatted string " + text + ": " + err.Error()})
	}
	return OK(data)
}

// readDuration reads a text of format duration as kube-openapi's strfmt does: a duration of Go, or else all
// numbers with a unit in the string, such as in "2 weeks, 3 days".
func readDuration(text string) Result[time.Duration] {
	if d, err := time.ParseDuration(text); err == nil {
		return OK(d)
	}
	var sum time.Duration
	found := false
	for rest := text; rest != ""; {
		var digits, unit string
		if digits, unit, rest = nextDuration(rest); unit == "" {
			break
		}
		factor, err := strconv.Atoi(digits)
		if err != nil {
			return fail[time.Duration](&Failure{"Invalid duration " + text + ": " + err.Error()})
		}
		if scale := durationUnit(strings.ToLower(unit)); scale != 0 {
			found = true
			sum += time.Duration(factor) * scale
		}
	}
	if !found {
		return fail[time.Duration](&Failure{"Invalid duration " + text + ": unable to parse " + text +
			" as duration"})
	}
	return OK(sum)
}

// nextDuration finds the next number that is followed by letters, with white space between them or not.
func nextDuration(text string) (digits, unit, rest string) {
	for {
		start := strings.IndexAny(text, "0123456789")
		if start < 0 {
			return "", "", ""
		}
		text = text[start:]
		after := strings.TrimLeft(text, "0123456789")
		digits = text[:len(text)-len(after)]
		after = strings.TrimLeft(after, "\t\n\f\r ")
		rest = strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ")
		if unit = after[:len(after)-len(rest)]; unit != "" {
			return digits, unit, rest
		}
		text = after
	}
}

// durationUnit is the length of a unit of time, 0 for an unknown unit.
func durationUnit(unit string) time.Duration {
	switch unit {
	case "ns":
		return time.Nanosecond
	case "us", "µs":
		return time.Microsecond
	case "ms":
		return time.Millisecond
	case "s":
		return time.Second
	case "m":
		return time.Minute
	case "h", "hr":
		return time.Hour
	case "d":
		return 24 * time.Hour
	case "w", "wk":
		return 7 * 24 * time.Hour
	}
	for _, long := range [...]struct {
		prefix string
		length time.Duration
	}{
		{"nano", time.Nanosecond}, {"micro", time.Microsecond}, {"milli", time.Millisecond}, {"sec", time.Second},
		{"min", time.Minute}, {"hour", time.Hour}, {"day", 24 * time.Hour}, {"week", 7 * 24 * time.Hour},
	} {
		if strings.HasPrefix(unit, long.prefix) {
			return long.length
		}
	}
	return 0
}
