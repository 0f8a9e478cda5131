package gotype

import (
	"go/types"
	"strings"

	"github.com/crdproof/crdproof/schema"
)

func null() *schema.Value { return &schema.Value{Kind: schema.Null} }

// zeroText returns a zero value of the table of known types: null, {}, a number or a string.
func zeroText(text string) *schema.Value {
	switch {
	case text == "null":
		return null()
	case text == "{}":
		return &schema.Value{Kind: schema.Object}
	case text[0] != '"':
		return &schema.Value{Kind: schema.NumberKind, Text: text}
	}
	return &schema.Value{Kind: schema.String, Text: strings.Trim(text, `"`)}
}

// zeroOfBasic returns the JSON form of the zero value of a basic type.
func zeroOfBasic(info types.BasicInfo) *schema.Value {
	switch {
	case info&types.IsBoolean != 0:
		return &schema.Value{Kind: schema.Bool, Text: "false"}
	case info&types.IsString != 0:
		return &schema.Value{Kind: schema.String}
	}
	return &schema.Value{Kind: schema.NumberKind, Text: "0"}
}
