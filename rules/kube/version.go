// Package kube is Kubernetes' own view of a CRD: the object and the structural schemas that the IR represents, the API
// server's verdict on it, and what each version of Kubernetes supports. The package calls the code of Kubernetes and
// copies none of it.
package kube

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crdproof/crdproof/diag"
)

// Minor is a minor version of Kubernetes 1.
type Minor int

// Oldest and Newest are the versions whose verdicts, costs and answers to writes of objects are compared with their own
// libraries (testdata/minors).
const (
	Oldest Minor = 28
	Newest Minor = 38
)

// prereleases are the versions that have not been released, with what they are compared with.
var prereleases = map[Minor]string{38: "beta.0"}

// Supported says which versions options may name.
func Supported() string { return "from " + Oldest.String() + " to " + Newest.String() }

// Latest returns the version of the linked libraries, which is not after Newest.
func Latest() Minor { return Minor(environment.DefaultCompatibilityVersion().Minor()) + 1 }

// String names the version in a sentence: "1.37", or "1.38 (beta.0)" before its release.
func (m Minor) String() string {
	if suffix := prereleases[m]; suffix != "" {
		return m.option() + " (" + suffix + ")"
	}
	return m.option()
}

// option returns the version as an option has it.
func (m Minor) option() string { return "1." + strconv.Itoa(int(m)) }

// Range is a range of versions, both ends included.
type Range struct{ First, Last Minor }

// DefaultRange returns the library's version and the three before it: those that get patches, and the one before them.
func DefaultRange() Range { return Range{Latest() - 3, Latest()} }

// String returns the range as an option has it, such as "1.31" or "1.31..1.37".
func (r Range) String() string {
	if r.First == r.Last {
		return r.First.option()
	}
	return r.First.option() + ".." + r.Last.option()
}

// Has reports whether a version is in the range.
func (r Range) Has(m Minor) bool { return r.First <= m && m <= r.Last }

// Ranges names versions in a sentence: "1.34", "1.30 and 1.31", "1.30 to 1.32 and 1.34 to 1.36".
func Ranges(list []Range) string {
	var parts []string
	for _, r := range list {
		part := r.First.String()
		switch {
		case r.Last == r.First+1:
			part += " and " + r.Last.String()
		case r.Last > r.First:
			part += " to " + r.Last.String()
		}
		parts = append(parts, part)
	}
	return diag.And(parts)
}

// ParseRange reads "1.31", "1.31..1.37" or "1.31-1.37". The error says what was expected.
func ParseRange(text string) (Range, error) {
	first, last, isRange := strings.Cut(strings.Replace(text, "-", "..", 1), "..")
	if !isRange {
		last = first
	}
	var r Range
	var err error
	if r.First, err = parseMinor(first); err != nil {
		return Range{}, err
	}
	if r.Last, err = parseMinor(last); err != nil {
		return Range{}, err
	}
	if r.First > r.Last {
		return Range{}, fmt.Errorf("the range %s is reversed; write %s..%s", text, r.Last, r.First)
	}
	known := Range{min(max(r.First, Oldest), Newest), min(max(r.Last, Oldest), Newest)}
	switch {
	case r.First < Oldest:
		return Range{}, fmt.Errorf("crdproof compares its verdicts from Kubernetes %s on, got %s; write %s", Oldest,
			text, known)
	case r.Last > Newest:
		return Range{}, fmt.Errorf("crdproof compares its verdicts up to Kubernetes %s, got %s; write %s", Newest, text,
			known)
	}
	return r, nil
}

func parseMinor(text string) (Minor, error) {
	digits, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(text), "v"), "1.")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return 0, fmt.Errorf("invalid Kubernetes version %q: expected a version such as %s, or a range such as %s",
			text, Latest(), DefaultRange())
	}
	return Minor(n), nil
}
