package structural

import (
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/session"
)

// conversionRows are the checks of how objects are converted between versions. The paths are those of the internal
// version, in which the client's configuration and the versions of the review stand beside the strategy.
func conversionRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID: "conversion",
			Doc: "Conversion is None, with nothing else, or Webhook, with the webhook's URL or service and a " +
				"version of the review that API servers send: v1 or v1beta1.",
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
		r.errorf(strategy.At, "a CRD that keeps unknown fields cannot be converted by a webhook").
			Help("remove preserveUnknownFields").
			See(r.CRD.PreserveUnknownFields.At, "unknown fields are kept")
	}
}

func explainNoClient(r *rejection) {
	w := r.CRD.Conversion.Webhook
	switch {
	case w == nil:
		r.errorf(r.CRD.Conversion.Strategy.At, "conversion by webhook needs a webhook").
			Help("add webhook: {clientConfig: {service: {namespace: …, name: …}}, conversionReviewVersions: [v1]}").
			Also("spec.conversion.conversionReviewVersions")
	case w.Client != nil && w.Client.URL != nil:
		r.errorf(w.Client.URL.At, "a webhook is reached by a URL or by a service, and this one has both").
			Help("keep one of them").
			See(w.Client.Service.At, "the service")
	default:
		r.errorf(w.At, "a webhook is reached by a URL or by a service, and this one has neither").
			Help("add clientConfig: {service: {namespace: …, name: …}}")
	}
}

func explainIdleWebhook(r *rejection) {
	var at diag.Span
	if w := r.CRD.Conversion.Webhook; r.of() != "webhookClientConfig" {
		at = w.ReviewVersions[0].At
	} else if w.Client != nil {
		at = w.Client.At
	}
	r.errorf(at, "conversion strategy %s has no webhook, but one is described", r.CRD.Conversion.Strategy.V).
		Help("remove it, or write strategy: Webhook")
}

// explainClient says with the API server's own sentences what is wrong with a URL or a service.
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
	r.errorf(at, "the webhook's %s is refused: %s", name, lowerFirst(r.Rejection.Err.ErrorBody()))
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

func explainReviews(r *rejection) {
	w := r.CRD.Conversion.Webhook
	if w == nil {
		return // which is said of the webhook
	}
	at := w.At
	if len(w.ReviewVersions) > 0 {
		at = w.ReviewVersions[0].At
	}
	r.errorf(at, "the webhook takes no version of the conversion review that API servers send").
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
			r.errorf(v.At, "conversion review version %s is listed twice", v.V).Help("remove one of them").
				See(earlier.At, "first listed here")
			break
		}
	}
}
