package support

import "k8s.io/apimachinery/pkg/api/resource"

// A Quantity is a quantity of CEL (k8s.io/apiserver/pkg/cel/library/quantity.go).
type Quantity struct {
	*resource.Quantity
	// computed is set on sums and differences: the server holds them in another Go type, which matters to ==.
	computed bool
}

func (q Quantity) opaqueNames() (inCEL, inGo string) {
	if q.computed {
		return "kubernetes.Quantity", "*cel.Quantity"
	}
	return "kubernetes.Quantity", "cel.Quantity"
}

// opaqueEqual fails for another computed value and accepts only a parsed one, as the server does.
func (q Quantity) opaqueEqual(other any) any {
	if other, ok := other.(Quantity); ok && !other.computed {
		return q.Equal(*other.Quantity)
	}
	return noEquality(other)
}

func (q Quantity) opaqueOrder(other any) (order int64, ok bool) {
	if other, ok := other.(Quantity); ok {
		return QuantityCompare(q, other), true
	}
	return 0, false
}

// ParseQuantity reads a quantity.
func ParseQuantity(s string) Result[Quantity] {
	q, err := resource.ParseQuantity(s)
	if err != nil {
		return failWith[Quantity](err.Error())
	}
	return OK(Quantity{Quantity: &q})
}

// IsQuantity reports whether a text is a quantity.
func IsQuantity(s string) bool {
	_, err := resource.ParseQuantity(s)
	return err == nil
}

// QuantitySign is the sign of a quantity: -1, 0 or 1.
func QuantitySign(q Quantity) int64 { return int64(q.Sign()) }

// QuantityIsInteger reports whether a quantity is an integer.
func QuantityIsInteger(q Quantity) bool {
	_, ok := q.AsInt64()
	return ok
}

// QuantityInteger is a quantity as an integer, if it is one.
func QuantityInteger(q Quantity) Result[int64] {
	n, ok := q.AsInt64()
	if !ok {
		return failWith[int64]("cannot convert value to integer")
	}
	return OK(n)
}

// QuantityFloat is a quantity as a number.
func QuantityFloat(q Quantity) float64 { return q.AsApproximateFloat64() }

// QuantityAdd adds quantities.
func QuantityAdd(q, other Quantity) Quantity {
	sum := q.DeepCopy()
	sum.Add(*other.Quantity)
	return Quantity{Quantity: &sum, computed: true}
}

// QuantityAddInt adds an integer to a quantity.
func QuantityAddInt(q Quantity, n int64) Quantity {
	return QuantityAdd(q, Quantity{Quantity: resource.NewQuantity(n, resource.DecimalExponent)})
}

// QuantitySub subtracts quantities.
func QuantitySub(q, other Quantity) Quantity {
	difference := q.DeepCopy()
	difference.Sub(*other.Quantity)
	return Quantity{Quantity: &difference, computed: true}
}

// QuantitySubInt subtracts an integer from a quantity.
func QuantitySubInt(q Quantity, n int64) Quantity {
	return QuantitySub(q, Quantity{Quantity: resource.NewQuantity(n, resource.DecimalExponent)})
}

// QuantityCompare is -1, 0 or 1 if the first quantity is less, equal or greater.
func QuantityCompare(q, other Quantity) int64 { return int64(q.Cmp(*other.Quantity)) }

// QuantityLess reports whether the first quantity is less.
func QuantityLess(q, other Quantity) bool { return q.Cmp(*other.Quantity) < 0 }

// QuantityGreater reports whether the first quantity is greater.
func QuantityGreater(q, other Quantity) bool { return q.Cmp(*other.Quantity) > 0 }
