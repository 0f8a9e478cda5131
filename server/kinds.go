package server

import (
	"fmt"
	"reflect"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// A kind is a built-in kind that the server stores. What its Go type tells is not in the row: a kind with a Status has
// the subresource status.
type kind struct {
	// sample is an empty object. Its package is the group and version.
	sample             runtime.Object
	resource, singular string
	short, categories  []string
	// cluster is set for kinds without a namespace.
	cluster bool
	// generation is set for kinds whose metadata.generation counts the changes of everything but metadata and status.
	generation bool
	// defaults sets the defaults of an object that was decoded; nil means that the kind has none.
	defaults func(runtime.Object)
	// allocate sets what an API server chooses when it creates an object; it may be nil.
	allocate func(runtime.Object)
	// keep copies what an update cannot change from the stored object; it may be nil.
	keep func(obj, old runtime.Object)
	// grace returns the seconds for which a deleted object remains, and who deletes it may have chosen; nil means that
	// objects are removed at once.
	grace func(obj runtime.Object, chosen *int64) int64
	// fields are those that field selectors may name, in addition to name and namespace.
	fields func(runtime.Object) fields.Set
}

// kinds returns the table of built-in kinds. CRDs and what is only asked, such as reviews, are elsewhere.
func kinds() []kind {
	all := []string{"all"}
	return []kind{
		{sample: &corev1.ConfigMap{}, resource: "configmaps", singular: "configmap", short: []string{"cm"}},
		//lint:ignore SA1019 operators still have tests with them
		{sample: &corev1.Endpoints{}, resource: "endpoints", singular: "endpoints", short: []string{"ep"}},
		{sample: &corev1.Event{}, resource: "events", singular: "event", short: []string{"ev"}, fields: eventFields},
		{sample: &corev1.LimitRange{}, resource: "limitranges", singular: "limitrange", short: []string{"limits"}},
		{sample: &corev1.Namespace{}, resource: "namespaces", singular: "namespace", short: []string{"ns"},
			cluster: true, allocate: to(activateNamespace),
			keep: both(keepFinalizers), fields: namespaceFields},
		{sample: &corev1.Node{}, resource: "nodes", singular: "node", short: []string{"no"}, cluster: true,
			allocate: to(taintNewNode)},
		{sample: &corev1.PersistentVolume{}, resource: "persistentvolumes", singular: "persistentvolume",
			short: []string{"pv"}, cluster: true, defaults: to(defaultVolume)},
		{sample: &corev1.PersistentVolumeClaim{}, resource: "persistentvolumeclaims",
			singular: "persistentvolumeclaim", short: []string{"pvc"}, defaults: to(defaultClaim)},
		{sample: &corev1.Pod{}, resource: "pods", singular: "pod", short: []string{"po"}, categories: all,
			generation: true, defaults: to(defaultPod), allocate: to(pendingPod), grace: podGrace,
			fields: podFields},
		{sample: &corev1.PodTemplate{}, resource: "podtemplates", singular: "podtemplate",
			defaults: to(func(p *corev1.PodTemplate) { defaultPodSpec(&p.Template.Spec) })},
		{sample: &corev1.ResourceQuota{}, resource: "resourcequotas", singular: "resourcequota",
			short: []string{"quota"}},
		{sample: &corev1.Secret{}, resource: "secrets", singular: "secret", defaults: to(defaultSecret),
			fields: secretFields},
		{sample: &corev1.Service{}, resource: "services", singular: "service", short: []string{"svc"},
			categories: all, defaults: to(defaultService), allocate: to(allocateAddress),
			keep: both(keepAddress)},
		{sample: &corev1.ServiceAccount{}, resource: "serviceaccounts", singular: "serviceaccount",
			short: []string{"sa"}},

		{sample: &appsv1.ControllerRevision{}, resource: "controllerrevisions", singular: "controllerrevision"},
		{sample: &appsv1.DaemonSet{}, resource: "daemonsets", singular: "daemonset", short: []string{"ds"},
			categories: all, generation: true, defaults: to(defaultDaemonSet)},
		{sample: &appsv1.Deployment{}, resource: "deployments", singular: "deployment", short: []string{"deploy"},
			categories: all, generation: true, defaults: to(defaultDeployment)},
		{sample: &appsv1.ReplicaSet{}, resource: "replicasets", singular: "replicaset", short: []string{"rs"},
			categories: all, generation: true, defaults: to(defaultReplicaSet)},
		{sample: &appsv1.StatefulSet{}, resource: "statefulsets", singular: "statefulset", short: []string{"sts"},
			categories: all, generation: true, defaults: to(defaultStatefulSet)},
		{sample: &batchv1.CronJob{}, resource: "cronjobs", singular: "cronjob", short: []string{"cj"},
			categories: all, generation: true, defaults: to(defaultCronJob)},
		{sample: &batchv1.Job{}, resource: "jobs", singular: "job", categories: all, generation: true,
			defaults: to(func(j *batchv1.Job) { defaultJobSpec(&j.Spec) }), allocate: to(selectOwnPods)},
		{sample: &autoscalingv2.HorizontalPodAutoscaler{}, resource: "horizontalpodautoscalers",
			singular: "horizontalpodautoscaler", short: []string{"hpa"}, categories: all,
			defaults: to(func(h *autoscalingv2.HorizontalPodAutoscaler) { unset(&h.Spec.MinReplicas, 1) })},

		{sample: &rbacv1.ClusterRole{}, resource: "clusterroles", singular: "clusterrole", cluster: true},
		{sample: &rbacv1.ClusterRoleBinding{}, resource: "clusterrolebindings", singular: "clusterrolebinding",
			cluster:  true,
			defaults: to(func(b *rbacv1.ClusterRoleBinding) { defaultBinding(&b.RoleRef, b.Subjects) })},
		{sample: &rbacv1.Role{}, resource: "roles", singular: "role"},
		{sample: &rbacv1.RoleBinding{}, resource: "rolebindings", singular: "rolebinding",
			defaults: to(func(b *rbacv1.RoleBinding) { defaultBinding(&b.RoleRef, b.Subjects) })},

		{sample: &coordinationv1.Lease{}, resource: "leases", singular: "lease"},
		{sample: &discoveryv1.EndpointSlice{}, resource: "endpointslices", singular: "endpointslice"},
		{sample: &networkingv1.Ingress{}, resource: "ingresses", singular: "ingress", short: []string{"ing"},
			generation: true},
		{sample: &networkingv1.IngressClass{}, resource: "ingressclasses", singular: "ingressclass", cluster: true,
			generation: true},
		{sample: &networkingv1.NetworkPolicy{}, resource: "networkpolicies", singular: "networkpolicy",
			short: []string{"netpol"}, generation: true, defaults: to(defaultNetworkPolicy)},
		{sample: &policyv1.PodDisruptionBudget{}, resource: "poddisruptionbudgets", singular: "poddisruptionbudget",
			short: []string{"pdb"}, generation: true},
		{sample: &schedulingv1.PriorityClass{}, resource: "priorityclasses", singular: "priorityclass",
			short: []string{"pc"}, cluster: true, generation: true,
			defaults: to(func(p *schedulingv1.PriorityClass) {
				unset(&p.PreemptionPolicy, corev1.PreemptLowerPriority)
			})},
		{sample: &resourcev1.DeviceClass{}, resource: "deviceclasses", singular: "deviceclass", cluster: true,
			generation: true},
		{sample: &resourcev1.ResourceClaim{}, resource: "resourceclaims", singular: "resourceclaim",
			defaults: to(func(c *resourcev1.ResourceClaim) { defaultDevices(&c.Spec.Devices) })},
		{sample: &resourcev1.ResourceClaimTemplate{}, resource: "resourceclaimtemplates",
			singular: "resourceclaimtemplate",
			defaults: to(func(c *resourcev1.ResourceClaimTemplate) { defaultDevices(&c.Spec.Spec.Devices) })},
		{sample: &resourcev1.ResourceSlice{}, resource: "resourceslices", singular: "resourceslice", cluster: true,
			generation: true, fields: sliceFields},
		{sample: &storagev1.CSIDriver{}, resource: "csidrivers", singular: "csidriver", cluster: true,
			defaults: to(defaultCSIDriver)},
		{sample: &storagev1.CSINode{}, resource: "csinodes", singular: "csinode", cluster: true},
		{sample: &storagev1.CSIStorageCapacity{}, resource: "csistoragecapacities", singular: "csistoragecapacity"},
		{sample: &storagev1.VolumeAttachment{}, resource: "volumeattachments", singular: "volumeattachment",
			cluster: true},
		{sample: &storagev1.StorageClass{}, resource: "storageclasses", singular: "storageclass",
			short: []string{"sc"}, cluster: true, defaults: to(defaultStorageClass)},

		{sample: &admissionv1.MutatingWebhookConfiguration{}, resource: "mutatingwebhookconfigurations",
			singular: "mutatingwebhookconfiguration", categories: []string{"api-extensions"}, cluster: true,
			generation: true, defaults: to(defaultMutatingWebhooks)},
		{sample: &admissionv1.ValidatingWebhookConfiguration{}, resource: "validatingwebhookconfigurations",
			singular: "validatingwebhookconfiguration", categories: []string{"api-extensions"}, cluster: true,
			generation: true, defaults: to(defaultValidatingWebhooks)},
		{sample: &admissionv1.ValidatingAdmissionPolicy{}, resource: "validatingadmissionpolicies",
			singular: "validatingadmissionpolicy", categories: []string{"api-extensions"}, cluster: true,
			generation: true, defaults: to(defaultPolicy)},
		{sample: &admissionv1.ValidatingAdmissionPolicyBinding{}, resource: "validatingadmissionpolicybindings",
			singular: "validatingadmissionpolicybinding", categories: []string{"api-extensions"}, cluster: true,
			defaults: to(func(b *admissionv1.ValidatingAdmissionPolicyBinding) {
				defaultMatch(b.Spec.MatchResources)
			})},
	}
}

// to turns a function for one Go type into one for objects.
func to[T any, P interface {
	*T
	runtime.Object
}](f func(P)) func(runtime.Object) {
	return func(obj runtime.Object) { f(obj.(P)) }
}

// both is to for a function of two objects.
func both[T any, P interface {
	*T
	runtime.Object
}](f func(obj, old P)) func(obj, old runtime.Object) {
	return func(obj, old runtime.Object) { f(obj.(P), old.(P)) }
}

// gvk returns the group, version and kind of an API type.
func gvk(sample runtime.Object) schema.GroupVersionKind {
	found, _, err := clientscheme.Scheme.ObjectKinds(sample)
	if err != nil {
		panic(fmt.Sprintf("%T is not an API type: %v", sample, err)) // a row of the table is wrong
	}
	return found[0]
}

// list returns an empty list of the kind.
func (k kind) list() runtime.Object {
	of := gvk(k.sample)
	out, err := clientscheme.Scheme.New(of.GroupVersion().WithKind(of.Kind + "List"))
	if err != nil {
		panic(fmt.Sprintf("%s has no list: %v", of, err)) // a row of the table is wrong
	}
	return out
}

// hasStatus reports whether the kind has the subresource status.
func (k kind) hasStatus() bool {
	_, ok := reflect.TypeOf(k.sample).Elem().FieldByName("Status")
	return ok
}
