package suite

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
)

// Used is a CRD that suites have tested.
type Used struct {
	Name string
	// From is its file, "" if it was generated from Go types.
	From string
}

// A target is a CRD as it is served for suites.
type target struct {
	crd crds.CRD
	// version is the only version that is served, "" if all are.
	version string
	// minor is the version of the API server, 0 for the newest.
	minor kube.Minor

	// cases are the indices of its outcomes in the report, running counts those that have not ended.
	cases   []int
	running atomic.Int64
	// resource answers the cases. It is nil before they run and after they have run.
	resource *write.Resource
	// found says why there is no resource.
	found []diag.Diagnostic
	// probes find out what is covered, by the name of the version.
	probes map[string]*probe
	// constraints are those of the versions that cases use.
	constraints []*constraint
}

// reduced returns a CRD with only the version under test.
func (t *target) reduced(object *apiext.CustomResourceDefinition) *apiext.CustomResourceDefinition {
	if t.version == "" {
		return object
	}
	return write.OnlyVersion(object, t.version)
}

// hasStatus reports whether the version of an object has the status subresource.
func (t *target) hasStatus(o *Object) bool {
	return slices.ContainsFunc(t.crd.Object.Spec.Versions, func(v apiext.CustomResourceDefinitionVersion) bool {
		return v.Name == o.version() && v.Subresources != nil && v.Subresources.Status != nil
	})
}

func (t *target) used() Used {
	u := Used{Name: t.crd.Object.Name}
	src := t.crd.IR.At.Source
	if src != nil && (input.IsManifest(src.Path) || src.Path == input.StandardInput) {
		u.From = src.Path
	}
	return u
}

// A pool is the set of CRDs in which suites look for theirs.
type pool struct {
	crds  []crds.CRD
	found []diag.Diagnostic
	// where says where these are from, and below is a help that names the directories below, if there are any.
	where, below string
}

func (p *pool) names() (out []string) {
	for _, c := range p.crds {
		if !slices.Contains(out, c.Object.Name) {
			out = append(out, c.Object.Name)
		}
	}
	return out
}

// A finder finds the CRDs of suites. It reads CRDs once that several suites share.
type finder struct {
	ctx    context.Context
	where  crds.Where
	pools  map[string]*pool
	served []*target
	gates  gateTable
}

// targets returns what a suite is run against, or the reason why it cannot run.
func (f *finder) targets(s *Suite) (out []*target, problems []diag.Diagnostic) {
	p := f.pool(s)
	if diag.HasErrors(p.found) {
		return nil, p.found
	}
	if isNamed := len(f.where.Files)+len(f.where.Paths) > 0; isNamed && len(p.crds) == 0 {
		return nil, []diag.Diagnostic{f.where.None()}
	}
	named := slices.DeleteFunc(slices.Clone(p.crds),
		func(c crds.CRD) bool { return s.CRDName.V != "" && c.Object.Name != s.CRDName.V })
	switch {
	case len(named) == 0:
		return nil, []diag.Diagnostic{unknownCRD(s, p)}
	case s.CRDName.V == "" && len(p.names()) > 1:
		at := s.CRDFile.At
		if !at.IsValid() {
			at = diag.At(s.Source, 0, 0)
		}
		return nil, []diag.Diagnostic{severalCRDs(at, p)}
	}
	for _, c := range named {
		fits, problem := f.gates.fits(c.Object, s)
		if problem != nil {
			return nil, []diag.Diagnostic{*problem}
		}
		if !fits {
			continue
		}
		version, problem := versionUnderTest(s, c)
		if problem != nil {
			return nil, []diag.Diagnostic{*problem}
		}
		out = append(out, f.target(c, version))
	}
	if len(out) == 0 {
		problems = append(problems, diag.Warningf(s.Gates[0].At, badGate,
			"no file of the CRD %s has these feature gates, so no case is run", s.CRDName.V))
	}
	return out, problems
}

// severalCRDs reports that a suite does not name one of several CRDs.
func severalCRDs(at diag.Span, p *pool) diag.Diagnostic {
	const most = 3
	names := p.names()
	d := diag.Errorf(at, cannotFind, "missing key %q: there are several CRDs in %s", keyCRDName, p.where)
	if len(names) > most {
		return d.Note("the CRDs are %s", inWords(names)).Help("add %s with the name of one of the CRDs", keyCRDName)
	}
	var helps []string
	for _, name := range names {
		helps = append(helps, fmt.Sprintf("add %s: %s", keyCRDName, name))
	}
	return d.Help("%s", strings.Join(helps, ", or "))
}

func unknownCRD(s *Suite, p *pool) diag.Diagnostic {
	d := diag.Errorf(s.CRDName.At, cannotFind, "CRD %s not found in %s", s.CRDName.V, p.where)
	if !d.Span.IsValid() {
		d = diag.Errorf(s.CRDFile.At, cannotFind, "no CustomResourceDefinition found in %s", p.where)
	}
	near := p.below
	if names := p.names(); len(names) > 0 {
		d, near = d.Note("the CRDs found are %s", inWords(names)), diag.DidYouMean(s.CRDName.V, names)
	}
	return d.Help("%s", cmp.Or(near, crds.NameThem))
}

// inWords lists the first few names, and says how many more there are.
func inWords(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// versionUnderTest returns the version of the suite. If the suite has none and a webhook would convert the objects, it
// is the version of the objects, provided that they all have the same.
func versionUnderTest(s *Suite, c crds.CRD) (string, *diag.Diagnostic) {
	var names []string
	for _, v := range c.Object.Spec.Versions {
		names = append(names, v.Name)
	}
	if s.Version.V != "" {
		if !slices.Contains(names, s.Version.V) {
			return "", new(diag.Errorf(s.Version.At, badVersion, "%s has no version %q", c.Object.Name, s.Version.V).
				Note("its versions are %s", inWords(names)).Help("%s", diag.DidYouMean(s.Version.V, names)))
		}
		return s.Version.V, nil
	}
	var used []string
	for _, c := range s.Cases {
		used = append(used, c.versions()...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	conversion := c.Object.Spec.Conversion
	if len(names) > 1 && conversion != nil && conversion.Strategy == apiext.WebhookConverter &&
		len(used) == 1 && slices.Contains(names, used[0]) {
		return used[0], nil
	}
	return "", nil
}

// versions returns those of the objects of a case.
func (c *Case) versions() (out []string) {
	for _, o := range []*Object{c.Initial, c.Updated} {
		if o != nil && o.version() != "" {
			out = append(out, o.version())
		}
	}
	return out
}

// version returns the one that the apiVersion of the object names, "" if it names none.
func (o *Object) version() string {
	apiVersion, _ := o.Fields["apiVersion"].(string)
	gv, _ := schema.ParseGroupVersion(apiVersion)
	return gv.Version
}

// target returns the target for a CRD and a version, and reuses an existing one.
func (f *finder) target(c crds.CRD, version string) *target {
	for _, t := range f.served {
		if t.crd.Object == c.Object && t.version == version {
			return t
		}
	}
	t := &target{crd: c, version: version}
	f.served = append(f.served, t)
	return t
}

// pool returns the CRDs in which those of a suite are, or the reason why they cannot be found.
func (f *finder) pool(s *Suite) *pool {
	only := func(d diag.Diagnostic) *pool { return &pool{found: []diag.Diagnostic{d}} }
	where := f.where
	if len(where.Files) > 0 || len(where.Paths) > 0 {
		return f.once(where)
	}
	if s.Source.Path != input.StandardInput {
		where.Dir = filepath.Dir(s.Source.Path)
	}
	if s.CRDFile.V != "" {
		path := filepath.Join(where.Dir, filepath.FromSlash(s.CRDFile.V))
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			d := diag.Errorf(s.CRDFile.At, cannotFind, "file %s does not exist", input.Shown(path))
			if near := input.Near(path, nil); near != "" {
				d.HelpText = diag.Meant(filepath.ToSlash(filepath.Join(filepath.Dir(s.CRDFile.V), near)))
			}
			return only(d)
		}
		where.Files = []string{path}
	}
	where, problem := where.Settled()
	if problem != nil {
		return only(problem.See(s.CRDName.At, "the suite tests %s", s.CRDName.V))
	}
	return f.once(where)
}

// once reads CRDs once, even if several suites use them.
func (f *finder) once(where crds.Where) *pool {
	key := where.Dir + "\x00" + where.String()
	if p, ok := f.pools[key]; ok {
		return p
	}
	list, found := crds.All(f.ctx, where)
	f.pools[key] = &pool{crds: list, found: found, where: where.String(), below: input.AllBelow(where.Files)}
	return f.pools[key]
}
