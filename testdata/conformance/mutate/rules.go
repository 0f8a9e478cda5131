package mutate

import (
	"math/rand/v2"
	"strings"

	"k8s.io/apiserver/pkg/cel"
)

// ruleOperators add rules to nodes, and change those that are there.
func ruleOperators() []operator {
	typed := func(n *node) bool { return whole(n) && n.has("type") }
	ruled := func(n *node) bool { list, _ := n.schema["x-kubernetes-validations"].([]any); return len(list) > 0 }
	ofLists := func(n *node) bool { return whole(n) && n.is("array") && n.items() != nil }
	return []operator{
		{"rule: good", typed, func(r *rand.Rand, n *node) string { return addRule(n, pick(r, goodRules(r, n)...)) }},
		{"rule: of the properties", of("object"), func(r *rand.Rand, n *node) string {
			return addRule(n, propertyRule(r, n))
		}},
		{"rule: bad", typed, func(r *rand.Rand, n *node) string {
			return addRule(n, pick(r, "self.nowhere == 1", "self ==", "", " ", "\n", "nope(self)", "self.nope()", "1",
				"'a'",
				"self == 'a' || 1", "has(self)", "true &&", "self[", `"a`,
				"self.metadata.labels['a'] == 'b'", "oldSelf.nowhere == 1", "self.all(x, x.all(y, y))", "variables.a",
				"object.spec",
				"request.user", "x == 1", "self == null",
				"dyn(self) == 1", "type(self) == string", "self in [1, 'a']", "1/0 == 1", "9223372036854775808 > 1",
				"self.__nope__ == 1",
				"double(self) > 1.0"))
		}},
		{"rule: function", whole, func(r *rand.Rand, n *node) string {
			return addRule(n, pick(r, functionRules()...))
		}},
		{"rule: transition", typed, func(r *rand.Rand, n *node) string {
			return addRule(n, pick(r, "self == oldSelf", "oldSelf == self || true", "has(oldSelf.a)",
				"oldSelf.size() <= self.size()"))
		}},
		{"rule: quadratic", ofLists, func(r *rand.Rand, n *node) string {
			if r.IntN(2) == 0 {
				n.schema["maxItems"] = lengthBound(r)
			}
			return addRule(n, pick(r, "self.all(x, self.exists_one(y, y == x))",
				"self.all(x, self.all(y, self.all(z, true)))",
				"self.map(x, self.filter(y, y == x)).size() > 0",
				"self.all(x, self.exists(y, x != y))"))
		}},
		{"rule: costly", of("string", "object"), func(r *rand.Rand, n *node) string {
			return addRule(n, pick(r, map[string][]string{
				"string": {"self.matches('^(a+)+$')", "self.contains(self)", "self.split('').all(c, self.contains(c))",
					"self.replace('a', self).size() > 0", "self + self + self != self"},
				"object": {"self == self", "dyn(self) == dyn(self)", "self != self || true"},
			}[n.typ()]...))
		}},
		{"rule: many", typed, func(r *rand.Rand, n *node) string {
			list := []any{}
			for range pick(r, 2, 30) {
				list = append(list, object{"rule": pick(r, goodRules(r, n)...)})
			}
			n.schema["x-kubernetes-validations"] = list
			return text(list)
		}},
		{"rule: list removed", ruled, func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-validations", absent{})
		}},
		{"rule: odd list", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-validations",
				pick[any](r, []any{}, object{}, nil, []any{nil}, []any{object{}}, "true",
					[]any{"true"}, []any{object{"rule": nil}},
					[]any{object{"message": "a"}}, []any{object{"rule": "true"}, object{"rule": "true"}},
					[]any{object{"rule": true}}))
		}},
		{"rule: bounds around gone", ruled, func(r *rand.Rand, n *node) string {
			for p := n; p != nil; p = p.parent {
				for _, key := range []string{"maxItems", "maxLength", "maxProperties"} {
					delete(p.schema, key)
				}
			}
			return "no upper bounds on the way to a rule"
		}},
		{"rule: field renamed", ruled, spoilRule},
	}
}

// addRule adds a rule with nothing beside it.
func addRule(n *node, rule string) string {
	return add(n.schema, "x-kubernetes-validations", object{"rule": rule})
}

// goodRules are rules that type-check on the node, some of them only with bounds.
func goodRules(r *rand.Rand, n *node) []string {
	switch n.typ() {
	case "string":
		return []string{"self == 'a'", "self.size() < 5", "self.startsWith('a')", "self in ['a', 'b']",
			"self.matches('^a')",
			"!self.contains('x')", "self != '' && self.lowerAscii() == self", "true",
			"self.endsWith('a') ? true : self.size() > 3", "self > 'a'", "self.charAt(0) == 'a'",
			"self.format is string"}
	case "integer":
		return []string{"self > 0", "self == 1 || self == 2", "self % 2 == 0", "self in [1, 2]", "double(self) < 1.5",
			"self < 1.5",
			"string(self).size() < 4", "-self < 0", "int(self) == self"}
	case "number":
		return []string{"self > 0.0", "self == 1.5", "self < 2.0", "self > 1", "int(self) == 1"}
	case "boolean":
		return []string{"self", "!self", "self == true", "self ? true : false"}
	case "array":
		return []string{"self.size() < 5", "size(self) >= 0", "self.all(x, true)", "self.exists(x, x == x)",
			"self == self",
			"self.size() == 0 || self[0] == self[0]",
			"self.isSorted()", "self.map(x, x).size() == self.size()", "self.indexOf(self[0]) == 0",
			"self + self != self",
			"self.all(i, v, i >= 0)"}
	case "object":
		if n.schema["additionalProperties"] != nil {
			return []string{"self.size() < 5", "self.all(k, k != '')", "self.all(k, self[k] == self[k])", "'a' in self",
				"self == self",
				"self.exists(k, k.startsWith('a'))", "self.all(k, v, k != '')"}
		}
		return []string{propertyRule(r, n), propertyRule(r, n), "self == self", "true"}
	}
	return []string{"true", "self == self", "self == 1", "type(self) == int || self == 'a'"}
}

// functionRules call what some version of Kubernetes or of CEL knows.
func functionRules() []string {
	return []string{
		"quantity('1Gi').isGreaterThan(quantity('1Mi'))", "isQuantity('1Gi')", "url('https://a').getHost() == 'a'",
		"isURL('a')",
		"ip('10.0.0.1').family() == 4", "isCIDR('10.0.0.0/8')",
		"cidr('10.0.0.0/8').containsIP('10.0.0.1')", "'%d'.format([1]) == '1'", "sets.contains([1], [1])",
		"[1, 2].sum() == 3",
		"[1].isSorted()", "'a'.find('b') == ''", "'abc'.findAll('[a-c]').size() > 0",
		"optional.of(1).hasValue()", "optional.none().orValue(1) == 1", "{?'a': optional.of(1)}.size() == 1",
		"[1, 2].all(i, v, v > i)",
		"{'a': 1}.transformMap(k, v, v + 1).size() == 1",
		"[2, 1].sort() == [1, 2]", "[1, 1].distinct() == [1]", "lists.range(3).size() == 3",
		"semver('1.2.3').major() == 1",
		"isSemver('1.2')", "format.dns1123Label().validate('a').hasValue()",
		"math.greatest(1, 2) == 2", "base64.encode(b'a') == 'YQ=='", "cel.bind(a, 1, a == 1)",
		"strings.quote('a') == 'a'",
		"[1, 2].reverse() == [2, 1]", "[[1]].flatten() == [1]",
		"duration('1h') > duration('1m')", "timestamp('2024-01-01T00:00:00Z').getFullYear() == 2024",
		"regex.replace('a', 'a', 'b') == 'b'", "authorizer.group('').resource('a').check('get').allowed()",
		"[1, 2].slice(0, 1) == [1]", "'a'.reverse() == 'a'", "['a'].join(',') == 'a'", "json.unmarshal('1')",
		"[1].includes(1)",
	}
}

// propertyRule is a rule on one or two properties of an object.
func propertyRule(r *rand.Rand, n *node) string {
	names := properties(n.schema)
	if len(names) == 0 {
		return "self.size() >= 0"
	}
	name := pick(r, names...)
	// The escaped name is what CEL reads, the other one what is often written.
	escaped, ok := cel.Escape(name)
	if !ok || r.IntN(8) == 0 {
		escaped = name
	}
	field := "self." + escaped
	return strings.NewReplacer("FIELD", field, "NAME", escaped).Replace(
		pick(r, "has(FIELD)", "!has(FIELD) || FIELD == FIELD",
			"FIELD == FIELD", "has(FIELD) || true", "FIELD == 'a'", "FIELD > 0",
			"FIELD.size() > 0", "FIELD.all(x, true)", "self.?NAME.hasValue()", "self.?NAME.orValue('a') == 'a'",
			"FIELD.nowhere",
			"has(self.nowhere)", "FIELD", "self['NAME'] == 1", "oldSelf.NAME == FIELD",
			"FIELD == oldSelf.NAME || true", "FIELD in ['a', 'b']", "FIELD.startsWith('a')"))
}

// spoilRule renames a field of a rule that is there, or breaks its text in another way.
func spoilRule(r *rand.Rand, n *node) string {
	rule, ok := pick(r, n.schema["x-kubernetes-validations"].([]any)...).(object)
	if !ok {
		return ""
	}
	was, _ := rule["rule"].(string)
	cut := 0
	if len(was) > 0 {
		cut = r.IntN(len(was))
	}
	return set(rule, "rule", pick[any](r, strings.Replace(was, "self.", "self.x", 1), was[:cut],
		was[:cut]+" "+was[cut:], was+" && true",
		was+"\n&& true", "("+was+")", "!("+was+")",
		strings.ReplaceAll(was, "self", "oldSelf"), strings.ReplaceAll(was, "'", "\""), was+" // comment",
		"["+was+"].all(x, x)",
		"self.all(x, "+was+")", absent{}))
}
