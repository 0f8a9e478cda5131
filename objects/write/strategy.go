package write

import (
	"context"
	"maps"
	"strings"

	"github.com/crdproof/crdproof/internal/support"
	"github.com/crdproof/crdproof/rules/kube"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/registry/rest"
)

// A strategy validates objects of a version (registry/customresource/strategy.go, customResourceStrategy, whose package
// needs a store).
type strategy struct {
	runtime.ObjectTyper
	// minor is the version of the API server.
	minor      kube.Minor
	namespaced bool
	kind       schema.GroupVersionKind
	// values validates the keywords of a schema, statusValues those of a status.
	values, statusValues validation.SchemaValidator
	schema               *structural.Structural
	// rules validates CEL; it is nil if there are no rules.
	rules     *cel.Validator
	hasStatus bool
	scale     *apiext.CustomResourceSubresourceScale
	// skipsMeta says that the metadata are validated elsewhere.
	skipsMeta bool
}

// NamespaceScoped reports whether the objects are in a namespace.
func (s *strategy) NamespaceScoped() bool { return s.namespaced }

// Canonicalize does nothing.
func (*strategy) Canonicalize(runtime.Object) {}

// OriginRule is the origin of the errors of rules.
const OriginRule = "x-kubernetes-validations"

// askRules adds the errors of CEL.
func (s *strategy) askRules(ctx context.Context, errs field.ErrorList, object *unstructured.Unstructured, old any,
	options ...cel.Option) field.ErrorList {
	if s.rules == nil {
		return errs
	}
	if blocked := support.Blocked(errs, !s.minor.Has(kube.BlockingEnums)); blocked != nil {
		return append(errs, s.reword(support.Values, field.ErrorList{blocked})...)
	}
	var reported field.ErrorList
	sortWarnings(ctx, func(ctx context.Context) {
		reported, _ = s.rules.Validate(ctx, nil, s.schema, object.Object, old, celconfig.RuntimeCELCostBudget,
			options...)
	})
	return append(errs, s.reword(support.Rules, kube.ByField(reported)).WithOrigin(OriginRule)...)
}

// recorded keeps the errors of an object as a list, since the error of rest.BeforeCreate has only their text.
type recorded struct {
	errs field.ErrorList
	// by words the errors of the metadata, some of which are found outside the strategy.
	by *strategy
}

// ValidateDeclaratively is called last, and adds nothing.
func (h *recorded) ValidateDeclaratively(_ context.Context, _, _ runtime.Object, errs field.ErrorList, _ operation.Type,
	_ rest.DeclarativeValidationConfig) field.ErrorList {
	for i, e := range errs {
		if strings.HasPrefix(e.Field, "metadata") {
			h.by.reword(support.Metadata, errs[i:i+1])
		}
	}
	metadataByText(errs)
	h.errs = errs
	return errs
}

// DeclarativeValidationConfig follows that of a kind without declarative validation.
func (*recorded) DeclarativeValidationConfig(context.Context, runtime.Object,
	runtime.Object) rest.DeclarativeValidationConfig {
	return rest.DeclarativeValidationConfig{}
}

// creating is the strategy for the creation of an object.
type creating struct {
	*strategy
	recorded
}

// PrepareForCreate drops the status if it has a subresource.
func (c *creating) PrepareForCreate(_ context.Context, object runtime.Object) {
	u := object.(*unstructured.Unstructured)
	if c.hasStatus {
		delete(u.Object, "status")
	}
	u.SetGeneration(1)
}

// Validate returns the errors of the object.
func (c *creating) Validate(ctx context.Context, object runtime.Object) field.ErrorList {
	u := object.(*unstructured.Unstructured)
	errs := c.validateType(u)
	if len(errs) == 0 {
		errs = append(errs, c.reword(support.Metadata, c.validateMeta(ctx, operation.Create, u, nil))...)
		errs = append(errs, c.reword(support.Values,
			c.withoutRanges(kube.ByField(validation.ValidateCustomResource(nil, u.Object, c.values))))...)
		errs = append(errs, c.reword(support.Values, c.validateScale(u, false))...)
	}
	errs = append(errs,
		c.reword(support.EmbeddedMetadata, kube.ByText(objectmeta.Validate(ctx, nil, u.Object, c.schema, false)))...)
	errs = append(errs,
		c.reword(support.Values, kube.ByText(listtype.ValidateListSetsAndMaps(nil, c.schema, u.Object)))...)
	return c.askRules(ctx, errs, u, nil)
}

// WarningsOnCreate returns those about finalizers.
func (c *creating) WarningsOnCreate(_ context.Context, object runtime.Object) []string {
	return finalizerWarnings(object.(*unstructured.Unstructured).GetFinalizers(), nil)
}

// updating is the strategy for the update of an object, or of its status (registry/customresource/status_strategy.go).
type updating struct {
	*strategy
	recorded
	statusOnly bool
}

// AllowCreateOnUpdate is false: an update does not create objects.
func (*updating) AllowCreateOnUpdate(context.Context) bool { return false }

// AllowUnconditionalUpdate is false: an update must name a resource version.
func (*updating) AllowUnconditionalUpdate(context.Context) bool { return false }

// PrepareForUpdate retains the stored status if it has a subresource, and increments the generation if anything outside
// the metadata changes. For an update of the status it takes only the status from the new object.
func (p *updating) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	u, existing := object.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	if p.statusOnly {
		written, managed := u.Object, u.GetManagedFields()
		*u = *existing.DeepCopy()
		u.SetManagedFields(managed)
		setStatus(u.Object, written)
		return
	}
	if p.hasStatus {
		setStatus(u.Object, existing.Object)
	}
	if !equality.Semantic.DeepEqual(withoutMeta(u.Object), withoutMeta(existing.Object)) {
		u.SetGeneration(existing.GetGeneration() + 1)
	}
}

// setStatus gives an object the status of another one, or removes it.
func setStatus(object, from map[string]any) {
	if status, ok := from["status"]; ok {
		object["status"] = status
	} else {
		delete(object, "status")
	}
}

func withoutMeta(object map[string]any) map[string]any {
	out := maps.Clone(object)
	delete(out, "metadata")
	return out
}

// ValidateUpdate returns the errors of the object or its status, except those that the stored object has too. Most of
// these are warnings.
func (p *updating) ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList {
	u, existing := object.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	correlated := common.NewCorrelatedObject(u.Object, existing.Object, &model.Structural{Structural: p.schema})
	errs := p.validateType(u)
	if len(errs) == 0 {
		errs = append(errs, p.reword(support.Metadata, p.validateMeta(ctx, operation.Update, u, existing))...)
		found := p.withoutRanges(kube.ByField(p.validateValues(u, existing, correlated)))
		errs = append(errs, p.reword(support.Values, found)...)
		errs = append(errs, p.reword(support.Values, p.validateScale(u, p.statusOnly))...)
	}
	if !p.statusOnly {
		errs = append(errs,
			p.reword(support.EmbeddedMetadata, kube.ByText(objectmeta.Validate(ctx, nil, u.Object, p.schema,
				false)))...)
	}
	if len(listtype.ValidateListSetsAndMaps(nil, p.schema, existing.Object)) == 0 { // stored duplicates are tolerated
		errs = append(errs,
			p.reword(support.Values, kube.ByText(listtype.ValidateListSetsAndMaps(nil, p.schema, u.Object)))...)
	}
	if !p.ratchets() {
		return p.askRules(ctx, errs, u, existing.Object)
	}
	return p.askRules(ctx, errs, u, existing.Object, cel.WithRatcheting(correlated))
}

// ratchets reports whether the server tolerates mistakes that the stored object has already.
func (p *updating) ratchets() bool {
	return p.minor.Has(kube.StatusRatcheting) || !p.statusOnly && p.minor.Has(kube.Ratcheting)
}

// validateValues validates the keywords of the schema of the object or its status.
func (p *updating) validateValues(u, existing *unstructured.Unstructured,
	correlated *common.CorrelatedObject) field.ErrorList {
	var options []validation.ValidationOption
	if p.ratchets() && p.statusOnly {
		correlated = correlated.Key("status")
	}
	if p.ratchets() {
		options = append(options, validation.WithRatcheting(correlated))
	}
	if !p.statusOnly {
		return validation.ValidateCustomResourceUpdate(nil, u.Object, existing.Object, p.values, options...)
	}
	status, ok := u.Object["status"]
	if !ok {
		return nil
	}
	var path *field.Path
	if p.minor.Has(kube.StatusPaths) {
		path = field.NewPath("status")
	}
	return validation.ValidateCustomResourceUpdate(path, status, existing.Object["status"], p.statusValues, options...)
}

// WarningsOnUpdate returns those about new finalizers. An update of the status has none.
func (p *updating) WarningsOnUpdate(_ context.Context, object, old runtime.Object) []string {
	if p.statusOnly {
		return nil
	}
	u, existing := object.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	return finalizerWarnings(u.GetFinalizers(), existing.GetFinalizers())
}
