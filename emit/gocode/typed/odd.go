package typed

import (
	"go/types"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/emit/gocode/internal/object"
	"github.com/crdproof/crdproof/internal/gojson"
	"github.com/crdproof/crdproof/schema"
)

// isOdd reports whether typed code cannot decide about a place, so that the value is validated as JSON.
func (t *typed) isOdd(typ types.Type, at *schema.Place) bool {
	s := at.Schema
	shape := shapeOf(typ)
	if s.EmbeddedResource.True() || s.UniqueItems != nil || shape == opaqueShape {
		return true
	}
	isText := s.Type.V == "string" && !s.IntOrString.True()
	rules := len(t.rules.ByPlace[at.Path()]) > 0
	onlyPattern := func(pattern string) bool {
		alone := *s
		if alone.Pattern.V == pattern {
			alone.Pattern.V = ""
		}
		return object.IsPlain(&alone) && !rules
	}
	hasOtherFormat := func(own string) bool {
		format := object.SupportedFormat(s, t.w.Minor)
		return object.IsKnownFormat(format) && strings.ReplaceAll(format, "-", "") != own
	}
	switch shape {
	case timeShape:
		own := schema.TimePattern
		if _, name := gojson.NameOf(typ); name == "MicroTime" {
			own = schema.MicroTimePattern
		}
		return !isText || !onlyPattern(own) || hasOtherFormat("datetime")
	case durationShape:
		alone := *s
		alone.Pattern, alone.MinLength, alone.MaxLength = schema.Text{}, nil, nil
		return !isText || !object.IsPlain(&alone) || rules || hasOtherFormat("duration")
	case quantityShape:
		return !s.IntOrString.True() && !isText || !t.isFree(s, schema.QuantityPattern) || rules || hasOtherFormat("")
	case intOrStringShape:
		return !s.IntOrString.True() || !t.isFree(s, "") || rules || hasOtherFormat("")
	case structShape, mapShape, listShape:
		if isMetadata(typ) && slices.ContainsFunc(s.Properties, func(p schema.Property) bool {
			return fieldOf(typ, p.Name) == nil
		}) {
			return true
		}
		want := "object"
		if shape == listShape {
			want = "array"
		}
		return s.Type.V != "" && s.Type.V != want || t.hasJunctors(s) || len(s.Enum) > 0 || len(s.Other) > 0 ||
			s.PreserveUnknownFields.True() && (shape == listShape ||
				shape == structShape && (s.MinProperties != nil || s.MaxProperties != nil))
	}
	return false
}

func (t *typed) hasJunctors(s *schema.Schema) bool {
	return len(s.AnyOf)+len(s.OneOf)+len(s.AllOf) > 0 || s.Not != nil
}

// isFree reports whether an int-or-string has no constraints but a pattern, and the types that every one has.
func (t *typed) isFree(s *schema.Schema, pattern string) bool {
	alone := *s
	if alone.Pattern.V == pattern {
		alone.Pattern.V = ""
	}
	both := func(list []*schema.Schema) bool {
		return len(list) == 2 && list[0].Type.V == "integer" && list[1].Type.V == "string" && object.IsPlain(list[0]) &&
			object.IsPlain(list[1])
	}
	if both(alone.AnyOf) {
		alone.AnyOf = nil
	}
	if len(alone.AllOf) == 1 && both(alone.AllOf[0].AnyOf) {
		inner := *alone.AllOf[0]
		inner.AnyOf = nil
		if object.IsPlain(&inner) {
			alone.AllOf = nil
		}
	}
	return object.IsPlain(&alone)
}
