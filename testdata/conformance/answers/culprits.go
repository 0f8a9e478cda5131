package answers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// This file finds the rules for which there are no helpers, so that the others of a CRD can be tried: those that
// crdproof rejects, those that it breaks off at, and those whose Go does not compile.

// generate writes helpers. That it breaks off is a diagnostic without a path.
func (p *Program) generate(crds []*schema.CRD) (keys []string, found []diag.Diagnostic, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			text := fmt.Sprint(broken)
			found = []diag.Diagnostic{{Severity: diag.Error, Message: "panic: " + text[:min(len(text), 200)]}}
		}
	}()
	return p.Add(crds)
}

// culprits are the rules for which crdproof breaks off, as paths.
func (p *Program) culprits(f File) (paths []string, err error) {
	rules, err := rulePaths(f.Data)
	if err != nil {
		return nil, err
	}
	scratch, err := NewProgram(filepath.Join(p.dir, "culprits"), p.root)
	if err != nil {
		return nil, err
	}
	var search func(list []string) error
	search = func(list []string) error {
		others := slices.DeleteFunc(slices.Clone(rules), func(path string) bool { return slices.Contains(list, path) })
		data, _, err := withoutRules(f.Data, others)
		if err != nil {
			return err
		}
		_, found, err := scratch.generate(Read(f.Name, data))
		switch {
		case err != nil || len(found) == 0:
			return err
		case len(list) == 1:
			paths = append(paths, list[0])
			return nil
		}
		half := len(list) / 2
		if err := search(list[:half]); err != nil {
			return err
		}
		return search(list[half:])
	}
	if len(rules) > 0 {
		err = search(rules)
	}
	return paths, err
}

// rulePaths are the paths of all rules.
func rulePaths(data []byte) ([]string, error) {
	var crd map[string]any
	if err := yaml.Unmarshal(data, &crd); err != nil {
		return nil, err
	}
	var out []string
	for i, v := range crd["spec"].(map[string]any)["versions"].([]any) {
		root := v.(map[string]any)["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
		eachSchema(root, fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i),
			func(path string, s map[string]any) {
				list, _ := s["x-kubernetes-validations"].([]any)
				for j := range list {
					out = append(out, fmt.Sprintf("%s.x-kubernetes-validations[%d]", path, j))
				}
			})
	}
	slices.Sort(out)
	return out, nil
}

// eachSchema visits a schema and all below, but for those in junctors.
func eachSchema(s map[string]any, path string, visit func(path string, s map[string]any)) {
	visit(path, s)
	for _, step := range []string{"items", "additionalProperties"} {
		if below, ok := s[step].(map[string]any); ok {
			eachSchema(below, path+"."+step, visit)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for name, below := range properties {
		if below, ok := below.(map[string]any); ok {
			eachSchema(below, path+".properties["+name+"]", visit)
		}
	}
}

// uncompiled are the rules in whose functions the compiler finds errors, as paths.
func (p *Program) uncompiled(f File, output string) ([]string, error) {
	texts := map[string]bool{}
	for _, m := range compilerLine.FindAllStringSubmatch(output, -1) {
		data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(m[1])))
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(data), "\n")
		number, _ := strconv.Atoi(m[2])
		for number = min(number, len(lines)-1); number > 0 && !strings.HasPrefix(lines[number], "func "); number-- {
		}
		for number--; number > 0 && strings.HasPrefix(lines[number], "//"); number-- {
			if text, ok := strings.CutPrefix(lines[number], "//\t"); ok {
				texts[text] = true
			}
		}
	}
	all, err := rulePaths(f.Data)
	if err != nil {
		return nil, err
	}
	var crd map[string]any
	if err := yaml.Unmarshal(f.Data, &crd); err != nil {
		return nil, err
	}
	var paths []string
	for _, path := range all {
		r := ruleAt(crd, path)
		rule, _ := r["rule"].(string)
		message, _ := r["messageExpression"].(string)
		if texts[rule] || message != "" && texts[message] {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// ruleAt is the rule at a path.
func ruleAt(crd map[string]any, path string) map[string]any {
	m := rulePath.FindStringSubmatch(path)
	version, _ := strconv.Atoi(m[1])
	index, _ := strconv.Atoi(m[3])
	v := crd["spec"].(map[string]any)["versions"].([]any)[version].(map[string]any)
	node := nodeAt(v["schema"].(map[string]any)["openAPIV3Schema"], m[2])
	rule, _ := node["x-kubernetes-validations"].([]any)[index].(map[string]any)
	return rule
}
