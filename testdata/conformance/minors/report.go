package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/rules/kube"
	"sigs.k8s.io/yaml"
)

// A report collects the disagreements about one minor, by their kind.
type report struct {
	minor, last kube.Minor
	keep        string
	judged      int
	rules       int
	accepted    int
	writes      int
	// changed counts the writes that the newest server answers otherwise.
	changed       int
	disagreements int
	kinds         []string
	first         map[string]string
	count         map[string]int
}

func (r *report) compare(ctx context.Context, o *oracle, s sample) error {
	body, err := yaml.YAMLToJSON(s.yaml)
	if err != nil {
		return nil // no server gets to see it
	}
	said, err := o.judge(body)
	if err != nil {
		return err
	}
	theirs := said.reasons()
	our, costs, err := ours(ctx, r.minor, r.last, s.yaml)
	if err != nil {
		return err
	}
	if r.isUnknown(our) {
		return nil
	}
	r.compareCosts(s, costs, said.Costs)
	r.judged++
	if len(theirs) == 0 {
		r.accepted++
	}
	switch {
	case len(theirs) > 0 && len(our) == 0:
		r.add("the server rejects, crdproof accepts", s, theirs[0])
	case len(theirs) == 0 && len(our) > 0 && r.last == r.minor:
		r.add("the server accepts, crdproof rejects", s, our[0])
	default:
		for _, t := range theirs {
			if strings.Contains(t.message, kube.NotCompiled) {
				continue // the rule is reported
			}
			isSame := func(v verdictReason) bool { return sameField(v.field, t.field) }
			if t.field != "" && !slices.ContainsFunc(our, isSame) {
				r.add("both reject, but crdproof does not report a field", s, t)
				break
			}
		}
	}
	return nil
}

// isUnknown reports whether crdproof rejects the type of a field that the server ignores because it does not know it.
func (r *report) isUnknown(ours []verdictReason) bool {
	return slices.ContainsFunc(ours, func(v verdictReason) bool {
		return strings.Contains(v.message, "for selectableFields") && r.minor < 30 ||
			strings.Contains(v.message, "for optionalOldSelf") && r.minor < 29
	})
}

// lifted are the fields that the server looks at above the versions if all versions have them in common.
var lifted = map[string]string{
	"spec.validation": "spec.versions[0].schema", "spec.subresources": "spec.versions[0].subresources",
	"spec.additionalPrinterColumns": "spec.versions[0].additionalPrinterColumns",
	"spec.selectableFields":         "spec.versions[0].selectableFields",
}

func unlifted(path string) string {
	for from, to := range lifted {
		if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			return to + rest
		}
	}
	return path
}

// sameField also takes a field of metadata for the same as an item of it: older servers name no items.
func sameField(ours, theirs string) bool {
	if strings.HasPrefix(ours, "metadata.") {
		return indexes.ReplaceAllString(ours, "") == indexes.ReplaceAllString(theirs, "")
	}
	return ours == unlifted(theirs)
}

var indexes = regexp.MustCompile(`\[\d+\]`)

func (r *report) add(what string, s sample, why verdictReason) {
	r.disagreements++
	kind := what + ": " + generic(why.message)
	if r.count == nil {
		r.count, r.first = map[string]int{}, map[string]string{}
	}
	if r.count[kind]++; r.count[kind] == 1 {
		r.kinds = append(r.kinds, kind)
		r.first[kind] = s.name + "\n      " + why.field + ": " + why.message
		if r.keep != "" {
			name := fmt.Sprintf("%s-%d.yaml", r.minor, len(r.kinds))
			if err := os.WriteFile(filepath.Join(r.keep, name), s.yaml, 0o666); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			r.first[kind] += "\n      " + name
		}
	}
}

// generic is a message without what differs between CRDs, so that equal causes are counted together.
func generic(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	var out []string
	for _, word := range strings.Fields(message) {
		if strings.ContainsAny(word, "0123456789\"'`") {
			word = "…"
		}
		out = append(out, word)
	}
	if len(out) > 25 {
		out = out[:25]
	}
	return strings.Join(out, " ")
}

func (r *report) print() {
	fmt.Printf("%s: %d CRDs, of which the server accepts %d, with %d rules; %d writes, "+
		"%d of which the newest server answers otherwise; %d disagreements\n", r.minor, r.judged, r.accepted, r.rules,
		r.writes, r.changed, r.disagreements)
	slices.SortStableFunc(r.kinds, func(a, b string) int { return r.count[b] - r.count[a] })
	for _, kind := range r.kinds {
		fmt.Printf("  %d × %s\n      %s\n", r.count[kind], kind, r.first[kind])
	}
}

// compareCosts reports the first rule of a CRD on which the two do not agree.
func (r *report) compareCosts(s sample, ours, theirs []ruleCost) {
	differ := func(what, path string, our, their uint64) {
		r.add("the "+what+" differ", s, verdictReason{path, fmt.Sprintf("ours %d, theirs %d", our, their)})
	}
	known := map[string]ruleCost{}
	for _, c := range ours {
		known[c.Path] = c
	}
	for _, t := range theirs {
		c, ok := known[t.Path]
		if !ok {
			continue // no server looks at the rules of a schema that is wrong
		}
		r.rules++
		isRange := r.last != r.minor
		switch {
		case isRange && c.Rule != "" && t.Rule == "", isRange && c.Message != "" && t.Message == "":
			// a newer version rejects it
		case (c.Rule != "") != (t.Rule != ""):
			what := "only crdproof compiles a rule"
			if c.Rule != "" {
				what = "only the server compiles a rule"
			}
			r.add(what, s, verdictReason{t.Path, lastLine(t.Rule)})
		case c.Rule == "" && (c.Message != "") != (t.Message != ""):
			what := "only crdproof compiles a messageExpression"
			if c.Message != "" {
				what = "only the server compiles a messageExpression"
			}
			r.add(what, s, verdictReason{t.Path, lastLine(t.Message)})
		case c.Rule == "" && !r.isSameCost(c.Each, t.Each):
			differ("costs of a rule", t.Path, c.Each, t.Each)
		case c.Rule == "" && c.Message == "" && !r.isSameCost(c.MessageCost, t.MessageCost):
			differ("costs of a messageExpression", t.Path, c.MessageCost, t.MessageCost)
		case c.Rule == "" && c.Values != t.Values:
			differ("cardinalities of a rule", t.Path, c.Values, t.Values)
		}
	}
}

// isSameCost reports whether two costs are equal. Where a size is unknown, 1.28 converts a number to an integer that does
// not fit, which processors do in different ways.
func (r *report) isSameCost(ours, theirs uint64) bool {
	const unlimited = 1 << 63
	return ours == theirs || r.minor == 28 && ours >= unlimited && theirs >= unlimited
}

// lastLine is the first line of a compilation error that is about the rule.
func lastLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "compilation failed: "), "\n")
	return text
}
