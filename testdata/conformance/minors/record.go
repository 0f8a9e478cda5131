package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/rules/kube"
)

// record writes the answers of all oracles to the samples into a directory, one file for each sample: what
// TestRecordedMinors in rules reads.
func record(ctx context.Context, all []kube.Minor, samples []sample, dir string) error {
	answers := make([][]answer, len(samples))
	for _, minor := range all {
		o, err := start(ctx, minor)
		if err != nil {
			return err
		}
		for i, s := range samples {
			body, err := yaml.YAMLToJSON(s.yaml)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			a, err := o.judge(body)
			if err != nil {
				return err
			}
			answers[i] = append(answers[i], a)
		}
		if err := o.stop(); err != nil {
			return err
		}
	}
	for i, s := range samples {
		name := strings.TrimSuffix(filepath.Base(strings.ReplaceAll(s.name, " ", "-")), "#0")
		name = strings.TrimSuffix(name, ".yaml") + ".txtar"
		files := []txtar.File{{Name: "crd.yaml", Data: s.yaml}, {Name: "answers", Data: recorded(all, answers[i])}}
		data := txtar.Format(&txtar.Archive{Files: files})
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// recorded are answers as lines: "verdict", or the path of an expression, and what is said of it by ranges of minors.
func recorded(all []kube.Minor, answers []answer) []byte {
	said := map[string][]string{}
	for i := range all {
		fields := []string{}
		for _, r := range answers[i].reasons() {
			if field := unlifted(r.field); !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
		slices.Sort(fields)
		verdict := "accepts"
		if len(fields) > 0 {
			verdict = strings.Join(fields, ",")
		}
		said["verdict"] = append(said["verdict"], verdict)
		for _, c := range answers[i].Costs {
			if !strings.HasSuffix(c.Path, "]") {
				continue // the schema has no rules for the server
			}
			for part, what := range map[string]string{
				".rule":              stated(c.Rule, c.Each),
				".messageExpression": stated(c.Rule+c.Message, c.MessageCost),
			} {
				said[c.Path+part] = append(said[c.Path+part], what)
			}
		}
	}
	var out strings.Builder
	for _, what := range slices.Sorted(maps.Keys(said)) {
		list := said[what]
		if len(list) < len(all) {
			continue // some server's code panics
		}
		hasCost := func(s string) bool { return s != "0" && s != "-" }
		if strings.HasSuffix(what, ".messageExpression") && !slices.ContainsFunc(list, hasCost) {
			continue // there is none
		}
		out.WriteString(what)
		for i := 0; i < len(list); {
			last := i
			for last+1 < len(list) && list[last+1] == list[i] {
				last++
			}
			fmt.Fprintf(&out, " %s=%s", kube.Range{First: all[i], Last: all[last]}, list[i])
			i = last + 1
		}
		out.WriteByte('\n')
	}
	return []byte(out.String())
}

// stated is the cost of an expression, or "-" if it does not compile.
func stated(fault string, cost uint64) string {
	if fault != "" {
		return "-"
	}
	return strconv.FormatUint(cost, 10)
}
