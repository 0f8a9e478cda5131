package server

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestAdmission asks webhooks and policies about custom resources and about built-in kinds.
func TestAdmission(t *testing.T) {
	config := Start(t, write(t, "widgets.yaml", widgets))
	client, inDefault, ctx := clientOf(t, config), widgetClient(t, config), t.Context()

	var asked []string
	hook := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(body, &review); err != nil {
			t.Error(err)
			return
		}
		asked = append(asked, r.URL.Path+" "+review.Request.Kind.Kind)
		answer := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		if r.URL.Path == "/mutate" {
			patch := admissionv1.PatchTypeJSONPatch
			answer.PatchType = &patch
			answer.Patch = []byte(`[{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}]`)
		} else if !strings.Contains(string(review.Request.Object.Raw), `"seen":"yes"`) {
			t.Errorf("the object is not mutated: %s", review.Request.Object.Raw)
		} else if review.Request.Name == "bad" {
			answer.Allowed, answer.Result = false, &metav1.Status{Message: "bad is not a name"}
		}
		review.Response = answer
		_ = json.NewEncoder(w).Encode(review)
	}))
	defer hook.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw})
	none := registrationv1.SideEffectClassNone
	to := func(path string) registrationv1.WebhookClientConfig {
		url := hook.URL + path
		return registrationv1.WebhookClientConfig{URL: &url, CABundle: ca}
	}
	rules := []registrationv1.RuleWithOperations{
		{Operations: []registrationv1.OperationType{"CREATE"}, Rule: registrationv1.Rule{
			APIGroups: []string{"example.com"}, APIVersions: []string{"v1"}, Resources: []string{"widgets"}}},
		{Operations: []registrationv1.OperationType{"CREATE"}, Rule: registrationv1.Rule{
			APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}}},
	}
	registration := client.AdmissionregistrationV1()
	if _, err := registration.MutatingWebhookConfigurations().Create(ctx, &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "m"},
		Webhooks: []registrationv1.MutatingWebhook{{Name: "m.example.com", ClientConfig: to("/mutate"), Rules: rules,
			SideEffects: &none, AdmissionReviewVersions: []string{"v1"}}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	validating := &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "v"},
		Webhooks: []registrationv1.ValidatingWebhook{{Name: "v.example.com", ClientConfig: to("/validate"),
			Rules: rules, SideEffects: &none, AdmissionReviewVersions: []string{"v1"}}},
	}
	if _, err := registration.ValidatingWebhookConfigurations().Create(ctx, validating,
		metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the webhooks are not asked", func() bool {
		if _, err := inDefault.Create(ctx, newWidget("probe", map[string]any{}), metav1.CreateOptions{
			DryRun: []string{metav1.DryRunAll}}); err != nil {
			t.Fatal(err)
		}
		return len(asked) >= 2
	})
	_, err := inDefault.Create(ctx, newWidget("bad", map[string]any{}), metav1.CreateOptions{})
	const denied = `admission webhook "v.example.com" denied the request: bad is not a name`
	if err == nil || !strings.Contains(err.Error(), denied) {
		t.Errorf("got %v", err)
	}
	made, err := client.CoreV1().ConfigMaps("default").Create(ctx,
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
	if err != nil || made.Labels["seen"] != "yes" {
		t.Errorf("got %v, %v", made, err)
	}
	if last := asked[len(asked)-1]; last != "/validate ConfigMap" {
		t.Errorf("asked %v", asked)
	}

	policy := &registrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec: registrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &registrationv1.MatchResources{ResourceRules: []registrationv1.NamedRuleWithOperations{{
				RuleWithOperations: registrationv1.RuleWithOperations{
					Operations: []registrationv1.OperationType{"CREATE"}, Rule: rules[0].Rule}}}},
			Validations: []registrationv1.Validation{{Expression: "object.spec.size != 7", Message: "not seven"}},
		},
	}
	if _, err := registration.ValidatingAdmissionPolicies().Create(ctx, policy, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := registration.ValidatingAdmissionPolicyBindings().Create(ctx,
		&registrationv1.ValidatingAdmissionPolicyBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "b"},
			Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "p",
				ValidationActions: []registrationv1.ValidationAction{registrationv1.Deny}},
		}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the policy allows seven", func() bool {
		_, err := inDefault.Create(ctx, newWidget("seven", map[string]any{"size": int64(7)}), metav1.CreateOptions{
			DryRun: []string{metav1.DryRunAll}})
		return err != nil && strings.Contains(err.Error(), "not seven")
	})
}

// TestConversion converts custom resources with a webhook.
func TestConversion(t *testing.T) {
	hook := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		converted := strings.ReplaceAll(string(body), `"apiVersion":"example.com/v1"`, `"apiVersion":"example.com/v2"`)
		var review struct {
			Request struct {
				UID     string            `json:"uid"`
				Objects []json.RawMessage `json:"objects"`
			} `json:"request"`
		}
		if err := json.Unmarshal([]byte(converted), &review); err != nil {
			t.Error(err)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
			"response": map[string]any{"uid": review.Request.UID, "convertedObjects": review.Request.Objects,
				"result": map[string]any{"status": "Success"}},
		})
	}))
	defer hook.Close()
	ca := base64.StdEncoding.EncodeToString(
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw}))
	versions := widgets[strings.Index(widgets, "  - name: v1"):]
	second := strings.NewReplacer("name: v1", "name: v2", "storage: true", "storage: false").Replace(versions)
	crd := fmt.Sprintf(`%s%s  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: %q, caBundle: %s}
`, widgets, second, hook.URL, ca)
	config := Start(t, write(t, "widgets.yaml", crd))
	made := newWidget("a", map[string]any{})
	if _, err := widgetClient(t, config).Create(t.Context(), made, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var got unstructured.Unstructured
	data, err := clientOf(t, config).CoreV1().RESTClient().Get().
		AbsPath("/apis/example.com/v2/namespaces/default/widgets/a").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &got.Object); err != nil || got.GetAPIVersion() != "example.com/v2" {
		t.Errorf("got %s, %v", data, err)
	}
}
