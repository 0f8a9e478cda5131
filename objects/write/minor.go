package write

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdproof/crdproof/internal/support"
	"github.com/crdproof/crdproof/rules/kube"
)

// For returns the CRD as the API server of a minor, kube.Oldest or later, serves it. The zero value is the newest.
func (r *Resource) For(minor kube.Minor) *Resource {
	if minor == 0 || minor == r.minor {
		return r
	}
	if known, ok := r.others.Load(minor); ok {
		return known.(*Resource)
	}
	out := &Resource{minor: minor, crd: r.crd, versions: map[string]*version{}}
	for name, v := range r.versions {
		out.versions[name] = v.servedBy(minor)
		if v == r.storage {
			out.storage = out.versions[name]
		}
	}
	known, _ := r.others.LoadOrStore(minor, out)
	return known.(*Resource)
}

// Accepting returns those of a range of minors, except the last, that accept a write that the last one rejects. None is
// the zero value.
func (r *Resource) Accepting(ctx context.Context, req Request, versions kube.Range) (out kube.Range, err error) {
	stricter := []kube.Minor{kube.NameFormats.Since(), kube.IntegerFormats.Since()} // others change only texts
	accepts := false
	for minor := versions.Last - 1; minor >= versions.First; minor-- {
		if !accepts && slices.Contains(stricter, minor+1) { // older ones know fewer formats
			answer, err := r.For(minor).Write(ctx, req)
			if err != nil {
				return kube.Range{}, err
			}
			if accepts = answer.Rejection == nil; accepts {
				out.Last = minor
			}
		}
		if accepts {
			out.First = minor
		}
	}
	return out, nil
}

// servedBy returns the version as the API server of another minor serves it.
func (v *version) servedBy(minor kube.Minor) *version {
	out := *v
	out.strategy = sync.OnceValues(func() (*strategy, error) {
		newest, err := v.strategy()
		if err != nil {
			return nil, err
		}
		props, err := v.internal()
		if err != nil {
			return nil, err
		}
		s := *newest
		if !minor.Has(kube.OptionalOldSelf) {
			s.dropOptionalOldSelf()
		}
		return &s, s.compile(props, minor)
	})
	return &out
}

// dropOptionalOldSelf drops the field from rules, which then compare with an old value or do not run.
func (s *strategy) dropOptionalOldSelf() {
	isOptional := false
	schema := s.schema.DeepCopy()
	drop := structural.Visitor{Structural: func(node *structural.Structural) bool {
		for i := range node.XValidations {
			isOptional = isOptional || node.XValidations[i].OptionalOldSelf != nil
			node.XValidations[i].OptionalOldSelf = nil
		}
		return false // the rules are shared
	}}
	drop.Visit(schema)
	if isOptional {
		s.schema, s.rules = schema, cel.NewValidator(schema, true, celconfig.PerCallLimit)
	}
}

// compile sets what validates the keywords of a schema, as in a minor: a server ignores formats that it does not know.
func (s *strategy) compile(props *apiextensions.JSONSchemaProps, minor kube.Minor) (err error) {
	s.minor = minor
	validator := func(props *apiextensions.JSONSchemaProps) (validation.SchemaValidator, error) {
		out := &spec.Schema{}
		err := validation.ConvertJSONSchemaPropsWithPostProcess(props, out, minor.StripFormat)
		return validation.NewSchemaValidatorFromOpenAPI(out), err
	}
	if s.values, err = validator(props); err != nil {
		return err
	}
	if status, ok := props.Properties["status"]; ok && s.hasStatus {
		s.statusValues, err = validator(&status)
	}
	return err
}

// A wording is how API servers of some minors report an error that others report otherwise.
type wording struct {
	applies func(kube.Minor) bool
	parts   support.Subject
	change  func(*strategy, *field.Error)
}

// wordings returns those of helpers, and the one that depends on the schema.
func wordings() []wording {
	// validateExpressions of pkg/apiserver/schema/cel/validation.go
	hasTypes := func(m kube.Minor) bool { return !m.Has(kube.RuleValues) }
	out := []wording{{hasTypes, support.Rules, typeForValue}}
	for _, w := range support.Wordings() {
		applies := func(m kube.Minor) bool { return w.Of(int(m)) }
		out = append(out, wording{applies, w.Parts, func(_ *strategy, e *field.Error) { w.Change(e) }})
	}
	return out
}

// reword gives errors the words of the strategy's minor.
func (s *strategy) reword(subject support.Subject, errs field.ErrorList) field.ErrorList {
	return reword(s.minor, s, subject, errs)
}

// withoutRanges drops errors that servers before kube.IntegerFormats do not have: their validator of numbers has no
// types (numberValidator of k8s.io/kube-openapi/pkg/validation/validate/schema.go). There is an error of the type, too,
// or the schema has a bound that is not of its own type.
func (s *strategy) withoutRanges(errs field.ErrorList) field.ErrorList {
	if s.minor.Has(kube.IntegerFormats) {
		return errs
	}
	return slices.DeleteFunc(errs, func(e *field.Error) bool {
		what, _, ok := strings.Cut(e.Detail, " value must be of type ")
		return ok && slices.Contains([]string{"Checked", "MultipleOf", "Maximum boundary", "Minimum boundary"}, what)
	})
}

func reword(minor kube.Minor, s *strategy, subject support.Subject, errs field.ErrorList) field.ErrorList {
	for _, w := range wordings() {
		if !w.applies(minor) || w.parts&subject == 0 {
			continue
		}
		for _, e := range errs {
			w.change(s, e)
		}
	}
	return errs
}

// rewordOne is reword for an error that prevents an object from being read.
func (r *Resource) rewordOne(err error) error {
	if e := (*field.Error)(nil); errors.As(err, &e) {
		reword(r.minor, nil, support.Values, field.ErrorList{e})
	}
	return err
}

// typeForValue replaces the value that a rule is about with its type.
func typeForValue(s *strategy, e *field.Error) {
	if s == nil {
		return // the type is unknown
	}
	node := nodeAt(s.schema, strings.TrimPrefix(e.Field, "<nil>"))
	switch {
	case e.Type != field.ErrorTypeInvalid && e.Type != field.ErrorTypeDuplicate:
	case e.BadValue == field.OmitValueType{}:
		e.BadValue = "object"
		if node != nil && node.Type == "array" && isRuleOf(node, e.Detail) {
			e.BadValue = "array"
		}
	case node != nil && node.Type != "object" && node.Type != "array" && isRuleOf(node, e.Detail):
		e.BadValue = node.Type
	}
}

// isRuleOf reports whether a message may be that of a rule of the node, and not of one above it, with a fieldPath.
func isRuleOf(node *structural.Structural, message string) bool {
	return slices.ContainsFunc(node.XValidations, func(r apiext.ValidationRule) bool {
		return message == "" || r.MessageExpression != "" || message == strings.TrimSpace(r.Message) ||
			message == "failed rule: "+strings.TrimSpace(r.Rule)
	})
}

// nodeAt returns the schema at a path of an error, or nil.
func nodeAt(s *structural.Structural, path string) *structural.Structural {
	if s == nil || path == "" {
		return s
	}
	isEnd := func(rest string) bool { return rest == "" || rest[0] == '.' || rest[0] == '[' }
	below := s.Items
	if s.AdditionalProperties != nil {
		below = s.AdditionalProperties.Structural
	}
	if strings.HasPrefix(path, "[") {
		for i := range path {
			if path[i] == ']' && isEnd(path[i+1:]) {
				if node := nodeAt(below, path[i+1:]); node != nil {
					return node
				}
			}
		}
		return nil
	}
	path = strings.TrimPrefix(path, ".")
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if rest, ok := strings.CutPrefix(path, name); ok && isEnd(rest) {
			if node := nodeAt(new(s.Properties[name]), rest); node != nil {
				return node
			}
		}
	}
	return nil
}
