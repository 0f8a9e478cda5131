package expr

import (
	"testing"

	"github.com/google/cel-go/cel"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"

	"github.com/crdproof/crdproof/rules/kube"
)

// TestPortable compiles the expressions that count as portable with the compilers of all versions.
func TestPortable(t *testing.T) {
	text := structural.Structural{Generic: structural.Generic{Type: "string"}}
	number := structural.Structural{Generic: structural.Generic{Type: "integer"}}
	ratio := structural.Structural{Generic: structural.Generic{Type: "number"}}
	self := model.SchemaDeclType(&structural.Structural{
		Generic: structural.Generic{Type: "object"},
		Properties: map[string]structural.Structural{
			"name": text, "size": number, "ratio": ratio, "namespace": text, "a-b": number,
			"list": {Generic: structural.Generic{Type: "array"}, Items: &text},
		},
	}, false)
	taken := 0
	for _, rule := range []string{
		"self.size > 1 && has(self.name) && self.name.startsWith('a')", "self.list.all(v, v != '')",
		"self.list.all(i, v, v != '')", "self.list.transformList(i, v, v).size() > 0", "self.namespace != ''",
		"self.__namespace__ != ''", "self.a__dash__b > 0", "self.?name.orValue('') == ''", "self.size < self.ratio",
		"self.size == self.ratio", "quantity(self.name).isInteger()", "sets.contains(self.list, ['a'])",
		"self.list.sort() == self.list",
		"self.list.sortBy(x, x.size()) == self.list", "self.list.isSorted()", "self.list.sum() == ''",
		"'%s'.format([self.name]) == ''",
		"self.name.charAt(0) == ''", "self.list.join(',') == ''", "isSemver(self.name)",
		"semver(self.name).major() > 1",
		"format.dns1123Label().hasValue()", "ip.isCanonical(self.name)", "cidr('10.0.0.0/8').containsIP(self.name)",
		"url(self.name).getHost() == ''", "self.name.find('a') == ''", "self.name.matches('a')",
		"timestamp('2024-01-01T00:00:00Z') < timestamp(self.name)",
		"self.list.distinct().size() > 0", "self.list.flatten().size() > 0", "self.list.includes('a')",
		"[1, 2].max() > 1", "{'a': 1}.all(k, v, v > 0)",
		"optional.of(1).hasValue()", "self.list[?0].hasValue()", "type(self.size) == int", "self.name.reverse() == ''",
		"duration('1h') > duration('1m')",
		"self.list.indexOf('a') > 0", "self.list.slice(0, 1).size() > 0", "lists.range(3).size() > 2",
		"self.list.first().hasValue()", "optional.none().optMap(v, 1).hasValue()", "'%s %d'.format([self.name, 1]) == ''",
	} {
		envs := environments{decl: self.MaybeAssignTypeName(selfType), extended: map[envKey]*cel.Env{}}
		checked, issues := compileIn(kube.Latest(), envs.envFor(kube.Latest(), false), rule)
		if issues != nil {
			continue
		}
		for v := kube.Oldest; v < kube.Latest(); v++ {
			_, issues := compileIn(v, envs.envFor(v, false), rule)
			if !portable(checked.NativeRep(), v, overloads(v)) {
				continue
			}
			if taken++; issues != nil {
				t.Errorf("%s is taken for portable to %s, which says %s", rule, v, issues[0].Message)
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d rules were taken for portable", taken)
	}
}

// TestVersionsGrow makes sure that no version removes a function, since validation of a range relies on it.
func TestVersionsGrow(t *testing.T) {
	for v := kube.Oldest; v <= kube.Latest(); v++ {
		next := overloads(v + 1)
		for id := range overloads(v) {
			if !next[id] {
				t.Errorf("%s has %s, and %s has not", v, id, v+1)
			}
		}
	}
}
