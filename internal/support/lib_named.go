package support

import (
	"net/url"
	"strings"
	"time"

	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
)

// A crdNamedFormat is a format of CEL (k8s.io/apiserver/pkg/cel/library/format.go): its name, and a function that
// returns the errors of a string.
type crdNamedFormat struct {
	name     string
	problems func(string) []string
}

func (crdNamedFormat) opaqueNames() (inCEL, inGo string) {
	return "kubernetes.NamedFormat", "cel.Format"
}

func (f crdNamedFormat) opaqueEqual(other any) any {
	if other, ok := other.(crdNamedFormat); ok {
		return f.name == other.name
	}
	return crdNoEquality(other)
}

// crdFindFormat is the format of a name, if there is one.
func crdFindFormat(name string) any {
	if format := crdFormatNamed(name); format.problems != nil {
		return crdOptional{val: format, set: true}
	}
	return crdOptional{}
}

// crdValidateFormat is the list of the errors of a string, if there are any.
func crdValidateFormat(format crdNamedFormat, text string) any {
	problems := format.problems(text)
	if len(problems) == 0 {
		return crdOptional{}
	}
	return crdOptional{val: crdStrings(problems), set: true}
}

// crdFormatNamed is the format of a name, without problems if there is none.
func crdFormatNamed(name string) crdNamedFormat {
	switch name {
	case "dns1123Label":
		return crdNamedFormat{"DNS1123Label", utilvalidation.IsDNS1123Label}
	case "dns1123LabelPrefix":
		return crdNamedFormat{"DNS1123LabelPrefix", crdOfPrefix(utilvalidation.IsDNS1123Label)}
	case "dns1123Subdomain":
		return crdNamedFormat{"DNS1123Subdomain", utilvalidation.IsDNS1123Subdomain}
	case "dns1123SubdomainPrefix":
		return crdNamedFormat{"DNS1123SubdomainPrefix", crdOfPrefix(utilvalidation.IsDNS1123Subdomain)}
	case "dns1035Label":
		return crdNamedFormat{"DNS1035Label", utilvalidation.IsDNS1035Label}
	case "dns1035LabelPrefix":
		return crdNamedFormat{"DNS1035LabelPrefix", crdOfPrefix(utilvalidation.IsDNS1035Label)}
	case "qualifiedName":
		return crdNamedFormat{"QualifiedName", utilvalidation.IsQualifiedName}
	case "labelValue":
		return crdNamedFormat{"LabelValue", utilvalidation.IsValidLabelValue}
	case "uri":
		return crdNamedFormat{"URI", func(s string) []string {
			if _, err := url.ParseRequestURI(s); err != nil {
				return []string{err.Error()}
			}
			return nil
		}}
	case "uuid":
		return crdNamedFormat{name, crdProblem(crdIsUUID, "does not match the UUID format")}
	case "byte":
		return crdNamedFormat{name, crdProblem(crdIsBase64, "invalid base64")}
	case "date":
		isDate := func(s string) bool { _, err := time.Parse("2006-01-02", s); return err == nil }
		return crdNamedFormat{name, crdProblem(isDate, "invalid date")}
	case "datetime":
		return crdNamedFormat{name, crdProblem(crdIsDateTime, "invalid datetime")}
	}
	return crdNamedFormat{}
}

// crdProblem is the function that returns a problem of strings that are not valid.
func crdProblem(isValid func(string) bool, problem string) func(string) []string {
	return func(s string) []string {
		if isValid(s) {
			return nil
		}
		return []string{problem}
	}
}

// crdIsUUID reports whether a string is the hexadecimal digits of a UUID, with the dashes between them or without
// (strfmt.IsUUID).
func crdIsUUID(s string) bool {
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

// crdOfPrefix is the function that returns the problems of a name that may end in a dash, since a suffix will be added.
// It is one character shorter, as in the server (k8s.io/apimachinery/pkg/api/validation).
func crdOfPrefix(problems func(string) []string) func(string) []string {
	return func(name string) []string {
		if len(name) > 1 && strings.HasSuffix(name, "-") {
			name = name[:len(name)-2] + "a"
		}
		return problems(name)
	}
}
