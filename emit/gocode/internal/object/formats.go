package object

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// SupportedFormat returns the format of a schema, "" if the API server does not know it and ignores it.
func SupportedFormat(s *schema.Schema, minor kube.Minor) string {
	if s.Format.V == "" {
		return ""
	}
	node := &spec.Schema{}
	node.Format = s.Format.V
	if kinds := possibleKinds(s); kinds != "" {
		node.Type = strings.Split(kinds, ",")
	}
	if err := minor.StripFormat(node); err != nil {
		panic(err) // it never fails
	}
	return node.Format
}

// IsKnownFormat reports whether there are strings of the format.
func IsKnownFormat(format string) bool { return format != "" && strfmt.Default.ContainsName(format) }

// isOwnFormat reports whether the runtime checks a format without another library.
func isOwnFormat(format string) bool {
	return slices.Contains([]string{"datetime", "byte", "password"}, strings.ReplaceAll(format, "-", ""))
}

// hasFormat returns the condition that a string has a format; nil if every string has it. Common formats have
// functions of their own, so that most packages need no other library.
func hasFormat(format string, x jen.Code) jen.Code {
	switch name := strings.ReplaceAll(format, "-", ""); {
	case !IsKnownFormat(format) || name == "password":
		return nil
	case name == "datetime":
		return Runtime("IsDateTime").Call(x)
	case name == "byte":
		return Runtime("IsBase64").Call(x)
	case name == "ipv4", name == "ipv6", name == "cidr":
		return Runtime("IsAddress").Call(jen.Lit(name), x)
	default:
		return Runtime("HasFormat").Call(jen.Lit(name), x)
	}
}
