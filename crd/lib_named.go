// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"net/url"
	"strings"
	"time"

	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
)

// A NamedFormat is a format of CEL (k8s.io/apiserver/pkg/cel/library/format.go): its name, and a function that
// returns the errors of a string.
type NamedFormat struct {
	name     string
	problems func(string) []string
}

func (NamedFormat) opaqueNames() (inCEL, inGo string) {
	return "kubernetes.NamedFormat", "cel.Format"
}

// patternSize is the size of the regular expression that the server assumes for the cost of the format.
func (f NamedFormat) patternSize() int {
	switch f.name {
	case "DNS1123Label", "DNS1123LabelPrefix", "DNS1035Label", "DNS1035LabelPrefix":
		return 30
	case "LabelValue":
		return 40
	case "URI":
		return 1103
	case "uuid":
		return 70
	case "byte":
		return 84
	case "date", "datetime":
		return 71
	}
	return 60
}

func (f NamedFormat) opaqueEqual(other any) any {
	if other, ok := other.(NamedFormat); ok {
		return f.name == other.name
	}
	return noEquality(other)
}

// FindFormat is the format of a name, if there is one.
func FindFormat(name string) any {
	if format := FormatNamed(name); format.problems != nil {
		return Optional{val: format, set: true}
	}
	return Optional{}
}

// ValidateFormat is the list of the errors of a string, if there are any.
func ValidateFormat(format NamedFormat, text string) any {
	problems := format.problems(text)
	if len(problems) == 0 {
		return Optional{}
	}
	return Optional{val: stringList(problems), set: true}
}

// FormatNamed returns the format of a name. An unknown one has no problems.
func FormatNamed(name string) NamedFormat {
	switch name {
	case "dns1123Label":
		return NamedFormat{"DNS1123Label", utilvalidation.IsDNS1123Label}
	case "dns1123LabelPrefix":
		return NamedFormat{"DNS1123LabelPrefix", ofPrefix(utilvalidation.IsDNS1123Label)}
	case "dns1123Subdomain":
		return NamedFormat{"DNS1123Subdomain", utilvalidation.IsDNS1123Subdomain}
	case "dns1123SubdomainPrefix":
		return NamedFormat{"DNS1123SubdomainPrefix", ofPrefix(utilvalidation.IsDNS1123Subdomain)}
	case "dns1035Label":
		return NamedFormat{"DNS1035Label", utilvalidation.IsDNS1035Label}
	case "dns1035LabelPrefix":
		return NamedFormat{"DNS1035LabelPrefix", ofPrefix(utilvalidation.IsDNS1035Label)}
	case "qualifiedName":
		return NamedFormat{"QualifiedName", utilvalidation.IsQualifiedName}
	case "labelValue":
		return NamedFormat{"LabelValue", utilvalidation.IsValidLabelValue}
	case "uri":
		return NamedFormat{"URI", func(s string) []string {
			if _, err := url.ParseRequestURI(s); err != nil {
				return []string{err.Error()}
			}
			return nil
		}}
	case "uuid":
		return NamedFormat{name, problemUnless(isUUID, "does not match the UUID format")}
	case "byte":
		return NamedFormat{name, problemUnless(IsBase64, "invalid base64")}
	case "date":
		isDate := func(s string) bool { _, err := time.Parse("2006-01-02", s); return err == nil }
		return NamedFormat{name, problemUnless(isDate, "invalid date")}
	case "datetime":
		return NamedFormat{name, problemUnless(IsDateTime, "invalid datetime")}
	}
	return NamedFormat{}
}

// problemUnless is the function that returns a problem of strings that are not valid.
func problemUnless(isValid func(string) bool, problem string) func(string) []string {
	return func(s string) []string {
		if isValid(s) {
			return nil
		}
		return []string{problem}
	}
}

// isUUID reports whether a string is the hexadecimal digits of a UUID, with the dashes between them or without
// (strfmt.IsUUID).
func isUUID(s string) bool {
	for i, size := range [...]int{8, 4, 4, 4, 12} {
		if i > 0 {
			s = strings.TrimPrefix(s, "-")
		}
		if len(s) < size || strings.Trim(s[:size], "0123456789abcdefABCDEF") != "" {
			return false
		}
		s = s[size:]
	}
	return s == ""
}

// ofPrefix is the function that returns the problems of a name that may end in a dash, since a suffix will be added.
// It is one character shorter, as in the server (k8s.io/apimachinery/pkg/api/validation).
func ofPrefix(problems func(string) []string) func(string) []string {
	return func(name string) []string {
		if len(name) > 1 && strings.HasSuffix(name, "-") {
			name = name[:len(name)-2] + "a"
		}
		return problems(name)
	}
}
