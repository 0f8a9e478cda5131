package writetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"
)

// A Sample is an object, or an update of one, for the CRD that crdproof generates for a case of testdata/generate, with
// the expected answer of a real API server. Samples are YAML documents in files of the case:
//
//	samples/accepted.yaml  objects that the server accepts
//	samples/refused.yaml   objects that it rejects
//
//	samples/updates.yaml   pairs "old:" and "new:": the server accepts the first, and then the second in its place
//
// A document is only the spec if the case does not declare a kind. Otherwise it is the whole object, with or without
// metadata. A line
//
//	# want: text
//
// says that the object, or the new one, is rejected with a reason "path: message" that contains the text. Each reason
// must match such a line.
type Sample struct {
	File, Text string
	Wants      []string
	Old, New   json.RawMessage // Old is nil if the object is created
}

// Samples reads the samples of a file of a case, whose name begins with "samples/".
func Samples(f txtar.File) (out []Sample, err error) {
	for _, text := range strings.Split(string(f.Data), "\n---\n") {
		s, problem := newSample(f.Name, text)
		if problem != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w\n%s", f.Name, problem, text))
			continue
		}
		out = append(out, s)
	}
	return out, err
}

func newSample(file, text string) (Sample, error) {
	s := Sample{File: file, Text: strings.TrimSpace(text) + "\n"}
	for line := range strings.Lines(text) {
		if want, ok := strings.CutPrefix(line, "# want: "); ok {
			s.Wants = append(s.Wants, strings.TrimSpace(want))
		}
	}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return s, err
	}
	switch s.New = data; {
	case file == "samples/accepted.yaml" && len(s.Wants) == 0, file == "samples/refused.yaml" && len(s.Wants) > 0:
		return s, nil
	case file != "samples/updates.yaml":
		return s, fmt.Errorf("a sample of this file must not have the reasons %q", s.Wants)
	}
	var update struct{ Old, New json.RawMessage }
	if err := json.Unmarshal(data, &update); err != nil {
		return s, err
	}
	if update.Old == nil || update.New == nil {
		return s, errors.New("an update must have old and new")
	}
	s.Old, s.New = update.Old, update.New
	return s, nil
}

// Differs says how the reasons for a rejection, each "path: message", differ from those that the sample wants; "" if
// they do not. The reason that rules were not checked is ignored.
func (s Sample) Differs(reasons []string) string {
	reasons = slices.DeleteFunc(slices.Clone(reasons), func(r string) bool {
		return strings.Contains(r, "some validation rules were not checked")
	})
	for _, want := range s.Wants {
		if !slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(r, want) }) {
			return fmt.Sprintf("it is not rejected with %q", want)
		}
	}
	for _, r := range reasons {
		if !slices.ContainsFunc(s.Wants, func(want string) bool { return strings.Contains(r, want) }) {
			return fmt.Sprintf("it is rejected with %q", r)
		}
	}
	return ""
}
