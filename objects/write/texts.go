package write

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/support"
	"github.com/crdproof/crdproof/rules/kube"
)

// Texts returns the texts of an error in all versions of Kubernetes since 1.28.
func Texts(e *field.Error) (out []string) {
	for _, body := range bodies(e) {
		out = append(out, e.Field+": "+body)
		below, inStatus := strings.CutPrefix(e.Field, "status.")
		switch {
		// Before 1.31 a status was validated as if it were the whole object, and before 1.29 as a part of it.
		case e.Field == "status":
			out = append(out, "<nil>: "+body, "<nil>: "+strings.Replace(body, `: "": "`, `: "": "status.`, 1))
		case inStatus:
			out = append(out, below+": "+body,
				e.Field+": "+strings.Replace(body, below+" in body ", e.Field+" in body ", 1))
		}
	}
	return out
}

// bodies returns the texts of an error without the field, except values of rules, which need the schema.
func bodies(e *field.Error) []string {
	out := []string{e.ErrorBody()}
	for _, part := range []support.Subject{support.Metadata, support.EmbeddedMetadata, support.Values} {
		for minor := kube.Newest; minor >= kube.Oldest; minor-- {
			other := *e
			reword(minor, nil, part, field.ErrorList{&other})
			if body := other.ErrorBody(); !slices.Contains(out, body) {
				out = append(out, body)
			}
		}
	}
	add := func(format string, args ...any) {
		out = append(out, e.Type.String()+": "+fmt.Sprintf(format, args...))
	}
	switch e.Type {
	case field.ErrorTypeInvalid, field.ErrorTypeDuplicate:
		if strings.Contains(e.Detail, " in body ") {
			break // this is not about a rule
		}
		// Before 1.35 the errors of rules had the type of the value instead of the value.
		for _, name := range typeNames(e.BadValue) {
			if e.Detail == "" {
				add("%q", name)
			} else {
				add("%q: %s", name, e.Detail)
			}
		}
	case field.ErrorTypeTypeInvalid:
		// Before 1.36 formats of numbers were ignored.
		field, types, ok := strings.Cut(e.Detail, " in body must be of type ")
		types = strings.NewReplacer("int32", "integer", "int64", "integer",
			"float64", "number", "float32", "number", "float", "number", "double", "number").Replace(types)
		if _, got, isPair := strings.Cut(types, ": "); ok && isPair {
			add("%s: %s in body must be of type %s", got, field, types)
		}
	}
	return out
}

// typeNames returns the types that a schema may have for a value.
func typeNames(value any) []string {
	switch value.(type) {
	case nil:
		return []string{"null"}
	case string:
		return []string{"string", ""} // or no type, with x-kubernetes-int-or-string
	case bool:
		return []string{"boolean"}
	case int64:
		return []string{"integer", "number", ""}
	case float64:
		return []string{"number"}
	}
	return []string{"object", "array"}
}
