package structural

import (
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/session"
)

// conversionRows are the checks of how objects are converted between versions. The paths are those of the internal
// version, in which the client's configuration and the versions of the review are beside the strategy.
func conversionRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID: "conversion",
			Doc: "The conversion strategy must be Webhook, or None without a webhook. A webhook needs a URL or a " +
				"service, and a version of ConversionReview that API servers send: v1 or v1beta1.",
			Bad: "spec:\n  conversion:\n    strategy: Webhook",
			Good: "spec:\n  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig:\n" +
				"        service: {namespace: system, name: webhook}\n      conversionReviewVersions: [v1]",
		},
			reason{"spec.conversion.strategy", "", "", explainStrategy},
			reason{"spec.conversion.webhookClientConfig", required, "", explainNoClient},
			reason{"spec.conversion.webhookClientConfig", forbidden, "", explainIdleWebhook},
			reason{"spec.conversion.webhookClientConfig.*", "", "", explainClient},
			reason{"spec.conversion.conversionReviewVersions", forbidden, "", explainIdleWebhook},
			reason{"spec.conversion.conversionReviewVersions", required, "", explainReviews},
			reason{"spec.conversion.conversionReviewVersions", invalid, "", explainReviews},
			reason{"spec.conversion.conversionReviewVersions[]", "", "", explainReview},
		),
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
	if w := r.CRD.Conversion.Webhook; r.of() != "webhookClientConfig" {
		at = w.ReviewVersions[0].At
	} else if w.Client != nil {
		at = w.Client.At
	}
	r.errorf(at, "strategy %s does not allow a webhook", r.CRD.Conversion.Strategy.V).
		Help("remove the webhook, or write strategy: Webhook")
}

// explainClient repeats the API server's sentence about a URL or a service.
func explainClient(r *rejection) {
	name, at := r.of(), diag.Span{}
	client := r.CRD.Conversion.Webhook.Client
	if s := client.Service; s != nil {
		at = s.At
		// The API server's code mixes up name and namespace, so that the fields of its errors are not those that are
		// wrong.
		switch {
		case name == "name":
			name, at = "namespace", s.Namespace.At
		case name == "namespace":
			name, at = "name", s.Name.At
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
			r.errorf(v.At, "duplicate conversion review version %s", v.V).Help("remove it").
				See(earlier.At, "first listed here")
			break
		}
	}
}
