package kube

import (
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// Decode reads a CRD from YAML as an API server does when kubectl sends it: a field that the server does not know, or a key
// that is given twice, is an error. The server does not look for them below items, additionalProperties and junctors.
func Decode(data []byte) (*apiext.CustomResourceDefinition, error) {
	scheme := runtime.NewScheme()
	if err := apiext.AddToScheme(scheme); err != nil {
		return nil, err
	}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	crd := &apiext.CustomResourceDefinition{}
	kind := apiext.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	if _, _, err := decoder.Decode(data, &kind, crd); err != nil {
		return nil, err
	}
	return crd, nil
}
