package structural

import (
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/util/webhook"

	"github.com/crdproof/crdproof/generator/diag"
)

// conversionRows are the checks of how objects are converted between versions. The paths are those of the internal version,
// in which the client's configuration and the versions of the review stand beside the strategy.
func conversionRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "conversion", Verdict: true,
				Doc: "Conversion is None, with nothing else, or Webhook, with the webhook's URL or service and a version of the review " +
					"that API servers send: v1 or v1beta1.",
				Bad:  "spec:\n  conversion:\n    strategy: Webhook",
				Good: "spec:\n  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig:\n        service: {namespace: system, name: webhook}\n      conversionReviewVersions: [v1]",
			},
			ofCRD: checkConversion,
		},
	}
}

const conversionPath = "spec.conversion."

func checkConversion(c *crd) []finding {
	if c.Conversion == nil {
		return nil
	}
	switch c.Conversion.Strategy.V {
	case string(apiext.NoneConverter):
		return checkNoWebhook(c)
	case string(apiext.WebhookConverter):
		out := checkPreservedConversion(c)
		if c.Conversion.Webhook == nil {
			return append(out, c.noWebhook())
		}
		return append(append(out, checkClient(c)...), checkReviewVersions(c)...)
	}
	return append(one(c.badStrategy()), checkNoWebhook(c)...)
}

// checkPreservedConversion reports webhooks of a CRD that keeps unknown fields.
func checkPreservedConversion(c *crd) []finding {
	if !isSet(c.PreserveUnknownFields) {
		return nil
	}
	return one(c.conversionPreserves())
}

func checkNoWebhook(c *crd) []finding {
	var out []finding
	w := c.Conversion.Webhook
	if w != nil && w.Client != nil {
		out = append(out, c.idleWebhook("webhookClientConfig", w.Client.At))
	}
	if w != nil && len(w.ReviewVersions) > 0 {
		out = append(out, c.idleWebhook("conversionReviewVersions", w.ReviewVersions[0].At))
	}
	return out
}

// checkClient says with the API server's own sentences what is wrong with a URL or a service.
func checkClient(c *crd) []finding {
	client := c.Conversion.Webhook.Client
	path := field.NewPath("spec", "conversion", "webhookClientConfig")
	if client == nil || (client.URL == nil) == (client.Service == nil) {
		return one(c.urlOrService())
	}
	if client.URL != nil {
		return c.badClients(webhook.ValidateWebhookURL(path.Child("url"), client.URL.V, true), map[string]part{"url": {"URL", client.URL.At}})
	}
	s := client.Service
	// The API server's code mixes up name and namespace in the same way, so that the fields of its errors are not those that
	// are wrong.
	name, namespace := part{"name", s.Name.At}, part{"namespace", s.Namespace.At}
	parts := map[string]part{"name": namespace, "namespace": name, "path": {"path", s.At}, "port": {"port", s.At}}
	port := int32(443)
	if s.Port != nil {
		port, parts["port"] = int32(s.Port.V), part{"port", s.Port.At}
	}
	var servicePath *string
	if s.Path != nil {
		servicePath, parts["path"] = &s.Path.V, part{"path", s.Path.At}
	}
	return c.badClients(webhook.ValidateWebhookService(path.Child("service"), s.Name.V, s.Namespace.V, servicePath, port), parts)
}

// A part is a field of what describes a client.
type part struct {
	name string
	at   diag.Span
}

// badClients are the findings for the API server's errors about a client, of which parts are known by the last name of the
// errors' fields.
func (c *crd) badClients(errs field.ErrorList, parts map[string]part) []finding {
	var out []finding
	for _, err := range errs {
		p := parts[lastName(err.Field)]
		out = append(out, c.badClient(p.name, err, p.at))
	}
	return out
}

func checkReviewVersions(c *crd) []finding {
	versions := c.Conversion.Webhook.ReviewVersions
	var out []finding
	isKnown := false
	for i, v := range versions {
		for _, earlier := range versions[:i] {
			if earlier.V == v.V {
				out = append(out, c.reviewTwice(i, v, earlier))
				break
			}
		}
		if why, start, end := nameFault(v.V, false); why != "" {
			out = append(out, c.badReview(i, v, why, v.Range(start, end)))
		}
		isKnown = isKnown || v.V == "v1" || v.V == "v1beta1"
	}
	if !isKnown {
		out = append(out, c.unknownReview())
	}
	return out
}
