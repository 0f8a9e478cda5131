package writetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/crdproof/crdproof/objects/write"
)

// Minors are writes of objects of one CRD, with the answers of the API servers of several minors. They are lines of
// objects/write/testdata/minors.jsonl, which testdata/conformance/minors writes.
type Minors struct {
	CRD json.RawMessage `json:"crd"`
	// Version is the version of the address.
	Version string        `json:"version"`
	Writes  []MinorsWrite `json:"writes"`
}

// A MinorsWrite is the creation of an object, or the update of an old one or of its status.
type MinorsWrite struct {
	Object  json.RawMessage `json:"object"`
	Old     json.RawMessage `json:"old,omitempty"`
	Status  bool            `json:"status,omitempty"`
	Answers []MinorsAnswer  `json:"answers"`
}

// A MinorsAnswer is that of all minors of a range.
type MinorsAnswer struct {
	Kube string `json:"kube"`
	// Errors are those of Reasons.
	Errors []string `json:"errors"`
}

// ReadMinors reads recorded writes.
func ReadMinors(path string) (out []Minors, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	decoder := json.NewDecoder(bufio.NewReader(file))
	for decoder.More() {
		var m Minors
		if err := decoder.Decode(&m); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, m)
	}
	return out, nil
}

// Reasons are the causes of a rejection, or else its message, sorted; none if the write is accepted.
func Reasons(a write.Answer) []string {
	out := []string{}
	switch {
	case a.Rejection == nil:
	case a.Rejection.ErrStatus.Details == nil || len(a.Rejection.ErrStatus.Details.Causes) == 0:
		out = append(out, a.Rejection.ErrStatus.Message)
	default:
		for _, c := range a.Rejection.ErrStatus.Details.Causes {
			out = append(out, fmt.Sprintf("%s %s: %s", c.Type, c.Field, c.Message))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
