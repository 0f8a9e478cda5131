package support

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// crdRead makes a JSON value of the schema a value of CEL (apiserver, pkg/cel/common, UnstructuredToVal).
func crdRead(value any, t *crdType) any {
	if value == nil {
		if t.nullable {
			return nil
		}
		return crdNullRead
	}
	if t.intOrString {
		switch value.(type) {
		case string, int64:
			return value
		}
		return &crdFailure{"invalid data, expected XIntOrString value to be either a string or integer"}
	}
	switch t.name {
	case "object":
		if fields, ok := value.(map[string]any); ok {
			if t.resource != nil {
				t = t.resource
			}
			return crdObject{fields, t}
		}
		return &crdFailure{"invalid data, expected a map for the provided schema with type=object"}
	case "array":
		if items, ok := value.([]any); ok {
			return crdList{items: items, typ: t}
		}
		return &crdFailure{"invalid data, expected an array for the provided schema with type=array"}
	}
	return crdReadScalar(value, t)
}

// crdNullRead is the value of a null that the schema does not allow.
var crdNullRead = &crdFailure{"invalid data, got null for schema with nullable=false"}

func crdReadScalar(value any, t *crdType) any {
	switch t.name {
	case "string":
		if text, ok := value.(string); ok {
			return crdReadFormat(value, text, t.format)
		}
		return crdUnexpected("string", value)
	case "number":
		switch number := value.(type) {
		case float64:
			return value
		case int64:
			return float64(number)
		}
		return crdUnexpected("float", value)
	case "integer":
		if _, ok := value.(int64); ok {
			return value
		}
		return crdUnexpected("int", value)
	case "boolean":
		if _, ok := value.(bool); ok {
			return value
		}
		return crdUnexpected("bool", value)
	}
	if t.preserve {
		return crdPreserved{value}
	}
	return &crdFailure{"invalid type, expected object, array, number, integer, boolean or string, or no type with " +
		"x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got " + t.name}
}

// crdUnexpected is the failure for a value that does not have the schema's type.
func crdUnexpected(want string, value any) *crdFailure {
	return &crdFailure{fmt.Sprintf("invalid data, expected %s, got %T", want, value)}
}

// crdReadFormat reads a string with a format.
func crdReadFormat(value any, text, format string) any {
	switch format {
	case "duration":
		return crdReadDuration(text).dyn()
	case "date":
		return crdReadDate(text).dyn()
	case "date-time":
		return crdReadDateTime(text).dyn()
	case "byte":
		return crdReadBytes(text).dyn()
	}
	return value
}

// crdReadDate reads a text of format date.
func crdReadDate(text string) crdResult[time.Time] {
	t, err := time.Parse("2006-01-02", text)
	if err != nil {
		return crdFail[time.Time](&crdFailure{"Invalid date formatted string " + text + ": " + err.Error()})
	}
	return crdOK(t)
}

// crdReadDateTime reads a text of format date-time as kube-openapi's strfmt does, for which the empty string is the
// Unix epoch.
func crdReadDateTime(text string) crdResult[time.Time] {
	if text == "" {
		return crdOK(time.Unix(0, 0).UTC())
	}
	// This layout also accepts what the layouts with a fixed number of digits accept.
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04:05", text)
	}
	if err != nil {
		return crdFail[time.Time](&crdFailure{"Invalid date-time formatted string " + text + ": " + err.Error()})
	}
	return crdOK(t)
}

// crdReadBytes reads a text of format byte, which CEL decodes as URL-safe base64.
func crdReadBytes(text string) crdResult[[]byte] {
	data, err := base64.URLEncoding.DecodeString(text)
	if err != nil {
		return crdFail[[]byte](&crdFailure{"Invalid byte formatted string " + text + ": " + err.Error()})
	}
	return crdOK(data)
}

// crdReadDuration reads a text of format duration as kube-openapi's strfmt does: a duration of Go, or else all
// numbers with a unit in the string, such as in "2 weeks, 3 days".
func crdReadDuration(text string) crdResult[time.Duration] {
	if d, err := time.ParseDuration(text); err == nil {
		return crdOK(d)
	}
	var sum time.Duration
	found := false
	for rest := text; rest != ""; {
		var digits, unit string
		if digits, unit, rest = crdNextDuration(rest); unit == "" {
			break
		}
		factor, err := strconv.Atoi(digits)
		if err != nil {
			return crdFail[time.Duration](&crdFailure{"Invalid duration " + text + ": " + err.Error()})
		}
		if scale := crdDurationUnit(strings.ToLower(unit)); scale != 0 {
			found = true
			sum += time.Duration(factor) * scale
		}
	}
	if !found {
		return crdFail[time.Duration](&crdFailure{"Invalid duration " + text + ": unable to parse " + text +
			" as duration"})
	}
	return crdOK(sum)
}

// crdNextDuration finds the next number that is followed by letters, with white space between them or not.
func crdNextDuration(text string) (digits, unit, rest string) {
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

// crdDurationUnit is the length of a unit of time, 0 for an unknown unit.
func crdDurationUnit(unit string) time.Duration {
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
