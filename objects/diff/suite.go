package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// Removed returns the comparison of a CRD that only the old side has.
func Removed(crd crds.CRD) *Comparison {
	return &Comparison{Name: crd.IR.ObjectName(), Old: crd.IR, Changes: []Change{{
		Message: "the CRD is removed, and with it all objects", Old: crd.IR.At,
		Help:     "keep the CRD while it has objects",
		Findings: []Finding{{Question: Definition, Answer: No, Class: ClassStored}},
	}}}
}

// A suiteFile is a file of cases, as package suite reads it.
type suiteFile struct {
	Name    string     `json:"name"`
	CRDName string     `json:"crdName"`
	Version string     `json:"version,omitempty"`
	Tests   suiteTests `json:"tests"`
	// old are patches that restore the old CRD.
	old []patch
}

type suiteTests struct {
	OnCreate []suiteCase `json:"onCreate,omitempty"`
	OnUpdate []suiteCase `json:"onUpdate,omitempty"`
}

type suiteCase struct {
	Name                string  `json:"name"`
	InitialCRDPatches   []patch `json:"initialCRDPatches,omitempty"`
	Initial             string  `json:"initial"`
	Updated             string  `json:"updated,omitempty"`
	Expected            string  `json:"expected,omitempty"`
	ExpectedError       string  `json:"expectedError,omitempty"`
	ExpectedStatusError string  `json:"expectedStatusError,omitempty"`
}

// Suites returns the objects of the witnesses as suites for the new CRDs: what they do with each object. What is
// updated is created under the old CRD. An old CRD with another scope, or that writes the status in another way,
// cannot be tested with objects of the new one: then there are no updates. A CRD with a webhook has a suite for each
// version. If two versions of one CRD are compared, the objects are sent to the new version, and those that are
// updated are created in the old one. Answers that only older servers give have no case, and no prefixes of generated
// names: all cases have the same. Neither have objects that are only written back.
func (r *Report) Suites() (out []emit.File) {
	for _, c := range r.Comparisons {
		var suites []*suiteFile
		for i := range c.Changes {
			change := &c.Changes[i]
			for _, f := range change.Findings {
				if f.Witness == nil || f.Witness.isRead || change.Path == "metadata.generateName" ||
					f.Servers != (kube.Range{}) ||
					f.Witness.Update != nil && !c.isUpdatable(f.Witness.Version) {
					continue
				}
				version := ""
				if UsesWebhook(c.Old) || UsesWebhook(c.New) {
					version = f.Witness.Version
				}
				j := slices.IndexFunc(suites, func(s *suiteFile) bool { return s.Version == version })
				if j < 0 {
					j = len(suites)
					suites = append(suites, &suiteFile{Name: c.Title() + ": witnesses of changes", CRDName: c.Name,
						Version: version, old: restore(c.Old, c.New)})
				}
				suites[j].add(c.sent(*f.Witness), fmt.Sprintf("%s %s", f.Question,
					strings.TrimSpace(change.Path+" "+change.Keyword)))
			}
		}
		for _, s := range suites {
			data, err := yaml.Marshal(s)
			if err != nil {
				panic(err) // all of it is text
			}
			name := strings.TrimSuffix(c.Name+"."+s.Version, ".")
			if c.Versions != "" {
				name += "." + c.before + "-as-" + c.after
			}
			out = append(out, emit.File{Path: name + ".testsuite.yaml", Data: data})
		}
	}
	return out
}

// add adds the case of a witness.
func (s *suiteFile) add(w *Witness, about string) {
	list, made := &s.Tests.OnUpdate, suiteCase{}
	switch {
	case w.Update == nil && !w.isStatus:
		list, made = &s.Tests.OnCreate, w.creation()
	case w.Update == nil:
		made = w.status()
	default:
		made = w.update(s.old)
	}
	made.Name = fmt.Sprintf("%d %s", len(*list)+1, about)
	*list = append(*list, made)
}

// sent returns a witness with the versions to which its objects are sent.
func (c *Comparison) sent(w Witness) *Witness {
	first := c.after
	if w.Update != nil {
		first, w.Update = c.before, as(w.Update, c.after)
	}
	w.Object = as(w.Object, first)
	return &w
}

// as returns an object as one of another version; "" is its own.
func as(object map[string]any, version string) map[string]any {
	if version == "" {
		return object
	}
	out := maps.Clone(object)
	group, _, _ := strings.Cut(object["apiVersion"].(string), "/")
	out["apiVersion"] = group + "/" + version
	return out
}

// isUpdatable reports whether both CRDs, or both versions, write objects of a version in the same requests.
func (c *Comparison) isUpdatable(version string) bool {
	hasStatus := func(crd *schema.CRD, version string) bool {
		sub := versionsOf(crd)[version].Subresources
		return sub != nil && sub.Status != nil
	}
	return c.Old.Scope.V == c.New.Scope.V &&
		hasStatus(c.Old, cmp.Or(c.before, version)) == hasStatus(c.New, cmp.Or(c.after, version))
}

// creation returns the case of a witness that is only created.
func (w *Witness) creation() suiteCase {
	out := suiteCase{Initial: objectYAML(w.Object)}
	if w.Stored == nil {
		out.ExpectedError = reason(w.rejection)
	} else {
		out.Expected = objectYAML(w.Stored)
	}
	return out
}

// status returns the case of a witness that is created, with a status that is written then.
func (w *Witness) status() suiteCase {
	out := w.creation()
	out.Initial, out.Updated = objectYAML(witness.Without(w.Object, "status")), out.Initial
	out.ExpectedError, out.ExpectedStatusError = "", out.ExpectedError
	return out
}

// update returns the case of a witness with an update, which the new CRD rejects.
func (w *Witness) update(old []patch) suiteCase {
	out := suiteCase{InitialCRDPatches: old, Initial: objectYAML(w.Object), Updated: objectYAML(w.Update)}
	switch {
	case !w.Status:
		out.ExpectedError = reason(w.New)
	case w.rejection != "":
		out.ExpectedError = reason(w.rejection)
	default:
		out.ExpectedStatusError = reason(w.New)
	}
	return out
}

// reason returns the part of an error that does not depend on the name of the object.
func reason(message string) string {
	if _, after, ok := strings.Cut(message, "is invalid: "); ok {
		return strings.TrimSuffix(strings.TrimPrefix(after, "["), "]")
	}
	return diag.Printable(message)
}
