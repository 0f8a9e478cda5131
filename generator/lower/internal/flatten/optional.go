package flatten

import (
	"regexp"
	"slices"

	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/read"
)

// saysOptional is what people write above a field that may be left out.
var saysOptional = regexp.MustCompile(`(?i)\boptional(ly)?\b|\bdefault(s|ing)? (to|is)\b|\bby default\b|` +
	`\b(if|when|leave|left)( it is| this is)? ` +
	`(unset|unspecified|omitted|absent|empty|nil|not (set|specified|provided|given|defined|present))\b|` +
	`\b(may|can) be (unset|omitted|left out|empty)\b`)

// isMeantOptional reports whether a marker or the comment of a field says that it may be left out.
func isMeantOptional(f *node.Field) bool {
	return !isMarkedRequired(f) && (isMarkedOptional(f) || saysOptional.MatchString(f.Doc))
}

// isMarkedOptional reports whether a marker makes a field optional, not only its tag.
func isMarkedOptional(f *node.Field) bool {
	return slices.ContainsFunc([]string{read.MarkKBOptional, "optional", "k8s:optional"}, func(name string) bool {
		return read.Find(f.Marks, name) != nil
	})
}

// isMarkedRequired reports whether a marker makes a field required, not only its tag.
func isMarkedRequired(f *node.Field) bool {
	return slices.ContainsFunc([]string{read.MarkKBRequired, "required", "k8s:required"}, func(name string) bool {
		return read.Find(f.Marks, name) != nil
	})
}

// deprecated is what Go and Kubernetes write above a field that is on its way out.
var deprecated = regexp.MustCompile(`(?im)^\W*(\w+ is )?deprecated\b`)

// isDeprecated reports whether the documentation of a field says that it is deprecated.
func isDeprecated(f *node.Field) bool { return deprecated.MatchString(f.Doc) }
