package generator_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/cost"
)

var costly = []struct {
	name, source string
	help         []string
}{
	{"square", `type Spec struct {
	// +kubebuilder:validation:XValidation:rule="self.all(x, self.exists_one(y, y == x))"
	Ports []int32 ` + "`json:\"ports,omitempty\"`" + `
}
`, []string{"MaxItems=1024 on Ports"}},
	{"text in a list", `type Spec struct {
	// +kubebuilder:validation:items:XValidation:rule="self.matches('^[a-z]+$')"
	Names []string ` + "`json:\"names,omitempty\"`" + `
}
`, []string{"MaxItems=1024 on Names", "items:MaxLength=4096 on Names"}},
	{"lists in lists", `type Spec struct {
	A []A ` + "`json:\"a,omitempty\"`" + `
}

type A struct {
	B map[string]B ` + "`json:\"b,omitempty\"`" + `
}

type B struct {
	C []C ` + "`json:\"c,omitempty\"`" + `
}

// +kubebuilder:validation:XValidation:rule="self.x > 1 && self.x < 100 || self.x == 200 || self.x == 300 || self.x == 400 || self.x == 500 || self.x == 600"
type C struct {
	X int32 ` + "`json:\"x,omitempty\"`" + `
}
`, []string{"MaxItems=64 on A", "MaxProperties=70 on B", "MaxItems=64 on C"}},
	{"values of maps", `// +kubebuilder:validation:XValidation:rule="self.labels.all(k, self.labels[k].matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))"
type Spec struct {
	Labels map[string]Label ` + "`json:\"labels,omitempty\"`" + `
}

type Label string
`, []string{"MaxProperties=660 on Labels", "MaxLength=2700 on the type Label"}},
	{"values without a type", `// +kubebuilder:validation:XValidation:rule="self.labels.all(k, self.labels[k].matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))"
type Spec struct {
	// +kubebuilder:validation:MaxProperties=64
	Labels map[string]string ` + "`json:\"labels,omitempty\"`" + `
}
`, []string{"MaxLength=4096 on a new type for the values of Labels"}},
	{"shared", `type Spec struct {
	A []Item ` + "`json:\"a,omitempty\"`" + `
	B []Item ` + "`json:\"b,omitempty\"`" + `
	C map[string]Item ` + "`json:\"c,omitempty\"`" + `
}

// +kubebuilder:validation:XValidation:rule="self.name.matches('^[a-z]+$')"
type Item struct {
	Name string ` + "`json:\"name\"`" + `
}
`, []string{"MaxItems=1024 on A", "MaxItems=1024 on B", "MaxProperties=1024 on C", "MaxLength=4096 on Name"}},
	{"bounded too high", `type Spec struct {
	// +kubebuilder:validation:MaxItems=5000
	// +kubebuilder:validation:XValidation:rule="self.all(x, self.exists_one(y, y == x))"
	Ports []int32 ` + "`json:\"ports,omitempty\"`" + `
}
`, []string{"MaxItems=1024 on Ports"}},
	{"messageExpression", `type Spec struct {
	// +kubebuilder:validation:XValidation:rule="self.size() < 10",messageExpression="self.filter(n, n.startsWith('a')).join(' ')"
	Names []string ` + "`json:\"names,omitempty\"`" + `
}
`, nil},
	{"integer or string", `type Spec struct {
	// +kubebuilder:validation:MaxItems=200
	Ports []Port ` + "`json:\"ports,omitempty\"`" + `
}

// +kubebuilder:validation:XValidation:rule="type(self.port) == int || string(self.port).matches('^[a-z]+$')"
type Port struct {
	Port *intstr.IntOrString ` + "`json:\"port,omitempty\"`" + `
}
`, []string{"MaxItems=5 on Ports"}}, // a maxLength on Port suffices from 1.34 on only
	{"two sizes", `// +kubebuilder:validation:XValidation:rule="self.hosts.all(h, self.names.exists(n, n == h))"
type Spec struct {
	Hosts []string ` + "`json:\"hosts,omitempty\"`" + `
	Names []string ` + "`json:\"names,omitempty\"`" + `
}
`, []string{"MaxItems=140 on Hosts", "MaxItems=150 on Names", "items:MaxLength=580 on Hosts"}},
	{"sum", `type Spec struct {
	Items []Item ` + "`json:\"items,omitempty\"`" + `
}

type Item struct {
	A Name ` + "`json:\"a,omitempty\"`" + `
	B Name ` + "`json:\"b,omitempty\"`" + `
	C Name ` + "`json:\"c,omitempty\"`" + `
	D Name ` + "`json:\"d,omitempty\"`" + `
	E Name ` + "`json:\"e,omitempty\"`" + `
	F Name ` + "`json:\"f,omitempty\"`" + `
}

// +kubebuilder:validation:MaxLength=3
// +kubebuilder:validation:XValidation:rule="self != 'a' && self != 'b'"
// +kubebuilder:validation:XValidation:rule="self != 'c' && self != 'd'"
// +kubebuilder:validation:XValidation:rule="self != 'e' && self != 'f'"
// +kubebuilder:validation:XValidation:rule="self != 'g' && self != 'h'"
type Name string
`, []string{"MaxItems=1024 on Items"}},
	{"without limit", `type Spec struct {
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:items:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="self.map(n, n + 'a').join(',') != ''"
	Names []string ` + "`json:\"names,omitempty\"`" + `
}
`, nil},
}

// A repair is a bound that a help proposes.
type repair struct {
	// keyword is a marker up to the number; on is where to write it.
	keyword, on string
	// now is the present marker there, "" if it has none.
	now string
	// n is the proposed number, most the largest possible one.
	n, most int64
}

var proposed = regexp.MustCompile(`(\+[^ ]*kubebuilder:validation:\S+=)(\d+) on (.+?)(?: instead of (\d+))?` +
	`(?: \(at most ([\d,]+)\))?(?:, | and |; the cost)`)

// repairs reads them from a help.
func repairs(t *testing.T, help string) []repair {
	t.Helper()
	number := func(text string) int64 {
		n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var out []repair
	for _, m := range proposed.FindAllStringSubmatch(help, -1) {
		r := repair{keyword: m[1], on: m[3], now: m[4], n: number(m[2]), most: number(m[2])}
		if m[5] != "" {
			r.most = number(m[5])
		}
		out = append(out, r)
	}
	return out
}

// apply follows the help in a source.
func (r repair) apply(source string, n int64) string {
	marker := r.keyword + strconv.FormatInt(n, 10)
	name, isType := strings.CutPrefix(r.on, "the type ")
	field, isOwn := strings.CutPrefix(r.on, "a new type for the values of ")
	switch {
	case r.now != "":
		return strings.Replace(source, r.keyword+r.now+"\n", marker+"\n", 1)
	case isOwn:
		source = regexp.MustCompile(`(\t`+field+` +map\[string\])string`).ReplaceAllString(source, "${1}Own")
		return source + "\n// " + marker + "\ntype Own string\n"
	case isType:
		return strings.Replace(source, "type "+name+" ", "// "+marker+"\ntype "+name+" ", 1)
	}
	return strings.Replace(source, "\t"+name+" ", "\t// "+marker+"\n\t"+name+" ", 1)
}

// costFindings are the findings about costs above a budget or the share of it that is worth a warning.
func costFindings(found []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		return d.Severity != diag.Error && !strings.HasPrefix(d.Check, "cel-cost")
	})
}

// costErrors are the findings about costs above a budget, ours or the API server's.
func costErrors(found []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// TestRepairs follows each help, and generates again. Nothing is found in the result, nor with the largest bound that
// the help names; with a larger one there is a warning.
func TestRepairs(t *testing.T) {
	var sources []string
	for _, c := range costly {
		sources = append(sources, c.source)
	}
	type variant struct {
		of, what string
		accepted bool
	}
	var variants []variant
	var repaired []string
	for i, found := range findings(t, sources...) {
		c := costly[i]
		errs := costErrors(found)
		if len(errs) != 1 {
			t.Errorf("%s: %d errors: %v", c.name, len(errs), errs)
			continue
		}
		list := repairs(t, errs[0].HelpText)
		var texts []string
		for _, r := range list {
			texts = append(texts, fmt.Sprintf("%s%d on %s", strings.TrimPrefix(r.keyword, "+kubebuilder:validation:"),
				r.n, r.on))
		}
		if !slices.Equal(texts, c.help) {
			t.Errorf("%s: the help names %q, not %q: %s", c.name, texts, c.help, errs[0].HelpText)
		}
		add := func(what string, accepted bool, change func(i int) int64) {
			source := c.source
			for i, r := range list {
				source = r.apply(source, change(i))
			}
			variants = append(variants, variant{c.name, what, accepted})
			repaired = append(repaired, source)
		}
		if len(list) == 0 {
			continue
		}
		add("what is proposed", true, func(i int) int64 { return list[i].n })
		for i := range list {
			with := func(n int64) func(int) int64 {
				return func(j int) int64 {
					if i == j {
						return n
					}
					return list[j].n
				}
			}
			add(fmt.Sprintf("the most of %d", i), true, with(list[i].most))
			add(fmt.Sprintf("more than the most of %d", i), false, with(list[i].most+1))
		}
	}
	// By default, a bound that is written down is only reported at nearly the whole budget.
	below, above := findingsAbove(t, cost.DefaultShare+1, repaired...), findingsAbove(t, cost.DefaultShare-1, repaired...)
	for i, v := range variants {
		if left := costFindings(below[i]); v.accepted && len(left) > 0 || !v.accepted && len(costFindings(above[i])) == 0 {
			t.Errorf("%s with %s: %v\n%s", v.of, v.what, left, repaired[i])
		}
	}
}
