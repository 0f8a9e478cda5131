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
	var format crdNamedFormat
	switch name {
	case "dns1123Label":
		format = crdFormatDNS1123Label()
	case "dns1123LabelPrefix":
		format = crdFormatDNS1123LabelPrefix()
	case "dns1123Subdomain":
		format = crdFormatDNS1123Subdomain()
	case "dns1123SubdomainPrefix":
		format = crdFormatDNS1123SubdomainPrefix()
	case "dns1035Label":
		format = crdFormatDNS1035Label()
	case "dns1035LabelPrefix":
		format = crdFormatDNS1035LabelPrefix()
	case "qualifiedName":
		format = crdFormatQualifiedName()
	case "labelValue":
		format = crdFormatLabelValue()
	case "uri":
		format = crdFormatURI()
	case "uuid":
		format = crdFormatUUID()
	case "byte":
		format = crdFormatByte()
	case "date":
		format = crdFormatDate()
	case "datetime":
		format = crdFormatDateTime()
	default:
		return crdOptional{}
	}
	return crdOptional{val: format, set: true}
}

// crdValidateFormat is the list of the errors of a string, if there are any.
func crdValidateFormat(format crdNamedFormat, text string) any {
	problems := format.problems(text)
	if len(problems) == 0 {
		return crdOptional{}
	}
	return crdOptional{val: crdStrings(problems), set: true}
}

func crdFormatDNS1123Label() crdNamedFormat {
	return crdNamedFormat{"DNS1123Label", utilvalidation.IsDNS1123Label}
}

func crdFormatDNS1123LabelPrefix() crdNamedFormat {
	return crdNamedFormat{"DNS1123LabelPrefix",
		func(s string) []string { return utilvalidation.IsDNS1123Label(crdPrefix(s)) }}
}

func crdFormatDNS1123Subdomain() crdNamedFormat {
	return crdNamedFormat{"DNS1123Subdomain", utilvalidation.IsDNS1123Subdomain}
}

func crdFormatDNS1123SubdomainPrefix() crdNamedFormat {
	return crdNamedFormat{"DNS1123SubdomainPrefix",
		func(s string) []string { return utilvalidation.IsDNS1123Subdomain(crdPrefix(s)) }}
}

func crdFormatDNS1035Label() crdNamedFormat {
	return crdNamedFormat{"DNS1035Label", utilvalidation.IsDNS1035Label}
}

func crdFormatDNS1035LabelPrefix() crdNamedFormat {
	return crdNamedFormat{"DNS1035LabelPrefix",
		func(s string) []string { return utilvalidation.IsDNS1035Label(crdPrefix(s)) }}
}

func crdFormatQualifiedName() crdNamedFormat {
	return crdNamedFormat{"QualifiedName", utilvalidation.IsQualifiedName}
}

func crdFormatLabelValue() crdNamedFormat {
	return crdNamedFormat{"LabelValue", utilvalidation.IsValidLabelValue}
}

func crdFormatURI() crdNamedFormat {
	return crdNamedFormat{"URI", func(s string) []string {
		if _, err := url.ParseRequestURI(s); err != nil {
			return []string{err.Error()}
		}
		return nil
	}}
}

func crdFormatUUID() crdNamedFormat {
	return crdNamedFormat{"uuid",
		func(s string) []string { return crdProblem(crdIsUUID(s), "does not match the UUID format") }}
}

func crdFormatByte() crdNamedFormat {
	return crdNamedFormat{"byte", func(s string) []string { return crdProblem(crdIsBase64(s), "invalid base64") }}
}

func crdFormatDate() crdNamedFormat {
	return crdNamedFormat{"date", func(s string) []string {
		_, err := time.Parse("2006-01-02", s)
		return crdProblem(err == nil, "invalid date")
	}}
}

func crdFormatDateTime() crdNamedFormat {
	return crdNamedFormat{"datetime",
		func(s string) []string { return crdProblem(crdIsDateTime(s), "invalid datetime") }}
}

func crdProblem(valid bool, problem string) []string {
	if valid {
		return nil
	}
	return []string{problem}
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

// crdPrefix is a name that may end in a dash, since a suffix will be added. It is one character shorter, as in the
// server (k8s.io/apimachinery/pkg/api/validation).
func crdPrefix(name string) string {
	if len(name) > 1 && strings.HasSuffix(name, "-") {
		return name[:len(name)-2] + "a"
	}
	return name
}
