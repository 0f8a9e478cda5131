package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	noopoteltrace "go.opentelemetry.io/otel/trace/noop"
	corev1 "k8s.io/api/core/v1"
	crdv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	crdserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	crdlisters "k8s.io/apiextensions-apiserver/pkg/client/listers/apiextensions/v1"
	crdoptions "k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apiversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	mutatingpolicy "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	webhookinit "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/request/union"
	"k8s.io/apiserver/pkg/authentication/request/x509"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/apiserver/pkg/server/options"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/component-base/tracing"
	"k8s.io/kube-openapi/pkg/common"
)

// An apiServer is the API server on a store that runs already.
type apiServer struct {
	// config is that of the administrator.
	config *clientrest.Config
	// crds are the CRDs that the server knows.
	crds crdlisters.CustomResourceDefinitionLister
	// stopped is closed when the server has stopped, after its context has ended.
	stopped <-chan struct{}
}

// startAPIServer serves CRDs and the built-in kinds on a listener until the context ends.
func startAPIServer(
	ctx context.Context, listener net.Listener, etcd string, anyNamespace bool,
) (*apiServer, error) {
	token, err := newToken()
	if err != nil {
		return nil, err
	}
	certificate, key, err := serverCertificate()
	if err != nil {
		return nil, err
	}
	// Suites for envtest make kubeconfigs of the client's certificate, which is how envtest's users authenticate.
	clientCertificate, clientKey, err := clientCertificate(administrator())
	if err != nil {
		return nil, err
	}
	tokens := acceptToken(token)
	table, questions := kinds(), reviews(tokens)
	scheme, err := newScheme(table, questions)
	if err != nil {
		return nil, err
	}
	generic, err := genericConfig(listener, certificate, key, clientCertificate, tokens, definitions(table, questions))
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(generic.LoopbackClientConfig)
	if err != nil {
		return nil, err
	}
	crds, err := crdConfig(generic, client, etcd, anyNamespace)
	if err != nil {
		return nil, err
	}
	front := &front{}
	server, err := newCRDServer(crds.Complete(), front)
	if err != nil {
		return nil, err
	}
	builtIn := builtInOptions(etcd, scheme)
	if front.builtIn, err = install(server.GenericAPIServer, table, questions, scheme, builtIn); err != nil {
		return nil, err
	}
	if err := addNamespaceHook(server.GenericAPIServer, generic, client); err != nil {
		return nil, err
	}
	stopped, failed := make(chan struct{}), make(chan error, 1)
	prepared := server.GenericAPIServer.PrepareRun()
	go func() {
		defer close(stopped)
		failed <- prepared.RunWithContext(ctx)
	}()
	known := server.Informers.Apiextensions().V1().CustomResourceDefinitions()
	out := &apiServer{crds: known.Lister(), stopped: stopped, config: &clientrest.Config{
		Host: "https://" + listener.Addr().String(), BearerToken: token, QPS: -1,
		TLSClientConfig: clientrest.TLSClientConfig{
			CAData: certificate, CertData: clientCertificate, KeyData: clientKey},
	}}
	return out, out.awaitReady(ctx, client, failed)
}

// crdConfig returns how CRDs and their objects are stored and admitted.
func crdConfig(
	generic *genericserver.RecommendedConfig, client kubernetes.Interface, etcd string, anyNamespace bool,
) (*crdserver.Config, error) {
	generic.SharedInformerFactory = informers.NewSharedInformerFactory(client, 10*time.Minute)
	store := etcdOptions(etcd, crdserver.Codecs.LegacyCodec(crdv1beta1.SchemeGroupVersion, crdv1.SchemeGroupVersion))
	if err := store.ApplyTo(&generic.Config); err != nil {
		return nil, err
	}
	resolver := webhook.NewDefaultServiceResolver()
	authentication := webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, generic.LoopbackClientConfig,
		noopoteltrace.NewTracerProvider())
	disabled := []string{mutatingpolicy.PluginName} // its kinds are not served
	if anyNamespace {
		disabled = append(disabled, lifecycle.PluginName)
	}
	webhooks := webhookinit.NewPluginInitializer(authentication, resolver)
	if err := addAdmission(generic, client, webhooks, disabled); err != nil {
		return nil, err
	}
	// Its hook ends the process if the server stops before it has started.
	generic.DisabledPostStartHooks.Insert("crd-informer-synced")
	return &crdserver.Config{GenericConfig: generic, ExtraConfig: crdserver.ExtraConfig{
		CRDRESTOptionsGetter: crdoptions.NewCRDRESTOptionsGetter(*store, nil, generic.StorageObjectCountTracker),
		MasterCount:          1,
		ServiceResolver:      resolver,
		AuthResolverWrapper:  authentication,
	}}, nil
}

// newCRDServer returns the server of CRDs, behind the front.
func newCRDServer(config crdserver.CompletedConfig, front *front) (*crdserver.CustomResourceDefinitions, error) {
	config.GenericConfig.BuildHandlerChainFunc = func(api http.Handler, c *genericserver.Config) http.Handler {
		return genericserver.DefaultBuildHandlerChain(front.wrap(api), c)
	}
	server, err := config.New(genericserver.NewEmptyDelegateWithCustomHandler(http.HandlerFunc(front.notFound)))
	if err != nil {
		return nil, err
	}
	front.discovery = server.GenericAPIServer.AggregatedDiscoveryGroupManager
	// Requests that are still running when the server stops end with it.
	server.GenericAPIServer.ShutdownTimeout = 100 * time.Millisecond
	informer := server.Informers.Apiextensions().V1().CustomResourceDefinitions().Informer()
	signalSynced(server.GenericAPIServer, informer)
	return server, informer.SetTransform(settle)
}

// addNamespaceHook adds the hook that deletes what is in deleted namespaces.
func addNamespaceHook(
	server *genericserver.GenericAPIServer, generic *genericserver.RecommendedConfig, client kubernetes.Interface,
) error {
	objects, err := metadata.NewForConfig(generic.LoopbackClientConfig)
	if err != nil {
		return err
	}
	return server.AddPostStartHook("crdproof-namespaces", func(hook genericserver.PostStartHookContext) error {
		return emptyNamespaces(hook, generic.SharedInformerFactory.Core().V1().Namespaces().Informer(), client, objects)
	})
}

// signalSynced adds the hook that reports when the server knows all CRDs. apiextensions-apiserver has one that fails if
// the server stops before, for example because a test is cancelled, and the failure of a hook ends the process.
func signalSynced(server *genericserver.GenericAPIServer, informer cache.SharedIndexInformer) {
	synced := make(chan struct{})
	server.MuxAndDiscoveryCompleteSignals()["CRDInformerHasNotSynced"] = synced
	server.AddPostStartHookOrDie("crdproof-crds-synced", func(hook genericserver.PostStartHookContext) error {
		if cache.WaitForCacheSync(hook.Done(), informer.HasSynced) {
			close(synced)
		}
		return nil
	})
}

// awaitReady waits until all parts of the server have started, and creates the namespaces that clusters have.
func (a *apiServer) awaitReady(ctx context.Context, client kubernetes.Interface, failed <-chan error) error {
	deadline := time.After(time.Minute)
	for {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			return createNamespaces(ctx, client)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return cmp.Or(err, errors.New("it has stopped"))
		case <-deadline:
			return fmt.Errorf("not ready after a minute: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// A kubernetesVersion is the version of the linked libraries, which only builds of Kubernetes itself know in full.
type kubernetesVersion struct {
	basecompatibility.EffectiveVersion
}

// Info returns what the server says about its version.
func (v kubernetesVersion) Info() *apiversion.Info {
	info := v.EffectiveVersion.Info()
	info.GitVersion = fmt.Sprintf("v%d.%d.0+crdproof", v.BinaryVersion().Major(), v.BinaryVersion().Minor())
	info.GitCommit, info.GitTreeState = "", ""
	return info
}

// newToken returns the secret of the administrator.
func newToken() (string, error) {
	data := make([]byte, 32)
	if _, err := rand.Read(data); err != nil {
		return "", err
	}
	return hex.EncodeToString(data), nil
}

// administrator returns the only user, who may do everything.
func administrator() user.Info {
	return &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated}}
}

// acceptToken accepts the token of the administrator.
func acceptToken(token string) authenticator.Token {
	return authenticator.TokenFunc(func(_ context.Context, given string) (*authenticator.Response, bool, error) {
		if subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 0 {
			return nil, false, nil
		}
		return &authenticator.Response{User: administrator()}, true, nil
	})
}

// acceptCertificate accepts the certificate of the administrator.
func acceptCertificate(of dynamiccertificates.CAContentProvider) authenticator.Request {
	return x509.NewDynamic(of.VerifyOptions, x509.CommonNameUserConversion)
}

// genericConfig returns how the server listens, and who may do what: the token's user everything, all others nothing.
func genericConfig(
	listener net.Listener, certificate, key, client []byte, tokens authenticator.Token,
	defined common.GetOpenAPIDefinitions,
) (*genericserver.RecommendedConfig, error) {
	c := genericserver.NewRecommendedConfig(crdserver.Codecs)
	content, err := dynamiccertificates.NewStaticCertKeyContent("crdproof", certificate, key)
	if err != nil {
		return nil, err
	}
	clients, err := dynamiccertificates.NewStaticCAContent("crdproof", client)
	if err != nil {
		return nil, err
	}
	c.SecureServing = &genericserver.SecureServingInfo{
		Listener: listener, Cert: content, ClientCA: clients, HTTP2MaxStreamsPerConnection: 1000,
	}
	own, err := newToken()
	if err != nil {
		return nil, err
	}
	if c.LoopbackClientConfig, err = c.SecureServing.NewLoopbackClientConfig(own, certificate); err != nil {
		return nil, err
	}
	loopback := c.LoopbackClientConfig
	loopback.QPS, loopback.DisableCompression = -1, true
	loopback.ContentType = runtime.ContentTypeProtobuf // as in kube-apiserver
	c.ClientConfig = loopback
	c.EffectiveVersion = kubernetesVersion{compatibility.DefaultBuildEffectiveVersion()}
	c.ExternalAddress = listener.Addr().String()
	c.TracerProvider = tracing.NewNoopTracerProvider()
	c.EnableProfiling = false
	c.ShutdownWatchTerminationGracePeriod = time.Second
	c.Authentication.Authenticator = union.New(bearertoken.New(tokens), acceptCertificate(clients))
	c.Authorization.Authorizer = authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)
	namer := openapi.NewDefinitionNamer(crdserver.Scheme, clientscheme.Scheme)
	c.OpenAPIConfig = genericserver.DefaultOpenAPIConfig(defined, namer)
	c.OpenAPIV3Config = genericserver.DefaultOpenAPIV3Config(defined, namer)
	c.OpenAPIConfig.Info.Title, c.OpenAPIV3Config.Info.Title = "Kubernetes", "Kubernetes"
	c.MergedResourceConfig = crdserver.DefaultAPIResourceConfigSource()
	return c, nil
}

// etcdOptions returns how objects are stored with a codec.
func etcdOptions(address string, codec runtime.Codec) *options.EtcdOptions {
	o := options.NewEtcdOptions(storagebackend.NewDefaultConfig("/registry", codec))
	o.StorageConfig.Transport.ServerList = []string{address}
	o.StorageConfig.Transport.TracerProvider = noopoteltrace.NewTracerProvider()
	o.StorageConfig.CountMetricPollPeriod = 0
	return o
}

// builtInOptions returns how the built-in kinds are stored.
func builtInOptions(address string, scheme *runtime.Scheme) generic.RESTOptionsGetter {
	o := etcdOptions(address, nil)
	codecs := serializer.NewCodecFactory(scheme)
	factory := serverstorage.NewDefaultStorageFactory(o.StorageConfig, runtime.ContentTypeProtobuf, codecs,
		serverstorage.NewDefaultResourceEncodingConfig(scheme), serverstorage.NewResourceConfig(), nil)
	return o.CreateRESTOptionsGetter(factory, nil)
}

// addAdmission enables the admission plugins of the generic API server: namespaces must exist, and webhooks and
// policies are asked.
func addAdmission(
	c *genericserver.RecommendedConfig, client kubernetes.Interface, webhooks admission.PluginInitializer,
	disabled []string,
) error {
	plugins := options.NewAdmissionOptions()
	plugins.DisablePlugins = disabled
	objects, err := dynamic.NewForConfig(c.LoopbackClientConfig)
	if err != nil {
		return err
	}
	return plugins.ApplyTo(&c.Config, c.SharedInformerFactory, client, objects, utilfeature.DefaultFeatureGate,
		c.EffectiveVersion, webhooks)
}

// install adds the built-in kinds to the server, and returns their resources.
func install(
	server *genericserver.GenericAPIServer, table []kind, questions []review, scheme *runtime.Scheme,
	options generic.RESTOptionsGetter,
) (map[schema.GroupVersion]map[string]rest.Storage, error) {
	groups := map[schema.GroupVersion]map[string]rest.Storage{}
	var order []schema.GroupVersion
	add := func(version schema.GroupVersion, name string, storage rest.Storage) {
		if groups[version] == nil {
			groups[version] = map[string]rest.Storage{}
			order = append(order, version)
		}
		groups[version][name] = storage
	}
	stores := map[string]resource{}
	for _, k := range table {
		r, err := newResource(k, scheme, options)
		if err != nil {
			return nil, err
		}
		stores[k.resource] = r
		version := gvk(k.sample).GroupVersion()
		switch k.resource {
		case "namespaces":
			n := newNamespaces(r)
			add(version, k.resource, n)
			add(version, "namespaces/finalize", newFinalize(n))
		case "events":
			add(version, k.resource, r)
			add(schema.GroupVersion{Group: "events.k8s.io", Version: "v1"}, k.resource, r)
		default:
			add(version, k.resource, r)
		}
		if k.hasStatus() {
			add(version, k.resource+"/status", newStatus(r))
		}
		if k.hasScale() {
			add(version, k.resource+"/scale", scale{r.Store})
		}
	}
	pods := newBindings(stores["pods"])
	add(corev1.SchemeGroupVersion, "bindings", bindings{pods})
	add(corev1.SchemeGroupVersion, "pods/binding", pods)
	add(corev1.SchemeGroupVersion, "pods/eviction", newEvictions(stores["pods"], stores["poddisruptionbudgets"]))
	for _, q := range questions {
		add(gvk(q.sample).GroupVersion(), q.resource, q)
	}
	var named []*genericserver.APIGroupInfo
	for _, version := range order {
		info := genericserver.NewDefaultAPIGroupInfo(version.Group, scheme, metav1.ParameterCodec,
			serializer.NewCodecFactory(scheme))
		info.PrioritizedVersions = []schema.GroupVersion{version}
		info.VersionedResourcesStorageMap[version.Version] = groups[version]
		if version.Group != "" {
			named = append(named, &info)
		} else if err := server.InstallLegacyAPIGroup(genericserver.DefaultLegacyAPIPrefix, &info); err != nil {
			return nil, err
		}
	}
	return groups, server.InstallAPIGroups(named...)
}
