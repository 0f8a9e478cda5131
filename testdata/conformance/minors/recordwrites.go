package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/writetest"
	"github.com/crdproof/crdproof/rules/kube"
)

// most is how many writes of a CRD are recorded, and longest how long their objects may be in JSON.
const (
	most    = 12
	longest = 3000
)

// recordWrites writes a file with the writes that minors answer differently, of each kind of difference one.
func recordWrites(path string, all []*writesOf, minors []kube.Minor) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for _, w := range all {
		crd, err := json.Marshal(w.CRD)
		if err != nil {
			return err
		}
		m := writetest.Minors{CRD: crd, Version: w.Version}
		seen := map[string]bool{}
		for i, answers := range w.answers {
			ranges := ranges(answers, minors)
			if len(ranges) < 2 || len(m.Writes) == most {
				continue
			}
			var kinds []string
			for _, a := range ranges {
				for _, text := range a.Errors {
					kinds = append(kinds, generic(text))
				}
			}
			key := strings.Join(kinds, "\n")
			write := writetest.MinorsWrite{Status: w.Writes[i].Status, Answers: ranges}
			if write.Object, err = json.Marshal(w.Writes[i].Object); err != nil {
				return err
			}
			if w.Writes[i].Old != nil {
				if write.Old, err = json.Marshal(w.Writes[i].Old); err != nil {
					return err
				}
			}
			if !seen[key] && len(write.Object)+len(write.Old) <= longest {
				seen[key] = true
				m.Writes = append(m.Writes, write)
			}
		}
		if len(m.Writes) > 0 {
			if err := encoder.Encode(m); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}

// ranges joins the equal answers of successive minors. It returns nothing if there is no answer of one of them.
func ranges(answers map[kube.Minor][]string, minors []kube.Minor) (out []writetest.MinorsAnswer) {
	if len(answers) < len(minors) {
		return nil
	}
	var versions kube.Range
	for _, minor := range slices.Sorted(maps.Keys(answers)) {
		if last := len(out) - 1; last >= 0 && slices.Equal(out[last].Errors, answers[minor]) {
			versions.Last = minor
			out[last].Kube = versions.String()
			continue
		}
		versions = kube.Range{First: minor, Last: minor}
		out = append(out, writetest.MinorsAnswer{Kube: versions.String(), Errors: answers[minor]})
	}
	return out
}
