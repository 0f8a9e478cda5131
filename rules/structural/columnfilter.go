package structural

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/client-go/util/jsonpath"

	"github.com/crdproof/crdproof/schema"
)

// filter follows a filter to the items of lists that it matches, as evalFilter does.
func (r *columnReader) filter(from []columnValue, node *jsonpath.FilterNode) ([]columnValue, *columnFault) {
	start := r.at + max(strings.Index(r.path[r.at:], "[?("), 0)
	end := start + filterLength(r.path[start:])
	defer func() { r.at = end }()
	items, f := r.items(from, start, end, func(*schema.Schema) string { return "" })
	if f != nil {
		f.why += " to filter"
		return nil, f
	}
	r.at = start
	left, f := r.operand(items, node.Left)
	if f != nil || node.Operator == "exists" {
		return items, f
	}
	right, f := r.operand(items, node.Right)
	if f != nil {
		return nil, f
	}
	if why, help := neverHolds(left, node.Operator, right); why != "" {
		return nil, &columnFault{start: start, end: end, why: why, help: help}
	}
	return items, nil
}

// filterLength returns how long the filter at the start of a text is: it ends at ")]" outside of quotes.
func filterLength(text string) int {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.HasPrefix(text[i:], ")]"):
			return i + len(")]")
		}
	}
	return len(text)
}

// A filterOperand is one side of a comparison in a filter: a literal, or the values that a path leads to.
type filterOperand struct {
	// literal is a string, an int, a float64 or a bool; nil for a path.
	literal any
	values  []columnValue
}

// operand reads a side of a comparison. Only the last node counts if it is a literal.
func (r *columnReader) operand(items []columnValue, list *jsonpath.ListNode) (out filterOperand, f *columnFault) {
	if n := len(list.Nodes); n > 0 {
		switch last := list.Nodes[n-1].(type) {
		case *jsonpath.TextNode:
			out.literal = last.Text
		case *jsonpath.IntNode:
			out.literal = last.Value
		case *jsonpath.FloatNode:
			out.literal = last.Value
		case *jsonpath.BoolNode:
			out.literal = last.Value
		case *jsonpath.IdentifierNode:
			start, end := r.find(last.Name)
			return out, &columnFault{start: start, end: end,
				why:  fmt.Sprintf("%s is not a value that a filter can compare", last.Name),
				help: fmt.Sprintf("write \"%s\"", last.Name)}
		}
	}
	if out.literal == nil {
		out.values, f = r.follow(items, list.Nodes)
	}
	if f != nil && len(f.candidates) > 0 {
		f.help = useOneOf(f.candidates)
	}
	return out, f
}

// neverHolds says why a comparison is never true, "" if it may be.
func neverHolds(left filterOperand, operator string, right filterOperand) (why, help string) {
	if !slices.Contains([]string{"<", ">", "==", "!=", "<=", ">="}, operator) {
		return fmt.Sprintf("filters have no operator %s", operator), "use one of ==, !=, <, <=, >, >="
	}
	if left.literal != nil {
		left, right = right, left
	}
	leftType, rightType := left.jsonType(), right.jsonType()
	isNumber := func(t string) bool { return t == "integer" || t == "number" }
	text := fmt.Sprint(right.literal)
	switch {
	case leftType == "" || rightType == "" || leftType != rightType && isNumber(leftType) && isNumber(rightType):
		return "", "" // the API server keeps 1 as an integer, and 1.5 as a number
	case leftType == "array", leftType == "object":
		return left.name() + " is " + typePhrase(leftType) + ", which filters cannot compare",
			"compare one of its fields"
	case leftType != rightType:
		return fmt.Sprintf("%s is %s, and the filter compares it with %s", left.name(), typePhrase(leftType),
			typePhrase(rightType)), compareAs(leftType, text)
	case leftType == "boolean" && operator != "==" && operator != "!=":
		return "filters cannot order booleans", "write == or !="
	case operator == "==" && right.literal != nil && left.literal == nil && leftType == "string":
		return outsideOf(left.values[0], text)
	}
	return "", ""
}

// jsonType returns the type of the operand's values, "" if it is not known.
func (o filterOperand) jsonType() string {
	switch o.literal.(type) {
	case string:
		return "string"
	case int:
		return "integer"
	case float64:
		return "number"
	case bool:
		return "boolean"
	}
	if len(o.values) == 1 && o.values[0].isKnown() {
		return o.values[0].s.Type.V
	}
	return ""
}

func (o filterOperand) name() string {
	if o.literal != nil {
		return fmt.Sprint(o.literal)
	}
	return o.values[0].name()
}

// compareAs says how to write a literal that a value of a type can be compared with.
func compareAs(jsonType, text string) string {
	_, err := strconv.Atoi(text)
	isBool := text == "true" || text == "false"
	switch {
	case jsonType == "string":
		return fmt.Sprintf("write \"%s\"", text)
	case jsonType == "integer" && err == nil, jsonType == "boolean" && isBool:
		return "write " + text + " without quotes"
	}
	return "compare a field of the same type"
}

// outsideOf says why a string is never equal to a text.
func outsideOf(v columnValue, text string) (why, help string) {
	isSame := func(e schema.Value) bool { return e.Kind == schema.String && e.Text == text }
	switch {
	case len(v.s.Enum) > 0 && !slices.ContainsFunc(v.s.Enum, isSame):
		var values []string
		for _, e := range v.s.Enum {
			values = append(values, e.Text)
		}
		return fmt.Sprintf("%q is not a value of %s", text, v.name()), near(text, values, useOneOf(values))
	case v.s.Pattern.V != "":
		if p, err := regexp.Compile(v.s.Pattern.V); err == nil && !p.MatchString(text) {
			return fmt.Sprintf("%q does not match the pattern of %s", text, v.name()),
				"compare with a value of the field"
		}
	}
	return "", ""
}
