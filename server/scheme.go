package server

import (
	"fmt"
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// newScheme returns the scheme of the built-in kinds. An API server converts each object to an internal type; here the
// internal types are the versions themselves, since each kind has one. Only events have two.
func newScheme(table []kind, questions []review) (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	s.AddUnversionedTypes(schema.GroupVersion{Version: "v1"}, &metav1.Status{}, &metav1.APIVersions{},
		&metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	var add []error
	known := func(version schema.GroupVersion, types ...runtime.Object) {
		internal := schema.GroupVersion{Group: version.Group, Version: runtime.APIVersionInternal}
		if !s.IsVersionRegistered(version) {
			metav1.AddToGroupVersion(s, version)
		}
		s.AddKnownTypes(version, types...)
		s.AddKnownTypes(internal, types...)
		for _, t := range types {
			add = append(add, s.AddConversionFunc(t, t, func(from, to any, _ conversion.Scope) error {
				reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from.(runtime.Object).DeepCopyObject()).Elem())
				return nil
			}))
		}
	}
	for _, k := range table {
		of := gvk(k.sample)
		known(of.GroupVersion(), k.sample, k.list())
		if k.defaults != nil {
			s.AddTypeDefaultingFunc(k.sample, func(obj any) { k.defaults(obj.(runtime.Object)) })
			s.AddTypeDefaultingFunc(k.list(), func(obj any) { defaultItems(obj, k.defaults) })
		}
		if k.fields != nil {
			add = append(add, s.AddFieldLabelConversionFunc(of, selectable(k)))
		}
	}
	for _, r := range questions {
		known(gvk(r.sample).GroupVersion(), r.sample)
	}
	for _, t := range bodies() {
		known(gvk(t).GroupVersion(), t)
	}
	add = append(add, addEvents(s))
	for _, err := range add {
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// bodies returns what subresources read and write instead of the objects of their kinds.
func bodies() []runtime.Object {
	return []runtime.Object{&autoscalingv1.Scale{}, &corev1.Binding{}, &policyv1.Eviction{}}
}

// defaultItems sets the defaults of the items of a list.
func defaultItems(list any, defaults func(runtime.Object)) {
	items := reflect.ValueOf(list).Elem().FieldByName("Items")
	for i := range items.Len() {
		defaults(items.Index(i).Addr().Interface().(runtime.Object))
	}
}

// selectable accepts the names of the fields that selectors of a kind may have.
func selectable(k kind) runtime.FieldLabelConversionFunc {
	known := k.fields(k.sample)
	return func(label, value string) (string, string, error) {
		if _, ok := known[label]; ok {
			return label, value, nil
		}
		if label == "metadata.name" || label == "metadata.namespace" && !k.cluster {
			return label, value, nil
		}
		return "", "", fmt.Errorf("field label not supported: %s", label)
	}
}

// addEvents adds the group events.k8s.io, which shows the events of the core group under other names.
func addEvents(s *runtime.Scheme) error {
	metav1.AddToGroupVersion(s, eventsv1.SchemeGroupVersion)
	s.AddKnownTypes(eventsv1.SchemeGroupVersion, &eventsv1.Event{}, &eventsv1.EventList{})
	s.AddKnownTypes(schema.GroupVersion{Group: eventsv1.GroupName, Version: runtime.APIVersionInternal},
		&corev1.Event{}, &corev1.EventList{})
	convert := []struct {
		from, to any
		f        conversion.ConversionFunc
	}{
		{&corev1.Event{}, &eventsv1.Event{}, func(from, to any, _ conversion.Scope) error {
			*to.(*eventsv1.Event) = newEvent(from.(*corev1.Event))
			return nil
		}},
		{&eventsv1.Event{}, &corev1.Event{}, func(from, to any, _ conversion.Scope) error {
			*to.(*corev1.Event) = oldEvent(from.(*eventsv1.Event))
			return nil
		}},
		{&corev1.EventList{}, &eventsv1.EventList{}, func(from, to any, _ conversion.Scope) error {
			in, out := from.(*corev1.EventList), to.(*eventsv1.EventList)
			out.ListMeta, out.Items = in.ListMeta, []eventsv1.Event{}
			for i := range in.Items {
				out.Items = append(out.Items, newEvent(&in.Items[i]))
			}
			return nil
		}},
		{&eventsv1.EventList{}, &corev1.EventList{}, func(from, to any, _ conversion.Scope) error {
			in, out := from.(*eventsv1.EventList), to.(*corev1.EventList)
			out.ListMeta, out.Items = in.ListMeta, []corev1.Event{}
			for i := range in.Items {
				out.Items = append(out.Items, oldEvent(&in.Items[i]))
			}
			return nil
		}},
	}
	for _, c := range convert {
		if err := s.AddConversionFunc(c.from, c.to, c.f); err != nil {
			return err
		}
	}
	names := map[string]string{
		"reason": "reason", "type": "type", "metadata.name": "metadata.name",
		"metadata.namespace": "metadata.namespace", "reportingController": "reportingComponent",
	}
	for _, part := range []string{"kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"} {
		names["regarding."+part] = "involvedObject." + part
	}
	return s.AddFieldLabelConversionFunc(eventsv1.SchemeGroupVersion.WithKind("Event"),
		func(label, value string) (string, string, error) {
			if name, ok := names[label]; ok {
				return name, value, nil
			}
			return "", "", fmt.Errorf("field label not supported: %s", label)
		})
}

// newEvent returns an event of the core group as one of events.k8s.io.
func newEvent(e *corev1.Event) eventsv1.Event {
	out := eventsv1.Event{
		ObjectMeta: *e.ObjectMeta.DeepCopy(), EventTime: e.EventTime, ReportingController: e.ReportingController,
		ReportingInstance: e.ReportingInstance, Action: e.Action, Reason: e.Reason, Regarding: e.InvolvedObject,
		Related: e.Related.DeepCopy(), Note: e.Message, Type: e.Type, DeprecatedSource: e.Source,
		DeprecatedFirstTimestamp: e.FirstTimestamp, DeprecatedLastTimestamp: e.LastTimestamp,
		DeprecatedCount: e.Count,
	}
	if e.Series != nil {
		out.Series = &eventsv1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out
}

// oldEvent converts back what newEvent converts.
func oldEvent(e *eventsv1.Event) corev1.Event {
	out := corev1.Event{
		ObjectMeta: *e.ObjectMeta.DeepCopy(), EventTime: e.EventTime, ReportingController: e.ReportingController,
		ReportingInstance: e.ReportingInstance, Action: e.Action, Reason: e.Reason, InvolvedObject: e.Regarding,
		Related: e.Related.DeepCopy(), Message: e.Note, Type: e.Type, Source: e.DeprecatedSource,
		FirstTimestamp: e.DeprecatedFirstTimestamp, LastTimestamp: e.DeprecatedLastTimestamp, Count: e.DeprecatedCount,
	}
	if e.Series != nil {
		out.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out
}
