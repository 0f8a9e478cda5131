package structural

import (
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kubeversion "k8s.io/apimachinery/pkg/version"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// conversionRows returns the checks of how objects are converted between versions. The paths are those of the internal
// version, in which the client's configuration and the versions of the review are beside the strategy.
func conversionRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "conversion"},
			reason{"spec.conversion.strategy", "", "", explainStrategy},
			reason{"spec.conversion.webhookClientConfig", required, "", explainNoClient},
			reason{"spec.conversion.webhookClientConfig", forbidden, "", explainIdleWebhook},
			reason{"spec.conversion.webhookClientConfig.*", "", "", explainClient},
			reason{"spec.conversion.conversionReviewVersions", forbidden, "", explainIdleWebhook},
			reason{"spec.conversion.conversionReviewVersions", required, "", explainReviews},
			reason{"spec.conversion.conversionReviewVersions", invalid, "", explainReviews},
			reason{"spec.conversion.conversionReviewVersions[]", "", "", explainReview},
		),
		{Check: diag.Check{ID: LostField, Severity: diag.Warning}, Needs: session.CRD, Run: checkLostFields},
	}
}

func explainStrategy(r *rejection) {
	strategy := r.CRD.Conversion.Strategy
	switch list := []string{string(apiext.NoneConverter), string(apiext.WebhookConverter)}; {
	case r.Rejection.Err.Type != invalid:
		r.unknown("conversion strategy", strategy, list)
	case strategy.V == list[1]:
		r.errorf(strategy.At, "strategy Webhook is not allowed together with preserveUnknownFields: true").
			Help("remove preserveUnknownFields").
			See(r.CRD.PreserveUnknownFields.At, "preserveUnknownFields is set here")
	}
}

func explainNoClient(r *rejection) {
	w := r.CRD.Conversion.Webhook
	switch {
	case w == nil:
		r.errorf(r.CRD.Conversion.Strategy.At, "strategy Webhook requires a webhook").
			Help("add webhook: {clientConfig: {service: {namespace: system, name: webhook-service}}, " +
				"conversionReviewVersions: [v1]}").
			Also("spec.conversion.conversionReviewVersions")
	case w.Client != nil && w.Client.URL != nil:
		r.errorf(w.Client.URL.At, "the webhook has both a URL and a service").
			Help("remove one of them").
			See(w.Client.Service.At, "the service")
	default:
		r.errorf(w.At, "the webhook has no URL and no service").
			Help("add service: {namespace: system, name: webhook-service} to clientConfig")
	}
}

func explainIdleWebhook(r *rejection) {
	var at diag.Span
	if w := r.CRD.Conversion.Webhook; r.lastField() != "webhookClientConfig" {
		at = w.ReviewVersions[0].At
	} else if w.Client != nil {
		at = w.Client.At
	}
	r.errorf(at, "strategy %s does not allow a webhook", r.CRD.Conversion.Strategy.V).
		Help("remove the webhook, or write strategy: Webhook")
}

// explainClient repeats the API server's sentence about a URL or a service.
func explainClient(r *rejection) {
	name, at := r.lastField(), diag.Span{}
	client := r.CRD.Conversion.Webhook.Client
	if s := client.Service; s != nil {
		at = s.At
		// The API server's code mixes up name and namespace, so that the fields of its errors are not those that are
		// wrong.
		switch {
		case name == "name":
			name, at = "namespace", diag.Nearest(s.Namespace.At, s.At)
		case name == "namespace":
			name, at = "name", diag.Nearest(s.Name.At, s.At)
		case name == "path" && s.Path != nil:
			at = s.Path.At
		case name == "port" && s.Port != nil:
			at = s.Port.At
		}
	} else if name == "url" {
		name, at = "URL", client.URL.At
	}
	r.errorf(at, "the API server rejects the webhook's %s: %s", name, lowerFirst(r.Rejection.Err.ErrorBody()))
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

func explainReviews(r *rejection) {
	w := r.CRD.Conversion.Webhook
	if w == nil {
		return // explainNoClient reports that
	}
	at := w.At
	if len(w.ReviewVersions) > 0 {
		at = w.ReviewVersions[0].At
	}
	r.errorf(at, "conversionReviewVersions has no version that API servers send").
		Help("add v1 to conversionReviewVersions")
}

func explainReview(r *rejection) {
	versions := r.CRD.Conversion.Webhook.ReviewVersions
	v := versions[r.Rejection.Index]
	if why, start, end := nameFault(v.V, false); why != "" {
		r.errorf(v.Range(start, end), "conversion review version %q %s", v.V, why).Help("write v1")
	}
	for _, earlier := range versions[:r.Rejection.Index] {
		if earlier.V == v.V {
			r.errorf(v.At, "duplicate conversion review version %s", v.V).Help("remove it").Do(diag.Remove, "").
				See(earlier.At, "first listed here")
			break
		}
	}
}

// LostField is the id of the check of fields that are lost without a conversion webhook.
const LostField = "version-field"

// checkLostFields reports the fields that are lost on the way between the storage version and another one that is
// served. Without a webhook, an API server converts an object by changing its apiVersion and pruning it with the schema
// of the new version (pkg/apiserver/customresource_handler.go, schemaCoercingConverter).
func checkLostFields(p *session.Pass) {
	i := slices.IndexFunc(p.Versions, isStored)
	if i < 0 || !isUnconverted(p.CRD) {
		return
	}
	stored := p.Versions[i]
	// Whether the webhook of Go types is outside of their package is not known.
	unless := p.Write().Choose("without a conversion webhook, ", "")
	if isGenerated(p.CRD) { // a patch may add one
		unless = "without a conversion webhook, "
	}
	isForeign := func(at *schema.Place) bool { return p.Owns != nil && !p.Owns(p.At(at.At())) }
	report := func(owner, other *session.Version, at *schema.Place, format string, args ...any) session.Finding {
		return p.Reportf(p.At(at.At()), owner.Key("schema.openAPIV3Schema")+at.Path(), unless+format, args...).
			Help("add the field to version %s, or convert between the versions with a webhook", other.Name.V).
			Changes(diag.AcceptsOther, "the version keeps the field").
			CausedBy(diag.Span{}, owner.Name.V+" without "+other.Name.V)
	}
	for _, v := range p.Versions {
		if v == stored || !v.Served || v.Schema == nil || stored.Schema == nil {
			continue
		}
		for _, at := range lost(&schema.Place{Schema: v.Schema}, stored.Schema) {
			f := report(v, stored, at, "a write through version %s loses %s: the storage version %s has no such field",
				v.Name.V, at.Field(), stored.Name.V)
			hurting(f, v, stored, at)
		}
		missing := slices.DeleteFunc(lost(&schema.Place{Schema: stored.Schema}, v.Schema), isForeign)
		if len(missing) == 0 || !stored.Served { // if it is not served, no client writes its fields
			continue
		}
		fields := missing[0].Field()
		if more := len(missing) - 1; more > 0 {
			fields += " and " + diag.Counted(more, "more field")
		}
		f := report(stored, v, missing[0], "a write through version %s loses %s: it lacks what the storage version %s "+
			"has", v.Name.V, fields, stored.Name.V)
		hurting(f, v, stored, missing...)
		for _, at := range missing[1:min(len(missing), maxLost)] {
			f.See(at.At(), "%s is lost too", at.Field())
		}
	}
}

// hurting says who writes the fields that are lost: clients of a version that is older than the stored one, or no user,
// since fields of the status come from a controller.
func hurting(f session.Finding, v, stored *session.Version, lost ...*schema.Place) {
	isOfStatus := func(at *schema.Place) bool { return strings.HasPrefix(at.Field(), "status.") }
	switch isOlder := kubeversion.CompareKubeAwareVersionStrings(v.Name.V, stored.Name.V) < 0; {
	case isOlder || v.Deprecated:
		f.Hurting(diag.OldVersions)
	case !slices.ContainsFunc(lost, func(at *schema.Place) bool { return !isOfStatus(at) }):
		f.Hurting(diag.Unlikely)
	}
}

// maxLost is how many fields are listed that a version lacks. They have one cause, which is that the version is older.
const maxLost = 8

// isGenerated reports whether a file was generated from Go types.
func isGenerated(crd *schema.CRD) bool {
	return slices.ContainsFunc(crd.Annotations, func(kv schema.KeyValue) bool {
		return kv.Key == "controller-gen.kubebuilder.io/version" || kv.Key == "crdproof.dev/version"
	})
}

// isUnconverted reports whether objects are converted without a webhook, as far as the CRD and the Go types say.
func isUnconverted(crd *schema.CRD) bool {
	switch {
	case crd.PreserveUnknownFields.True():
		return false
	case crd.Conversion != nil:
		return crd.Conversion.Strategy.V == string(apiext.NoneConverter)
	}
	return !crd.HasConverters
}

// lost returns the parts of a value that pruning with another schema drops, each without its own parts. A value that
// has another type there is another mistake.
func lost(p *schema.Place, other *schema.Schema) (out []*schema.Place) {
	if p.Schema.Type.V != other.Type.V || other.IntOrString.True() {
		return nil
	}
	keeps := other.PreserveUnknownFields != nil || other.AdditionalAllowed
	for _, child := range p.Children() {
		var there *schema.Schema
		switch child.Step {
		case schema.InProperty:
			if schema.IsMetaField(child.Name) && (isRoot(p) || other.EmbeddedResource.True()) {
				continue
			}
			there = other.Below(schema.Key(child.Name))
		case schema.InItems:
			there = other.Items
		case schema.InValues:
			there = other.AdditionalProperties
		default:
			continue
		}
		if there != nil {
			out = append(out, lost(child, there)...)
		} else if !keeps {
			out = append(out, child)
		}
	}
	return out
}
