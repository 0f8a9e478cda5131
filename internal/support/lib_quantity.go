package support

import "k8s.io/apimachinery/pkg/api/resource"

// A crdQuantity is a quantity of CEL (k8s.io/apiserver/pkg/cel/library/quantity.go).
type crdQuantity struct {
	*resource.Quantity
	// computed is set on sums and differences: the server holds them in another Go type, which matters to ==.
	computed bool
}

func (q crdQuantity) opaqueNames() (inCEL, inGo string) {
	if q.computed {
		return "kubernetes.Quantity", "*cel.Quantity"
	}
	return "kubernetes.Quantity", "cel.Quantity"
}

// opaqueEqual fails for another computed value and accepts only a parsed one, as the server does.
func (q crdQuantity) opaqueEqual(other any) any {
	if other, ok := other.(crdQuantity); ok && !other.computed {
		return q.Equal(*other.Quantity)
	}
	return crdNoEquality(other)
}

func (q crdQuantity) opaqueOrder(other any) (order int64, ok bool) {
	if other, ok := other.(crdQuantity); ok {
		return crdQuantityCompare(q, other), true
	}
	return 0, false
}

func crdParseQuantity(s string) crdResult[crdQuantity] {
	q, err := resource.ParseQuantity(s)
	if err != nil {
		return crdFailed[crdQuantity](err.Error())
	}
	return crdOK(crdQuantity{Quantity: &q})
}

func crdIsQuantity(s string) bool {
	_, err := resource.ParseQuantity(s)
	return err == nil
}

func crdQuantitySign(q crdQuantity) int64 { return int64(q.Sign()) }

func crdQuantityIsInteger(q crdQuantity) bool {
	_, ok := q.AsInt64()
	return ok
}

func crdQuantityInteger(q crdQuantity) crdResult[int64] {
	n, ok := q.AsInt64()
	if !ok {
		return crdFailed[int64]("cannot convert value to integer")
	}
	return crdOK(n)
}

func crdQuantityFloat(q crdQuantity) float64 { return q.AsApproximateFloat64() }

func crdQuantityAdd(q, other crdQuantity) crdQuantity {
	sum := q.DeepCopy()
	sum.Add(*other.Quantity)
	return crdQuantity{Quantity: &sum, computed: true}
}

func crdQuantityAddInt(q crdQuantity, n int64) crdQuantity {
	return crdQuantityAdd(q, crdQuantity{Quantity: resource.NewQuantity(n, resource.DecimalExponent)})
}

func crdQuantitySub(q, other crdQuantity) crdQuantity {
	difference := q.DeepCopy()
	difference.Sub(*other.Quantity)
	return crdQuantity{Quantity: &difference, computed: true}
}

func crdQuantitySubInt(q crdQuantity, n int64) crdQuantity {
	return crdQuantitySub(q, crdQuantity{Quantity: resource.NewQuantity(n, resource.DecimalExponent)})
}

func crdQuantityCompare(q, other crdQuantity) int64 { return int64(q.Cmp(*other.Quantity)) }

func crdQuantityLess(q, other crdQuantity) bool { return q.Cmp(*other.Quantity) < 0 }

func crdQuantityGreater(q, other crdQuantity) bool { return q.Cmp(*other.Quantity) > 0 }
