package symbolic

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/api/resource"
	apicel "k8s.io/apiserver/pkg/cel"
)

// A quantity has a scale of thousandths: an even number for one that is some of them, the odd number above for all
// that are between these and the next ones.

// orderOfQuantity returns the number of a quantity on its scale. ok is unset for too large ones.
func orderOfQuantity(v ref.Val) (n int64, ok bool) {
	q, isQuantity := v.(apicel.Quantity)
	const most = 1 << 50
	if !isQuantity || q.CmpInt64(most) > 0 || q.CmpInt64(-most) < 0 {
		return 0, false
	}
	n = q.MilliValue() // rounded
	return 2*n + int64(q.Cmp(*resource.NewMilliQuantity(n, resource.DecimalSI))), true
}

// quantityConstant returns the number of a constant on the scale of quantities, if it is a number of thousandths.
func quantityConstant(v ref.Val) (n int64, ok bool) {
	n, ok = orderOfQuantity(v)
	return n, ok && n%2 == 0
}

// quantitiesBetween returns texts of quantities at the ends of a part of the scale.
func quantitiesBetween(low, top int64) (out []string) {
	for _, thousandths := range []int64{(low + 1) >> 1, top >> 1} {
		out = append(out, resource.NewMilliQuantity(thousandths, resource.DecimalSI).String())
	}
	return out
}

// isQuantity reports whether a thing has the scale of quantities.
func isQuantity(t thing) bool {
	what, ok := t.(term)
	return ok && what.quantity
}

// comparedQuantities evaluates isGreaterThan, isLessThan and compareTo of quantities.
func (m *model) comparedQuantities(e ast.Expr, name string, args []value, in *scope) value {
	return m.each(args, func(t []thing) value {
		a, b := t[0], t[1]
		x, _ := a.(constant)
		y, _ := b.(constant)
		_, _, left := m.limits(a, y)
		_, _, right := m.limits(b, x)
		if !left && !right {
			return m.apply(e, name, []value{only(a), only(b)}, in)
		}
		switch name {
		case "isGreaterThan":
			return only(truth(m.less(b, a)))
		case "isLessThan":
			return only(truth(m.less(a, b)))
		}
		number := func(n int) constant { return constant{types.Int(n)} }
		return value{alts: []alternative{{m.less(a, b), number(-1)}, {m.equal(a, b), number(0)},
			{m.less(b, a), number(1)}}}
	})
}
