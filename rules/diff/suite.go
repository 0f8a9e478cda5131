package diff

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
)

// Removed is the comparison of a CRD that only the old side has.
func Removed(crd crds.CRD) *Comparison {
	return &Comparison{Name: crd.IR.ObjectName(), Old: crd.IR, Changes: []Change{{
		Message: "the CRD is removed, and with it all objects", Old: crd.IR.At,
		Help:     "keep the CRD while it has objects",
		Findings: []Finding{{Question: Definition, Answer: No, Class: ClassStored}},
	}}}
}

// A suite is a file of cases, as package suite reads it.
type suite struct {
	Name    string     `json:"name"`
	CRDName string     `json:"crdName"`
	Tests   suiteTests `json:"tests"`
}

type suiteTests struct {
	OnCreate []suiteCase `json:"onCreate"`
}

type suiteCase struct {
	Name          string `json:"name"`
	Initial       string `json:"initial"`
	Expected      string `json:"expected,omitempty"`
	ExpectedError string `json:"expectedError,omitempty"`
}

// Suites are the objects of the witnesses as suites for the new CRDs: what they do with each object. Updates are left
// out: they begin with objects that only the old CRD accepts.
func (r *Report) Suites() (out []emit.File) {
	for _, c := range r.Comparisons {
		s := suite{Name: c.Name + ": witnesses of changes", CRDName: c.Name}
		for i := range c.Changes {
			change := &c.Changes[i]
			for _, f := range change.Findings {
				if f.Witness == nil || f.Witness.Update != nil || f.Witness.Status {
					continue
				}
				test := suiteCase{Name: fmt.Sprintf("%d %s %s", len(s.Tests.OnCreate)+1, f.Question,
					strings.TrimSpace(change.Path+" "+change.Keyword)), Initial: objectYAML(f.Witness.Object)}
				if f.Witness.Stored == nil {
					test.ExpectedError = f.Witness.reason()
				} else {
					test.Expected = objectYAML(f.Witness.Stored)
				}
				s.Tests.OnCreate = append(s.Tests.OnCreate, test)
			}
		}
		if len(s.Tests.OnCreate) == 0 {
			continue
		}
		data, err := yaml.Marshal(s)
		if err != nil {
			panic(err) // all of it is text
		}
		out = append(out, emit.File{Path: c.Name + ".testsuite.yaml", Data: data})
	}
	return out
}

// reason is the part of the error that does not depend on the name of the object.
func (w *Witness) reason() string {
	if _, after, ok := strings.Cut(w.New, "is invalid: "); ok {
		return strings.TrimSuffix(strings.TrimPrefix(after, "["), "]")
	}
	return diag.Printable(w.New)
}
