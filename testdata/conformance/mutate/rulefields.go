package mutate

import (
	"math/rand/v2"
	"strings"
)

// ruleFieldOperators change the other fields of a rule.
func ruleFieldOperators() []operator {
	typed := func(n *node) bool { return whole(n) && n.has("type") }
	field := func(key string, value func(r *rand.Rand, n *node) any) func(*rand.Rand, *node) string {
		return func(r *rand.Rand, n *node) string {
			rule := someRule(r, n)
			return "of " + text(rule) + ": " + set(rule, key, value(r, n))
		}
	}
	return []operator{
		{"rule field: message", typed, field("message", func(r *rand.Rand, n *node) any {
			return pick[any](r, "must be so", "", " ", "two\nlines", "\n", "trailing\n", "carriage\rreturn",
				strings.Repeat("x", 5000),
				true, nil, absent{})
		})},
		{"rule field: messageExpression", typed, field("messageExpression", func(r *rand.Rand, n *node) any {
			return pick[any](r, "'a'", "''", "string(self)", "self", "1", "", " ", "self.nowhere", "'a' + ", "oldSelf",
				"'%s'.format([self])", "['a', 'b'].join(',')", "oldSelf.value()",
				"'a\nb'", "self.all(x, true) ? 'a' : 'b'", "self.map(x, string(x)).join(', ')", nil, absent{})
		})},
		{"rule field: reason", typed, field("reason", func(r *rand.Rand, n *node) any {
			return pick[any](r, "FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate",
				"FieldValueInvalid ", "Invalid", "", nil, "FieldValueTypeInvalid", true)
		})},
		{"rule field: fieldPath", typed, field("fieldPath", func(r *rand.Rand, n *node) any {
			names := append(properties(n.schema), "nowhere")
			name := pick(r, names...)
			return pick[any](r, "."+name, name, "['"+name+"']", "."+name+"."+name, "."+name+"[0]", "", " ", ".",
				".."+name, "."+name+"\n",
				"."+name+"['a']", "."+name+".key", nil, "."+name+" ", "."+name+"[*]")
		})},
		{"rule field: optionalOldSelf", typed, field("optionalOldSelf", func(r *rand.Rand, n *node) any {
			return pick[any](r, true, false,
				nil, "true", absent{})
		})},
		{"rule field: optionalOldSelf, used", typed, func(r *rand.Rand, n *node) string {
			return add(n.schema, "x-kubernetes-validations", object{
				"rule": pick(r, "oldSelf.hasValue() || true", "self == oldSelf", "oldSelf.orValue(self) == self",
					"!oldSelf.hasValue() || oldSelf.value() == self", "oldSelf.size() > 0"),
				"optionalOldSelf": r.IntN(4) > 0,
			})
		}},
		{"rule field: two lines", typed, func(r *rand.Rand, n *node) string {
			rule := object{"rule": pick(r, "true\n&& true", "true\r\n", " true ", "true // a\n&& true")}
			if r.IntN(2) == 0 {
				rule["message"] = pick(r, "said", " ")
			}
			return add(n.schema, "x-kubernetes-validations", rule)
		}},
		{"rule field: unknown", typed, field(unknownKey, func(r *rand.Rand, n *node) any { return "a" })},
	}
}

// unknownKey is not a field of any type.
const unknownKey = "unknownField"

// someRule returns a rule of the node; if it has none, a valid one is added.
func someRule(r *rand.Rand, n *node) object {
	list, _ := n.schema["x-kubernetes-validations"].([]any)
	if len(list) > 0 && r.IntN(2) == 0 {
		if rule, ok := pick(r, list...).(object); ok {
			return rule
		}
	}
	rule := object{"rule": pick(r, append(goodRules(r, n), "self == oldSelf", "true")...)}
	add(n.schema, "x-kubernetes-validations", rule)
	return rule
}
