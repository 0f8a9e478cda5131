// Package session holds everything that is known about one CRD during its validation, and the passes of checks over
// it.
//
// A Session computes Kubernetes' view of the CRD when it is first needed, and once: the object, the API server's
// verdict, and for each version the structural schema, the compiled rules and their estimated costs. Everything that
// needs one of these asks the session: the verdict, checks, the dropping of rules, costs, sizes and helpers. Only one
// goroutine may use a session at a time.
//
// A check is a Row, which examines the CRD through a Pass (pass.go).
package session

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// Options say what a CRD is validated for.
type Options struct {
	// Kube are the versions of Kubernetes that the CRD must work on; the zero value means kube.DefaultRange.
	Kube kube.Range
	// Share is the percentage of a rule's cost budget above which there is a warning; 0 means cost.DefaultShare.
	Share int
	// ByVerdict makes warnings of all that an API server accepts, even if every write of an object would fail.
	ByVerdict bool
	// Owns reports whether a position is in the user's own code; nil means that all code is. What is found elsewhere is
	// reported at the user's own field that leads there.
	Owns func(diag.Span) bool
	// Trace, if not nil, is called before an expression of a CRD is compiled.
	Trace func(*schema.CRD, expr.Compilation)
}

// A Session is one CRD with all that has been computed of it.
type Session struct {
	CRD *schema.CRD
	Options
	// Versions are those of the CRD, in the same order.
	Versions []*Version

	object func() *apiext.CustomResourceDefinition
	// before is the session of the CRD that this one updates, nil if it is created.
	before *Session
	// internal is the object in the server's own form, nil before it is needed, and once the verdict has used it up.
	internal *apiextensions.CustomResourceDefinition
	verdict  *verdict
	nodes    expr.Nodes
	memo     map[any]any
	finder   *schema.Finder
}

// A Version is one version of the CRD.
type Version struct {
	*schema.Version
	// Index is the position in the CRD's versions.
	Index int

	structure func() (*structural.Structural, error)
	compiled  func() ([]expr.Rule, []diag.Diagnostic)
	estimates func() []cost.Estimate
	// known are the compiled rules; before there are any, those of the session that this one was made of.
	known *[]expr.Rule
}

type verdict struct {
	rejections []kube.Rejection
	// more is the number of rejections that are left out.
	more int
	err  error
}

// New begins a session. The object is what will be applied: that of a file, or nil for the one that the CRD stands for.
func New(crd *schema.CRD, object *apiext.CustomResourceDefinition, opts Options) *Session {
	if opts.Kube == (kube.Range{}) {
		opts.Kube = kube.DefaultRange()
	}
	s := &Session{CRD: crd, Options: opts, nodes: expr.Nodes{}, memo: map[any]any{}, finder: schema.NewFinder(crd)}
	s.object = sync.OnceValue(func() *apiext.CustomResourceDefinition {
		if object == nil {
			return kube.Object(crd)
		}
		return object
	})
	for i := range crd.Versions {
		s.Versions = append(s.Versions, s.version(i, nil))
	}
	return s
}

// With begins the session of a CRD that was made of this one by leaving out rules or descriptions; of the same CRD it
// is the same session. What has been compiled already is not compiled again.
func (s *Session) With(crd *schema.CRD) *Session {
	if crd == s.CRD {
		return s
	}
	out := New(crd, nil, s.Options)
	for i, v := range s.Versions {
		if crd.Versions[i].Schema == v.Schema {
			same := *v
			same.Version = &crd.Versions[i]
			out.Versions[i] = &same
		} else {
			out.Versions[i] = out.version(i, *v.known)
		}
	}
	return out
}

// Updates makes the verdict that of an update of another CRD. It is called before anything is computed.
func (s *Session) Updates(before *Session) { s.before = before }

func (s *Session) version(i int, before []expr.Rule) *Version {
	known := before
	v := &Version{Version: &s.CRD.Versions[i], Index: i, known: &known}
	v.structure = sync.OnceValues(func() (*structural.Structural, error) {
		if v.Schema == nil {
			return nil, errNoSchema
		}
		if crd, err := s.decoded(); err == nil && s.isOf(crd) && !defaultsEmbedded(v.Schema) {
			return kube.StructuralOf(crd, i)
		}
		return kube.Structural(v.Schema)
	})
	v.compiled = sync.OnceValues(func() ([]expr.Rule, []diag.Diagnostic) {
		if !v.Schema.HasRules() {
			known = nil
			return nil, nil
		}
		structure, err := v.Structure()
		if err != nil {
			return nil, nil
		}
		opts := expr.Options{Kube: s.Kube, Before: before, Nodes: s.nodes}
		if s.Trace != nil {
			opts.Trace = func(c expr.Compilation) { s.Trace(s.CRD, c) }
		}
		var faults []diag.Diagnostic
		known, faults = expr.Compile(i, v.Schema, structure, opts)
		return known, faults
	})
	v.estimates = sync.OnceValue(func() []cost.Estimate { return cost.Estimates(v.Rules()) })
	return v
}

// Like returns the first version whose schema differs from that of a version in positions alone; it may be the version
// itself.
func (s *Session) Like(v *Version) *Version {
	return Memo(s, like{v}, func() *Version {
		return s.Versions[slices.IndexFunc(s.Versions, func(other *Version) bool {
			return other == v || schema.Same(other.Schema, v.Schema)
		})]
	})
}

// like is the key under which Like keeps its answer.
type like struct{ *Version }

// defaultsEmbedded reports whether a schema has defaults and embedded resources: the server's validation may then
// rewrite the defaults of the object that it looks at (pkg/apiserver/schema/defaulting/validation.go, Coerce).
func defaultsEmbedded(root *schema.Schema) bool {
	defaults, embedded := false, false
	schema.Walk(root, func(p *schema.Place) {
		defaults = defaults || p.Schema.Default != nil
		embedded = embedded || p.Schema.EmbeddedResource != nil
	})
	return defaults && embedded
}

var errNoSchema = errors.New("the version has no schema")

// decoded returns the object in the server's own form, which must not be changed.
func (s *Session) decoded() (_ *apiextensions.CustomResourceDefinition, err error) {
	if s.internal == nil {
		s.internal, err = kube.Internal(s.Object())
	}
	return s.internal, err
}

// isOf reports whether an object has the versions of the CRD: one that was read from a file may have others, if it is
// not as the API wants it.
func (s *Session) isOf(crd *apiextensions.CustomResourceDefinition) bool {
	return slices.EqualFunc(crd.Spec.Versions, s.CRD.Versions,
		func(a apiextensions.CustomResourceDefinitionVersion, b schema.Version) bool {
			return a.Name == b.Name.V
		})
}

// Object returns the CRD as an API server decodes it. It must not be changed.
func (s *Session) Object() *apiext.CustomResourceDefinition { return s.object() }

// Verdict returns why an API server of the library's version rejects the CRD; none means that it accepts it. What no
// server of the range would say is left out, and so are the reasons beyond effort.Rejections. The error says why it
// cannot read the CRD. Results are undefined after cancellation; check ctx.Err() first.
func (s *Session) Verdict(ctx context.Context) ([]kube.Rejection, error) {
	if s.verdict == nil {
		rejections, err := s.judge(ctx)
		rejections = slices.DeleteFunc(rejections, s.isElsewhere)
		n := min(len(rejections), int(effort.Rejections.Most))
		s.verdict = &verdict{rejections[:n:n], len(rejections) - n, err}
	}
	return s.verdict.rejections, s.verdict.err
}

// MoreRejections returns the number of reasons that Verdict leaves out because there are too many.
func (s *Session) MoreRejections() int {
	if s.verdict == nil {
		return 0
	}
	return s.verdict.more
}

// Find follows a path in the API server's notation, as schema.Finder does.
func (s *Session) Find(path string) (version int, place *schema.Place, rest string) {
	return s.finder.Find(path)
}

// Write returns the writer of keywords in the language of the CRD's source.
func (s *Session) Write() check.Writer { return check.In(s.CRD.At) }

// Key returns the path of a field of the version, in the API server's notation; "" is the version itself.
func (v *Version) Key(name string) string {
	path := "spec.versions[" + strconv.Itoa(v.Index) + "]"
	if name == "" {
		return path
	}
	return path + "." + name
}

// Structure returns the structural schema of the version. The error says why there is none.
func (v *Version) Structure() (*structural.Structural, error) { return v.structure() }

// Rules returns the compiled rules of the version; none if it has no structural schema.
func (v *Version) Rules() []expr.Rule {
	rules, _ := v.compiled()
	return rules
}

// Faults returns what is wrong with expressions of the version, in a slice of the caller's own.
func (v *Version) Faults() []diag.Diagnostic {
	_, faults := v.compiled()
	return slices.Clone(faults)
}

// Estimates returns what the version's rules and messageExpressions cost.
func (v *Version) Estimates() []cost.Estimate { return v.estimates() }

// Memo returns a value that checks keep for the length of a session, and makes it when it is first asked for. The key
// identifies it; its type should be one of the package that keeps the value, with the version or the schema that the
// value belongs to as a field.
func Memo[K comparable, T any](s *Session, key K, make func() T) T {
	if known, ok := s.memo[key]; ok {
		return known.(T)
	}
	made := make()
	s.memo[key] = made
	return made
}
