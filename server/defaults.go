package server

import (
	"fmt"
	"maps"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The defaults of Kubernetes for the built-in kinds, as its API reference documents them.

// unset sets a field without a value.
func unset[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// empty sets a field with the zero value.
func empty[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func defaultSecret(s *corev1.Secret) {
	empty(&s.Type, corev1.SecretTypeOpaque)
	if len(s.StringData) > 0 && s.Data == nil {
		s.Data = map[string][]byte{}
	}
	for key, value := range s.StringData {
		s.Data[key] = []byte(value)
	}
	s.StringData = nil // it is only written
}

func defaultService(s *corev1.Service) {
	spec := &s.Spec
	empty(&spec.Type, corev1.ServiceTypeClusterIP)
	empty(&spec.SessionAffinity, corev1.ServiceAffinityNone)
	if spec.SessionAffinity == corev1.ServiceAffinityClientIP {
		unset(&spec.SessionAffinityConfig, corev1.SessionAffinityConfig{})
		unset(&spec.SessionAffinityConfig.ClientIP, corev1.ClientIPConfig{})
		unset(&spec.SessionAffinityConfig.ClientIP.TimeoutSeconds, corev1.DefaultClientIPServiceAffinitySeconds)
	}
	isExternal := spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer
	if spec.Type != corev1.ServiceTypeExternalName {
		unset(&spec.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	}
	if isExternal {
		empty(&spec.ExternalTrafficPolicy, corev1.ServiceExternalTrafficPolicyCluster)
	}
	if spec.Type == corev1.ServiceTypeLoadBalancer {
		unset(&spec.AllocateLoadBalancerNodePorts, true)
	}
	for i := range spec.Ports {
		port := &spec.Ports[i]
		empty(&port.Protocol, corev1.ProtocolTCP)
		if port.TargetPort == (intstr.IntOrString{}) {
			port.TargetPort = intstr.FromInt32(port.Port)
		}
	}
}

// allocateAddress gives a service an address. It is made from its UID: no address is ever given twice on purpose, but
// nothing prevents it.
func allocateAddress(s *corev1.Service) {
	spec := &s.Spec
	if spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	if spec.ClusterIP == "" && len(spec.ClusterIPs) > 0 {
		spec.ClusterIP = spec.ClusterIPs[0]
	}
	if spec.ClusterIP == "" {
		var sum uint32 = 2166136261
		for _, b := range []byte(s.UID) {
			sum = (sum ^ uint32(b)) * 16777619
		}
		spec.ClusterIP = fmt.Sprintf("10.%d.%d.%d", sum>>16&255, sum>>8&255, sum&255)
	}
	if len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	unset(&spec.IPFamilyPolicy, corev1.IPFamilyPolicySingleStack)
}

// keepAddress keeps the address of a service if an update does not name one.
func keepAddress(s, old *corev1.Service) {
	if s.Spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	empty(&s.Spec.ClusterIP, old.Spec.ClusterIP)
	if len(s.Spec.ClusterIPs) == 0 && s.Spec.ClusterIP == old.Spec.ClusterIP {
		s.Spec.ClusterIPs = old.Spec.ClusterIPs
	}
	if len(s.Spec.IPFamilies) == 0 {
		s.Spec.IPFamilies = old.Spec.IPFamilies
	}
	if s.Spec.IPFamilyPolicy == nil {
		s.Spec.IPFamilyPolicy = old.Spec.IPFamilyPolicy
	}
	allocateAddress(s)
}

func defaultVolume(v *corev1.PersistentVolume) {
	empty(&v.Spec.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
	unset(&v.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
}

func defaultClaim(c *corev1.PersistentVolumeClaim) {
	unset(&c.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	empty(&c.Status.Phase, corev1.ClaimPending)
}

func defaultPod(p *corev1.Pod) {
	defaultPodSpec(&p.Spec)
	unset(&p.Spec.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
}

func pendingPod(p *corev1.Pod) {
	p.Status.Phase = corev1.PodPending
	p.Status.QOSClass = corev1.PodQOSBestEffort
}

func defaultPodSpec(spec *corev1.PodSpec) {
	empty(&spec.RestartPolicy, corev1.RestartPolicyAlways)
	empty(&spec.DNSPolicy, corev1.DNSClusterFirst)
	empty(&spec.SchedulerName, corev1.DefaultSchedulerName)
	unset(&spec.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	unset(&spec.SecurityContext, corev1.PodSecurityContext{})
	spec.DeprecatedServiceAccount, spec.ServiceAccountName = first(spec.ServiceAccountName,
		spec.DeprecatedServiceAccount), first(spec.ServiceAccountName, spec.DeprecatedServiceAccount)
	for i := range spec.InitContainers {
		defaultContainer(&spec.InitContainers[i])
	}
	for i := range spec.Containers {
		defaultContainer(&spec.Containers[i])
	}
	for i := range spec.Volumes {
		defaultPodVolume(&spec.Volumes[i].VolumeSource)
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func defaultContainer(c *corev1.Container) {
	empty(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	empty(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	if c.ImagePullPolicy == "" {
		c.ImagePullPolicy = corev1.PullIfNotPresent
		if isLatest(c.Image) {
			c.ImagePullPolicy = corev1.PullAlways
		}
	}
	for i := range c.Ports {
		empty(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.FieldRef != nil {
			empty(&from.FieldRef.APIVersion, "v1")
		}
	}
	for _, probe := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		if probe == nil {
			continue
		}
		empty(&probe.TimeoutSeconds, 1)
		empty(&probe.PeriodSeconds, 10)
		empty(&probe.SuccessThreshold, 1)
		empty(&probe.FailureThreshold, 3)
		defaultHTTP(probe.HTTPGet)
		if probe.GRPC != nil {
			unset(&probe.GRPC.Service, "")
		}
	}
	if c.Lifecycle != nil {
		for _, handler := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if handler != nil {
				defaultHTTP(handler.HTTPGet)
			}
		}
	}
	// What is not requested is requested as far as it is limited.
	for name, limit := range c.Resources.Limits {
		if _, ok := c.Resources.Requests[name]; !ok {
			if c.Resources.Requests == nil {
				c.Resources.Requests = corev1.ResourceList{}
			}
			c.Resources.Requests[name] = limit.DeepCopy()
		}
	}
}

func defaultHTTP(get *corev1.HTTPGetAction) {
	if get != nil {
		empty(&get.Path, "/")
		empty(&get.Scheme, corev1.URISchemeHTTP)
	}
}

// isLatest reports whether the reference of an image has no digest, and no tag or the tag latest.
func isLatest(image string) bool {
	name, tag := image, ""
	for i := len(image) - 1; i >= 0 && image[i] != '/'; i-- {
		switch image[i] {
		case '@':
			return false
		case ':':
			name, tag = image[:i], image[i+1:]
		}
	}
	return name != "" && (tag == "" || tag == "latest")
}

func defaultPodVolume(v *corev1.VolumeSource) {
	if *v == (corev1.VolumeSource{}) {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if v.Secret != nil {
		unset(&v.Secret.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if v.ConfigMap != nil {
		unset(&v.ConfigMap.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if v.HostPath != nil {
		unset(&v.HostPath.Type, corev1.HostPathUnset)
	}
	if v.DownwardAPI != nil {
		unset(&v.DownwardAPI.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		defaultFieldRefs(v.DownwardAPI.Items)
	}
	if v.Projected != nil {
		unset(&v.Projected.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
		for _, source := range v.Projected.Sources {
			if source.DownwardAPI != nil {
				defaultFieldRefs(source.DownwardAPI.Items)
			}
			if source.ServiceAccountToken != nil {
				unset(&source.ServiceAccountToken.ExpirationSeconds, 60*60)
			}
		}
	}
}

func defaultFieldRefs(files []corev1.DownwardAPIVolumeFile) {
	for i := range files {
		if files[i].FieldRef != nil {
			empty(&files[i].FieldRef.APIVersion, "v1")
		}
	}
}

func defaultDeployment(d *appsv1.Deployment) {
	unset(&d.Spec.Replicas, 1)
	unset(&d.Spec.RevisionHistoryLimit, 10)
	unset(&d.Spec.ProgressDeadlineSeconds, 600)
	strategy := &d.Spec.Strategy
	empty(&strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
	if strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		unset(&strategy.RollingUpdate, appsv1.RollingUpdateDeployment{})
		unset(&strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		unset(&strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	defaultPodSpec(&d.Spec.Template.Spec)
}

func defaultDaemonSet(d *appsv1.DaemonSet) {
	unset(&d.Spec.RevisionHistoryLimit, 10)
	strategy := &d.Spec.UpdateStrategy
	empty(&strategy.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if strategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		unset(&strategy.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
		unset(&strategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
		unset(&strategy.RollingUpdate.MaxSurge, intstr.FromInt32(0))
	}
	defaultPodSpec(&d.Spec.Template.Spec)
}

func defaultReplicaSet(r *appsv1.ReplicaSet) {
	unset(&r.Spec.Replicas, 1)
	defaultPodSpec(&r.Spec.Template.Spec)
}

func defaultStatefulSet(s *appsv1.StatefulSet) {
	unset(&s.Spec.Replicas, 1)
	unset(&s.Spec.RevisionHistoryLimit, 10)
	empty(&s.Spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	unset(&s.Spec.PersistentVolumeClaimRetentionPolicy, appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
	retention := s.Spec.PersistentVolumeClaimRetentionPolicy
	empty(&retention.WhenDeleted, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	empty(&retention.WhenScaled, appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	strategy := &s.Spec.UpdateStrategy
	empty(&strategy.Type, appsv1.RollingUpdateStatefulSetStrategyType)
	if strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType {
		unset(&strategy.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
		unset(&strategy.RollingUpdate.Partition, 0)
	}
	defaultPodSpec(&s.Spec.Template.Spec)
	for i := range s.Spec.VolumeClaimTemplates {
		claim := &s.Spec.VolumeClaimTemplates[i]
		claim.APIVersion, claim.Kind = "v1", "PersistentVolumeClaim"
		defaultClaim(claim)
	}
}

func defaultJobSpec(spec *batchv1.JobSpec) {
	if spec.Completions == nil && spec.Parallelism == nil {
		unset(&spec.Completions, 1)
	}
	unset(&spec.Parallelism, 1)
	unset(&spec.BackoffLimit, 6)
	unset(&spec.Suspend, false)
	unset(&spec.CompletionMode, batchv1.NonIndexedCompletion)
	unset(&spec.PodReplacementPolicy, batchv1.TerminatingOrFailed)
	defaultPodSpec(&spec.Template.Spec)
}

func defaultCronJob(c *batchv1.CronJob) {
	empty(&c.Spec.ConcurrencyPolicy, batchv1.AllowConcurrent)
	unset(&c.Spec.Suspend, false)
	unset(&c.Spec.SuccessfulJobsHistoryLimit, 3)
	unset(&c.Spec.FailedJobsHistoryLimit, 1)
	// A template has no defaults for the counts, which depend on each other in the job.
	defaultPodSpec(&c.Spec.JobTemplate.Spec.Template.Spec)
}

// selectOwnPods gives a job the selector and the labels of its pods.
func selectOwnPods(j *batchv1.Job) {
	if j.Spec.ManualSelector != nil && *j.Spec.ManualSelector || j.Spec.Selector != nil {
		return
	}
	labels := maps.Clone(j.Spec.Template.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels["job-name"], labels[batchv1.JobNameLabel] = j.Name, j.Name
	labels["controller-uid"], labels[batchv1.ControllerUidLabel] = string(j.UID), string(j.UID)
	j.Spec.Template.Labels = labels
	j.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{batchv1.ControllerUidLabel: string(j.UID)}}
}

func defaultBinding(role *rbacv1.RoleRef, subjects []rbacv1.Subject) {
	empty(&role.APIGroup, rbacv1.GroupName)
	for i := range subjects {
		if subjects[i].Kind == rbacv1.UserKind || subjects[i].Kind == rbacv1.GroupKind {
			empty(&subjects[i].APIGroup, rbacv1.GroupName)
		}
	}
}

func defaultNetworkPolicy(p *networkingv1.NetworkPolicy) {
	if len(p.Spec.PolicyTypes) == 0 {
		p.Spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
		if len(p.Spec.Egress) > 0 {
			p.Spec.PolicyTypes = append(p.Spec.PolicyTypes, networkingv1.PolicyTypeEgress)
		}
	}
	ports := func(list []networkingv1.NetworkPolicyPort) {
		for i := range list {
			unset(&list[i].Protocol, corev1.ProtocolTCP)
		}
	}
	for _, rule := range p.Spec.Ingress {
		ports(rule.Ports)
	}
	for _, rule := range p.Spec.Egress {
		ports(rule.Ports)
	}
}

func defaultDevices(claim *resourcev1.DeviceClaim) {
	set := func(mode *resourcev1.DeviceAllocationMode, count *int64, tolerations []resourcev1.DeviceToleration) {
		empty(mode, resourcev1.DeviceAllocationModeExactCount)
		if *mode == resourcev1.DeviceAllocationModeExactCount {
			empty(count, 1)
		}
		for i := range tolerations {
			empty(&tolerations[i].Operator, resourcev1.DeviceTolerationOpEqual)
		}
	}
	for i := range claim.Requests {
		if r := claim.Requests[i].Exactly; r != nil {
			set(&r.AllocationMode, &r.Count, r.Tolerations)
		}
		for j := range claim.Requests[i].FirstAvailable {
			r := &claim.Requests[i].FirstAvailable[j]
			set(&r.AllocationMode, &r.Count, r.Tolerations)
		}
	}
}

func defaultCSIDriver(d *storagev1.CSIDriver) {
	unset(&d.Spec.AttachRequired, true)
	unset(&d.Spec.PodInfoOnMount, false)
	unset(&d.Spec.StorageCapacity, false)
	unset(&d.Spec.RequiresRepublish, false)
	unset(&d.Spec.SELinuxMount, false)
	unset(&d.Spec.FSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
	if len(d.Spec.VolumeLifecycleModes) == 0 {
		d.Spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}
	}
}

func defaultStorageClass(c *storagev1.StorageClass) {
	unset(&c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
	unset(&c.VolumeBindingMode, storagev1.VolumeBindingImmediate)
}

func defaultMutatingWebhooks(c *admissionv1.MutatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		unset(&w.FailurePolicy, admissionv1.Fail)
		unset(&w.MatchPolicy, admissionv1.Equivalent)
		unset(&w.NamespaceSelector, metav1.LabelSelector{})
		unset(&w.ObjectSelector, metav1.LabelSelector{})
		unset(&w.TimeoutSeconds, 10)
		unset(&w.ReinvocationPolicy, admissionv1.NeverReinvocationPolicy)
		defaultClientConfig(&w.ClientConfig)
		defaultRules(w.Rules)
	}
}

func defaultValidatingWebhooks(c *admissionv1.ValidatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		unset(&w.FailurePolicy, admissionv1.Fail)
		unset(&w.MatchPolicy, admissionv1.Equivalent)
		unset(&w.NamespaceSelector, metav1.LabelSelector{})
		unset(&w.ObjectSelector, metav1.LabelSelector{})
		unset(&w.TimeoutSeconds, 10)
		defaultClientConfig(&w.ClientConfig)
		defaultRules(w.Rules)
	}
}

func defaultClientConfig(c *admissionv1.WebhookClientConfig) {
	if c.Service != nil {
		unset(&c.Service.Port, 443)
	}
}

func defaultRules(rules []admissionv1.RuleWithOperations) {
	for i := range rules {
		unset(&rules[i].Scope, admissionv1.AllScopes)
	}
}

func defaultPolicy(p *admissionv1.ValidatingAdmissionPolicy) {
	unset(&p.Spec.FailurePolicy, admissionv1.Fail)
	defaultMatch(p.Spec.MatchConstraints)
}

func defaultMatch(m *admissionv1.MatchResources) {
	if m == nil {
		return
	}
	unset(&m.MatchPolicy, admissionv1.Equivalent)
	unset(&m.NamespaceSelector, metav1.LabelSelector{})
	unset(&m.ObjectSelector, metav1.LabelSelector{})
	for _, list := range [][]admissionv1.NamedRuleWithOperations{m.ResourceRules, m.ExcludeResourceRules} {
		for i := range list {
			unset(&list[i].Scope, admissionv1.AllScopes)
		}
	}
}
