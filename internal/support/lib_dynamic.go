package support

import (
	"regexp"
	"strings"
	"time"
)

// The functions of the libraries for arguments whose types are only known at run time, if they have more than one
// overload. The failures are cel-go's: it looks for an overload for the actual arguments (common/decls), unless the
// function does so itself.

// ContainsDyn is contains() for dynamic values.
func ContainsDyn(s, part any) any { return onStrings(s, part, strings.Contains) }

// HasPrefixDyn is startsWith() for dynamic values.
func HasPrefixDyn(s, prefix any) any { return onStrings(s, prefix, strings.HasPrefix) }

// HasSuffixDyn is endsWith() for dynamic values.
func HasSuffixDyn(s, suffix any) any { return onStrings(s, suffix, strings.HasSuffix) }

func onStrings(a, b any, function func(a, b string) bool) any {
	left, right := As[string](a), As[string](b)
	if err := firstFailure(a, b); err != nil {
		return err
	}
	if left.err != nil || right.err != nil {
		return noSuchOverload
	}
	return function(left.val, right.val)
}

// MatchesDyn is matches() for dynamic values.
func MatchesDyn(s, expression any) any {
	if err := firstFailure(s, expression); err != nil {
		return err
	}
	text, ok := s.(string)
	if !ok {
		return noTrait("matches", s)
	}
	pattern, ok := expression.(string)
	if !ok {
		return noSuchOverload
	}
	return Matches(text, pattern).Dyn()
}

// MatchesDynCompiled is MatchesDyn for a constant expression.
func MatchesDynCompiled(s any, expression *regexp.Regexp) any {
	text := textOf(s)
	if text.err != nil {
		return text.err
	}
	return expression.MatchString(text.val)
}

// FindMatchDyn is find() for dynamic values.
func FindMatchDyn(s, expression any) any {
	text, ok := s.(string)
	pattern, isText := expression.(string)
	if !ok || !isText {
		return noOverload("find", s, expression)
	}
	return FindMatch(text, pattern).Dyn()
}

// FindMatchDynCompiled is FindMatchDyn for a constant expression.
func FindMatchDynCompiled(s any, expression *regexp.Regexp) any {
	text := textOf(s)
	if text.err != nil {
		return text.err
	}
	return expression.FindString(text.val)
}

// FindMatchesDyn is findAll() for dynamic values.
func FindMatchesDyn(s, expression any) any {
	text, ok := s.(string)
	pattern, isText := expression.(string)
	if !ok || !isText {
		return noOverload("findAll", s, expression)
	}
	return FindMatches(text, pattern).Dyn()
}

// FindMatchesDynCompiled is FindMatchesDyn for a constant expression.
func FindMatchesDynCompiled(s any, expression *regexp.Regexp) any {
	return FindMatchesNDynCompiled(s, expression, int64(-1))
}

// FindMatchesNDyn is findAll() with a limit for dynamic values.
func FindMatchesNDyn(s, expression, limit any) any {
	text, ok := s.(string)
	pattern, isText := expression.(string)
	n, isInt := limit.(int64)
	if !ok || !isText || !isInt {
		return noOverload("findAll", s, expression, limit)
	}
	return FindMatchesN(text, pattern, n).Dyn()
}

// FindMatchesNDynCompiled is FindMatchesNDyn for a constant expression.
func FindMatchesNDynCompiled(s any, expression *regexp.Regexp, limit any) any {
	if err := firstFailure(s, limit); err != nil {
		return err
	}
	text, n := textOf(s), As[int64](limit)
	if text.err != nil || n.err != nil {
		return noSuchOverload
	}
	return FindMatchesNCompiled(text.val, expression, n.val)
}

// textOf is a string, or the name of a type, which counts as a string after compilation.
func textOf(value any) Result[string] {
	if name, ok := value.(TypeName); ok {
		return OK(string(name))
	}
	return As[string](value)
}

// IndexOfDyn is indexOf() for dynamic values.
func IndexOfDyn(target, value any) any {
	return positionDyn("indexOf", target, value, IndexOf, ListIndexOf)
}

// LastIndexOfDyn is lastIndexOf() for dynamic values.
func LastIndexOfDyn(target, value any) any {
	return positionDyn("lastIndexOf", target, value, LastIndexOf, ListLastIndexOf)
}

// positionDyn is the position of a part of a string, or of an item of a list.
func positionDyn(function string, target, value any, inText func(s, part string) int64,
	inList func(list List, value any) int64) any {
	switch t := target.(type) {
	case string:
		if part, ok := value.(string); ok {
			return inText(t, part)
		}
	case List:
		if _, failed := value.(*Failure); !failed {
			return inList(t, value)
		}
	}
	return noOverload(function, target, value)
}

// IsSortedDyn is isSorted() for dynamic values.
func IsSortedDyn(list any) any {
	if list, ok := list.(List); ok {
		return IsSorted(list).Dyn()
	}
	return noOverload("isSorted", list)
}

// MaxDyn is max() for dynamic values.
func MaxDyn(list any) any {
	if list, ok := list.(List); ok {
		return MaxOf(list)
	}
	return noOverload("max", list)
}

// MinDyn is min() for dynamic values.
func MinDyn(list any) any {
	if list, ok := list.(List); ok {
		return MinOf(list)
	}
	return noOverload("min", list)
}

// SumDyn begins with the zero of the first item's type. An empty list counts as a list of ints.
func SumDyn(list any) any {
	items, ok := list.(List)
	if !ok {
		return noOverload("sum", list)
	}
	if items.size() == 0 {
		return int64(0)
	}
	switch items.at(0).(type) {
	case int64:
		return sumFrom(int64(0), items)
	case uint64:
		return sumFrom(uint64(0), items)
	case float64:
		return sumFrom(0.0, items)
	case time.Duration:
		return sumFrom(time.Duration(0), items)
	}
	return noOverload("sum", list)
}

// ContainsIPDyn is containsIP() for dynamic values.
func ContainsIPDyn(cidr, ip any) any {
	if cidr, ok := cidr.(CIDR); ok {
		switch ip := ip.(type) {
		case IP:
			return CIDRContainsIP(cidr, ip)
		case string:
			return CIDRContainsIPString(cidr, ip).Dyn()
		}
	}
	return noOverload("containsIP", cidr, ip)
}

// ContainsCIDRDyn is containsCIDR() for dynamic values.
func ContainsCIDRDyn(cidr, other any) any {
	if cidr, ok := cidr.(CIDR); ok {
		switch other := other.(type) {
		case CIDR:
			return CIDRContainsCIDR(cidr, other)
		case string:
			return CIDRContainsCIDRString(cidr, other).Dyn()
		}
	}
	return noOverload("containsCIDR", cidr, other)
}

// QuantityAddDyn is add() for dynamic values.
func QuantityAddDyn(q, other any) any {
	return quantityDyn("add", q, other, QuantityAdd, QuantityAddInt)
}

// QuantitySubDyn is sub() for dynamic values.
func QuantitySubDyn(q, other any) any {
	return quantityDyn("sub", q, other, QuantitySub, QuantitySubInt)
}

// quantityDyn computes with a quantity and another one, or an integer.
func quantityDyn(function string, q, other any, quantities func(q, other Quantity) Quantity,
	ints func(q Quantity, n int64) Quantity) any {
	if q, ok := q.(Quantity); ok {
		switch other := other.(type) {
		case Quantity:
			return quantities(q, other)
		case int64:
			return ints(q, other)
		}
	}
	return noOverload(function, q, other)
}

// CompareDyn is compareTo() for dynamic values.
func CompareDyn(a, b any) any { return orderOf("compareTo", a, b).Dyn() }

// IsLessDyn is isLessThan() for dynamic values.
func IsLessDyn(a, b any) any {
	return Then(orderOf("isLessThan", a, b), func(order int64) bool { return order < 0 }).Dyn()
}

// IsGreaterDyn is isGreaterThan() for dynamic values.
func IsGreaterDyn(a, b any) any {
	return Then(orderOf("isGreaterThan", a, b), func(order int64) bool { return order > 0 }).Dyn()
}

// An ordered is a value of a library that is compared with others of its type. Only the libraries that a package
// uses are copied into it, so functions for several libraries do not name their types.
type ordered interface {
	opaque
	opaqueOrder(other any) (order int64, ok bool)
}

// orderOf compares two quantities or two versions.
func orderOf(function string, a, b any) Result[int64] {
	if left, ok := a.(ordered); ok {
		if order, ok := left.opaqueOrder(b); ok {
			return OK(order)
		}
	}
	return fail[int64](noOverload(function, a, b))
}
