package support

import (
	"regexp"
	"strings"
	"time"
)

// The functions of the libraries for arguments whose types are only known at run time, if they have more than one
// overload. The failures are cel-go's: it looks for an overload for the actual arguments (common/decls), unless the
// function does so itself.

func crdContainsDyn(s, part any) any { return crdOnStrings(s, part, strings.Contains) }

func crdHasPrefixDyn(s, prefix any) any { return crdOnStrings(s, prefix, strings.HasPrefix) }

func crdHasSuffixDyn(s, suffix any) any { return crdOnStrings(s, suffix, strings.HasSuffix) }

func crdOnStrings(a, b any, function func(a, b string) bool) any {
	left, right := crdAs[string](a), crdAs[string](b)
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	if left.err != nil || right.err != nil {
		return crdNoSuchOverload
	}
	return function(left.val, right.val)
}

func crdMatchesDyn(s, expression any) any {
	if err := crdFirstFailure(s, expression); err != nil {
		return err
	}
	text, ok := s.(string)
	if !ok {
		return crdNoTrait("matches", s)
	}
	pattern, ok := expression.(string)
	if !ok {
		return crdNoSuchOverload
	}
	return crdMatches(text, pattern).dyn()
}

func crdMatchesDynCompiled(s any, expression *regexp.Regexp) any {
	text := crdTextOf(s)
	if text.err != nil {
		return text.err
	}
	return expression.MatchString(text.val)
}

func crdFindMatchDyn(s, expression any) any {
	text, ok := s.(string)
	pattern, isText := expression.(string)
	if !ok || !isText {
		return crdNoOverload("find", s, expression)
	}
	return crdFindMatch(text, pattern).dyn()
}

func crdFindMatchDynCompiled(s any, expression *regexp.Regexp) any {
	text := crdTextOf(s)
	if text.err != nil {
		return text.err
	}
	return expression.FindString(text.val)
}

func crdFindMatchesDyn(s, expression any) any {
	text, ok := s.(string)
	pattern, isText := expression.(string)
	if !ok || !isText {
		return crdNoOverload("findAll", s, expression)
	}
	return crdFindMatches(text, pattern).dyn()
}

func crdFindMatchesDynCompiled(s any, expression *regexp.Regexp) any {
	return crdFindMatchesNDynCompiled(s, expression, int64(-1))
}

func crdFindMatchesNDyn(s, expression, limit any) any {
	text, ok := s.(string)
	pattern, isText := expression.(string)
	n, isInt := limit.(int64)
	if !ok || !isText || !isInt {
		return crdNoOverload("findAll", s, expression, limit)
	}
	return crdFindMatchesN(text, pattern, n).dyn()
}

func crdFindMatchesNDynCompiled(s any, expression *regexp.Regexp, limit any) any {
	if err := crdFirstFailure(s, limit); err != nil {
		return err
	}
	text, n := crdTextOf(s), crdAs[int64](limit)
	if text.err != nil || n.err != nil {
		return crdNoSuchOverload
	}
	return crdFindMatchesNCompiled(text.val, expression, n.val)
}

// crdTextOf is a string, or the name of a type, which counts as a string after compilation.
func crdTextOf(value any) crdResult[string] {
	if name, ok := value.(crdTypeName); ok {
		return crdOK(string(name))
	}
	return crdAs[string](value)
}

func crdIndexOfDyn(target, value any) any {
	return crdPositionDyn("indexOf", target, value, crdIndexOf, crdListIndexOf)
}

func crdLastIndexOfDyn(target, value any) any {
	return crdPositionDyn("lastIndexOf", target, value, crdLastIndexOf, crdListLastIndexOf)
}

// crdPositionDyn is the position of a part of a string, or of an item of a list.
func crdPositionDyn(function string, target, value any, inText func(s, part string) int64,
	inList func(list crdList, value any) int64) any {
	switch t := target.(type) {
	case string:
		if part, ok := value.(string); ok {
			return inText(t, part)
		}
	case crdList:
		if _, failed := value.(*crdFailure); !failed {
			return inList(t, value)
		}
	}
	return crdNoOverload(function, target, value)
}

func crdIsSortedDyn(list any) any {
	if list, ok := list.(crdList); ok {
		return crdIsSorted(list).dyn()
	}
	return crdNoOverload("isSorted", list)
}

func crdMaxDyn(list any) any {
	if list, ok := list.(crdList); ok {
		return crdMaxOf(list)
	}
	return crdNoOverload("max", list)
}

func crdMinDyn(list any) any {
	if list, ok := list.(crdList); ok {
		return crdMinOf(list)
	}
	return crdNoOverload("min", list)
}

// crdSumDyn begins with the zero of the first item's type. An empty list counts as a list of ints.
func crdSumDyn(list any) any {
	items, ok := list.(crdList)
	if !ok {
		return crdNoOverload("sum", list)
	}
	if items.size() == 0 {
		return int64(0)
	}
	switch items.at(0).(type) {
	case int64:
		return crdSumFrom(int64(0), items)
	case uint64:
		return crdSumFrom(uint64(0), items)
	case float64:
		return crdSumFrom(0.0, items)
	case time.Duration:
		return crdSumFrom(time.Duration(0), items)
	}
	return crdNoOverload("sum", list)
}

func crdContainsIPDyn(cidr, ip any) any {
	if cidr, ok := cidr.(crdCIDR); ok {
		switch ip := ip.(type) {
		case crdIP:
			return crdCIDRContainsIP(cidr, ip)
		case string:
			return crdCIDRContainsIPString(cidr, ip).dyn()
		}
	}
	return crdNoOverload("containsIP", cidr, ip)
}

func crdContainsCIDRDyn(cidr, other any) any {
	if cidr, ok := cidr.(crdCIDR); ok {
		switch other := other.(type) {
		case crdCIDR:
			return crdCIDRContainsCIDR(cidr, other)
		case string:
			return crdCIDRContainsCIDRString(cidr, other).dyn()
		}
	}
	return crdNoOverload("containsCIDR", cidr, other)
}

func crdQuantityAddDyn(q, other any) any {
	return crdQuantityDyn("add", q, other, crdQuantityAdd, crdQuantityAddInt)
}

func crdQuantitySubDyn(q, other any) any {
	return crdQuantityDyn("sub", q, other, crdQuantitySub, crdQuantitySubInt)
}

// crdQuantityDyn computes with a quantity and another one, or an integer.
func crdQuantityDyn(function string, q, other any, quantities func(q, other crdQuantity) crdQuantity,
	ints func(q crdQuantity, n int64) crdQuantity) any {
	if q, ok := q.(crdQuantity); ok {
		switch other := other.(type) {
		case crdQuantity:
			return quantities(q, other)
		case int64:
			return ints(q, other)
		}
	}
	return crdNoOverload(function, q, other)
}

func crdCompareDyn(a, b any) any { return crdOrder("compareTo", a, b).dyn() }

func crdIsLessDyn(a, b any) any {
	return crdThen(crdOrder("isLessThan", a, b), func(order int64) bool { return order < 0 }).dyn()
}

func crdIsGreaterDyn(a, b any) any {
	return crdThen(crdOrder("isGreaterThan", a, b), func(order int64) bool { return order > 0 }).dyn()
}

// A crdOrdered is a value of a library that is compared with others of its type. Only the libraries that a package
// uses are copied into it, so functions for several libraries do not name their types.
type crdOrdered interface {
	crdOpaque
	opaqueOrder(other any) (order int64, ok bool)
}

// crdOrder compares two quantities or two versions.
func crdOrder(function string, a, b any) crdResult[int64] {
	if left, ok := a.(crdOrdered); ok {
		if order, ok := left.opaqueOrder(b); ok {
			return crdOK(order)
		}
	}
	return crdFail[int64](crdNoOverload(function, a, b))
}
