package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kubeversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdproof/crdproof/rules/kube"
)

// For is the CRD as the API server of a minor, kube.OldestServer or later, serves it. The zero value is the newest.
func (r *Resource) For(minor kube.Minor) *Resource {
	if minor == 0 || minor == r.minor {
		return r
	}
	if known, ok := r.others.Load(minor); ok {
		return known.(*Resource)
	}
	out := &Resource{minor: minor, crd: r.crd, versions: map[string]*version{}}
	for name, v := range r.versions {
		out.versions[name] = v.before(minor)
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

// before is the version as the API server of an older minor serves it.
func (v *version) before(minor kube.Minor) *version {
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
		return &s, s.compile(props, minor)
	})
	return &out
}

// compile sets what validates the keywords of a schema, as in a minor: a server ignores formats that it does not know.
func (s *strategy) compile(props *apiextensions.JSONSchemaProps, minor kube.Minor) (err error) {
	s.minor = minor
	strip := validation.StripUnsupportedFormatsPostProcessorForVersion(kubeversion.MajorMinor(1, uint(minor-1)))
	validator := func(props *apiextensions.JSONSchemaProps) (validation.SchemaValidator, error) {
		out := &spec.Schema{}
		err := validation.ConvertJSONSchemaPropsWithPostProcess(props, out, func(s *spec.Schema) error {
			if minor.Has(kube.IntegerFormats) {
				return strip(s)
			}
			text := spec.Schema{}
			text.Format = s.Format // before, the type did not matter
			err := strip(&text)
			s.Format = text.Format
			return err
		})
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

// A part is what an error is about.
type part uint8

const (
	partMeta part = 1 << iota
	// partEmbedded is the metadata of embedded resources.
	partEmbedded
	partValues
	partRules
	everyPart = partMeta | partEmbedded | partValues | partRules
)

// A wording is how API servers before a minor report an error that newer ones report otherwise.
type wording struct {
	before kube.Minor
	parts  part
	change func(*strategy, *field.Error)
}

// wordings are sorted by minor, the newest first: each changes what the one before it left. The files are those of
// k8s.io/apimachinery and k8s.io/apiextensions-apiserver.
func wordings() []wording {
	return []wording{
		// validateOwnerReference of pkg/api/validation/objectmeta.go
		{37, partMeta | partEmbedded, ownerWithoutIndex},
		// MaxLenError of pkg/api/validate/content/errors.go, and of pkg/util/validation/validation.go before
		{35, partMeta | partEmbedded, inCharacters},
		// IsLabelKey of pkg/api/validate/content/kube.go, IsQualifiedName of pkg/util/validation/validation.go before
		{35, partMeta | partEmbedded, qualifiedName},
		// validateExpressions of pkg/apiserver/schema/cel/validation.go
		{35, partRules, typeForValue},
		// ErrorBody, TooLong and TooMany of pkg/util/validation/field/errors.go
		{34, everyPart, valueInGo},
		{34, everyPart, plural},
		// validateOwnerReference
		{34, partMeta | partEmbedded, ownerNamed},
		// validateEmbeddedResource of pkg/apiserver/schema/objectmeta/validation.go
		{34, partEmbedded, embeddedEmpty},
		// TooLong and TooLongMaxLength
		{32, everyPart, longerThan},
	}
}

// reword gives errors the words of the strategy's minor.
func (s *strategy) reword(of part, errs field.ErrorList) field.ErrorList {
	return reword(s.minor, s, of, errs)
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

func reword(minor kube.Minor, s *strategy, of part, errs field.ErrorList) field.ErrorList {
	for _, w := range wordings() {
		if minor >= w.before || w.parts&of == 0 {
			continue
		}
		for _, e := range errs {
			w.change(s, e)
		}
	}
	return errs
}

// Older are the wordings of an error in older API servers, the newest first, without the types of values, which depend
// on the schema.
func Older(e *field.Error) (out []*field.Error) {
	for _, of := range []part{partMeta, partEmbedded, partValues} {
		last := e
		for minor := kube.Latest() - 1; minor >= kube.OldestServer; minor-- {
			older := *e
			reword(minor, nil, of, field.ErrorList{&older})
			if older.Error() != last.Error() {
				out = append(out, &older)
				last = &older
			}
		}
	}
	return out
}

// rewordOne is reword for an error that prevents an object from being read.
func (r *Resource) rewordOne(err error) error {
	if e := (*field.Error)(nil); errors.As(err, &e) {
		reword(r.minor, nil, partValues, field.ErrorList{e})
	}
	return err
}

func ownerWithoutIndex(_ *strategy, e *field.Error) {
	const list = "metadata.ownerReferences"
	before, rest, ok := strings.Cut(e.Field, list+"[")
	_, name, found := strings.Cut(rest, "]")
	if !ok || !found || before != "" && !strings.HasSuffix(before, ".") {
		return
	}
	e.Field = before + list + name
	isEmpty := e.Type == field.ErrorTypeRequired
	if isEmpty {
		e.Type, e.BadValue = field.ErrorTypeInvalid, ""
	}
	if name == ".apiVersion" && (isEmpty || strings.HasPrefix(e.Detail, "must be <group>")) {
		e.Detail = "version must not be empty"
	}
}

// ownerNamed repeats the name of the field, except for the version, which has it already.
func ownerNamed(_ *strategy, e *field.Error) {
	_, name, ok := strings.Cut(e.Field, "metadata.ownerReferences.")
	if ok && e.Type == field.ErrorTypeInvalid && e.Detail == "must not be empty" {
		e.Detail = name + " must not be empty"
	}
}

func embeddedEmpty(_ *strategy, e *field.Error) {
	if e.Type == field.ErrorTypeRequired && e.Detail == "" {
		e.Detail = "must not be empty"
	}
}

func inCharacters(_ *strategy, e *field.Error) {
	if of := strings.LastIndex(e.Detail, "must be no more than "); of >= 0 && strings.HasSuffix(e.Detail, " bytes") {
		e.Detail = strings.TrimSuffix(e.Detail, " bytes") + " characters"
	}
}

func qualifiedName(_ *strategy, e *field.Error) {
	e.Detail = strings.Replace(e.Detail, "a valid label key must consist of", "a qualified name must consist of", 1)
}

func plural(_ *strategy, e *field.Error) {
	switch {
	case e.Type == field.ErrorTypeTooLong && e.Detail == "may not be more than 1 byte",
		e.Type == field.ErrorTypeTooMany && e.Detail == "must have at most 1 item":
		e.Detail += "s"
	}
}

func longerThan(_ *strategy, e *field.Error) {
	var most int
	if _, err := fmt.Sscanf(e.Detail, "may not be more than %d byte", &most); err != nil ||
		e.Type != field.ErrorTypeTooLong {
		return
	}
	e.Detail = fmt.Sprintf("may not be longer than %d", most)
	if strings.HasSuffix(e.Field, "metadata.annotations") {
		e.Detail = fmt.Sprintf("must have at most %d bytes", most)
	}
}

// goValue is a value that errors print as Go does.
type goValue struct{ any }

// MarshalJSON fails, so that errors do not print JSON.
func (goValue) MarshalJSON() ([]byte, error) { return nil, errors.New("not JSON") }

func (v goValue) String() string {
	if s, ok := v.any.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%#v", v.any)
}

func valueInGo(_ *strategy, e *field.Error) {
	value := reflect.ValueOf(e.BadValue)
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Invalid, reflect.Pointer:
		e.BadValue = "null"
	case reflect.Map, reflect.Slice:
		e.BadValue = goValue{value.Interface()}
	case reflect.Struct:
		if e.BadValue != (field.OmitValueType{}) {
			e.BadValue = goValue{value.Interface()}
		}
	}
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

// nodeAt is the schema at a path of an error, or nil.
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
