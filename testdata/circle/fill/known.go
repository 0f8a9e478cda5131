package fill

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// isNull reports whether v has a type that writes its zero value as null.
func isNull(v reflect.Value) bool {
	switch v.Interface().(type) {
	case metav1.Time, metav1.MicroTime, apiextensionsv1.JSON, runtime.RawExtension, unstructured.Unstructured:
		return true
	}
	return false
}

// known fills the types whose values are not what their declaration seems to permit.
func (f *filler) known(v reflect.Value, h hints) bool {
	zero := !h.resource && f.omits(h, 8)
	var value any
	switch v.Interface().(type) {
	case time.Time:
		value = f.time()
	case metav1.Time:
		value = metav1.NewTime(f.time())
	case metav1.MicroTime:
		value = metav1.NewMicroTime(f.time())
	case metav1.Duration:
		value = metav1.Duration{Duration: time.Duration(f.signed(64, h))}
	case net.IP:
		value = pick(f, net.IP{}, net.IPv4(10, 0, 0, 1), net.IPv4(10, 0, 0, 1).To4(), net.ParseIP("2001:db8::1"),
			net.IPv6loopback)
	case netip.Addr:
		value = f.addr()
	case netip.Prefix:
		addr := f.addr()
		value = netip.PrefixFrom(addr.WithZone(""), f.IntN(addr.BitLen()+1))
	case netip.AddrPort:
		value = netip.AddrPortFrom(f.addr(), uint16(f.unsigned(16, h)))
	case big.Int:
		n := pick(f, big.NewInt(0), big.NewInt(-5), big.NewInt(math.MaxInt64), new(big.Int).Lsh(big.NewInt(1), 63),
			new(big.Int).Lsh(big.NewInt(-3), 70))
		if h.as == Large {
			n = new(big.Int).Lsh(big.NewInt(1), 64)
		}
		v.Addr().Interface().(*big.Int).Set(n)
		return true
	case json.Number:
		value = pick(f, json.Number("0"), "-1", "1.5", "1e3", "9007199254740993", "0.1")
	case json.RawMessage:
		value = json.RawMessage(f.rawJSON(h.set))
	case apiextensionsv1.JSON:
		value = apiextensionsv1.JSON{Raw: f.rawJSON(h.set)}
	case runtime.RawExtension:
		value = runtime.RawExtension{Raw: f.object(h.resource)}
	case unstructured.Unstructured:
		u := unstructured.Unstructured{}
		if err := u.UnmarshalJSON(f.object(true)); err != nil {
			panic(err)
		}
		value = u
	case resource.Quantity:
		value = resource.MustParse(pick(f, "0", "1", "-5", "100m", "1.5", "1Gi", "12e6", "1k", "9223372036854775807",
			"5n"))
	case intstr.IntOrString:
		value = pick(f, intstr.FromInt32(int32(f.signed(32, h))), intstr.FromString(f.text()))
	case metav1.ObjectMeta:
		value, zero = f.meta(), f.noMeta
	default:
		return false
	}
	if !zero {
		v.Set(reflect.ValueOf(value))
	}
	return true
}

func (f *filler) time() time.Time {
	return pick(f,
		time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC), time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC), time.Date(2020, 1, 2, 3, 4, 5, 678000, time.UTC),
		time.Date(1969, 7, 20, 20, 17, 40, 0, time.FixedZone("", -4*3600-1800)))
}

func (f *filler) addr() netip.Addr {
	return netip.MustParseAddr(pick(f, "10.0.0.1", "0.0.0.0", "2001:db8::1", "::", "::ffff:1.2.3.4", "fe80::1%eth0"))
}

// meta has only what generateEmbeddedObjectMeta knows; creation times and the like do not belong in a template.
func (f *filler) meta() metav1.ObjectMeta {
	m := metav1.ObjectMeta{}
	if f.show.As == Set {
		m.Labels = map[string]string{"app": "x"}
	}
	if f.chance(60) {
		m.Name = "a-name"
	}
	if f.chance(30) {
		m.Namespace = "a-namespace"
	}
	if f.chance(60) {
		m.Labels = map[string]string{"app": "x", "example.com/y": ""}
	}
	if f.chance(40) {
		m.Annotations = map[string]string{"note": f.text()}
	}
	if f.chance(30) {
		m.Finalizers = []string{"example.com/z"}
	}
	return m
}

// json is a JSON value as encoding/json would read it, at most so many levels deep.
func (f *filler) json(depth int, notNull bool) any {
	n := f.IntN(8)
	if depth == 0 {
		n = f.IntN(5)
	}
	switch n {
	case 0:
		if !notNull {
			return nil
		}
		fallthrough
	case 1:
		return f.chance(50)
	case 2:
		return pick(f, 0.0, 1, -1.5, 1e21, 9007199254740993, 0.1)
	case 3, 4:
		return f.text()
	case 5:
		list := []any{}
		for range f.IntN(3) {
			list = append(list, f.json(depth-1, false))
		}
		return list
	}
	object := map[string]any{}
	for i := range f.IntN(3) {
		object[fmt.Sprintf("%s-%d", f.text(), i)] = f.json(depth-1, false)
	}
	return object
}

func (f *filler) rawJSON(notNull bool) []byte {
	data, err := json.Marshal(f.json(2, notNull))
	if err != nil {
		panic(err)
	}
	return data
}

// object is a JSON object, on request one that Kubernetes would know.
func (f *filler) object(whole bool) []byte {
	object := map[string]any{"data": f.json(2, false)}
	if whole {
		object["apiVersion"], object["kind"] = "v1", "Thing"
		object["metadata"] = map[string]any{"name": "thing", "labels": map[string]any{"a": "b"}}
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return data
}
