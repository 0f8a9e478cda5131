// Package kube is Kubernetes' own view of a CRD: the object and the structural schemas that the IR represents, the API
// server's verdict on it, and what each version of Kubernetes supports. The package calls the code of Kubernetes and
// copies none of it.
package kube

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apiserver/pkg/cel/environment"
)

// Minor is a minor version of Kubernetes 1.
type Minor int

// Oldest is the first version that CRDs can be validated for: its API server is the first to evaluate rules by default
// (CustomResourceValidationExpressions is beta there).
const Oldest Minor = 25

// OldestServer is the first version whose answers to writes of objects are known: its API server is the first that
// ratchets updates by default (CRDValidationRatcheting).
const OldestServer Minor = 30

// Latest is the version of the linked libraries.
func Latest() Minor { return Minor(environment.DefaultCompatibilityVersion().Minor()) + 1 }

func (m Minor) String() string { return "1." + strconv.Itoa(int(m)) }

// Range is a range of versions, both ends included.
type Range struct{ First, Last Minor }

// DefaultRange is the library's version and the three before it: those that get patches, and the one before them.
func DefaultRange() Range { return Range{Latest() - 3, Latest()} }

func (r Range) String() string {
	if r.First == r.Last {
		return r.First.String()
	}
	return r.First.String() + ".." + r.Last.String()
}

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
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// ParseRange reads "1.31", "1.29..1.37" or "1.29-1.37". The error says what was expected.
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
	return r, nil
}

// ParseServers is ParseRange for versions whose answers to writes of objects are known.
func ParseServers(text string) (Range, error) {
	r, err := ParseRange(text)
	if err == nil && r.First < OldestServer {
		err = fmt.Errorf("answers to objects are known for Kubernetes %s or later, got %s", OldestServer, r.First)
	}
	return r, err
}

func parseMinor(text string) (Minor, error) {
	digits, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(text), "v"), "1.")
	n, err := strconv.Atoi(digits)
	switch {
	case !ok || err != nil:
		return 0, fmt.Errorf("invalid Kubernetes version %q: expected a version such as %s, or a range such as %s",
			text, Latest(), DefaultRange())
	case Minor(n) < Oldest:
		return 0, fmt.Errorf("rules in CRDs require Kubernetes %s or later, got %s", Oldest, Minor(n))
	case Minor(n) > Latest():
		return 0, fmt.Errorf("this crdproof supports Kubernetes up to %s, got %s", Latest(), Minor(n))
	}
	return Minor(n), nil
}
