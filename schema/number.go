package schema

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// exactDigits is the number of decimal digits that a float64 always preserves.
const exactDigits = 15

// plainDigits is the maximum number of digits of a whole number that is written without an exponent, as in
// encoding/json.
const plainDigits = 21

// CanonicalNumber returns the literal of a number in a CRD, with its full value. A number that fits float64 is
// written as the API server prints it: 1.50 is 1.5, and 1e3 is 1000. A number that does not fit, or that float64
// prints with an exponent although it is written without one, keeps its digits.
func CanonicalNumber(literal string) string {
	if isShortInteger(literal) {
		return literal
	}
	rounded := RoundedNumber(literal)
	d, ok := parseDecimal(literal)
	switch {
	case !ok:
		return rounded // hexadecimal floats
	case d.digits == "":
		return "0"
	case d.whole:
		return d.plain()
	}
	// A number that float64 rounds to zero is zero for the API server.
	if r, _ := parseDecimal(rounded); r.equal(d) || r.digits == "" {
		return rounded
	}
	return d.text()
}

// RoundedNumber returns the literal of a number after the conversion to the float64 of the API's Go types. Two
// printers write it: encoding/json writes integers below 1e21 with all their digits. The YAML encoder writes those
// that fit 64 bits, signed or not, as integers, and everything else with the fewest digits: from 1e+21 on, and from
// 1e-05 down, with an exponent.
func RoundedNumber(literal string) string {
	if isShortInteger(literal) {
		return literal
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		// Not a float64, so not a value of a CRD: nothing better than the literal can be written.
		return literal
	}
	if -1e21 < f && f < 1e21 {
		text := strconv.FormatFloat(f, 'f', -1, 64)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return strconv.FormatUint(n, 10)
		}
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// CompareNumbers returns -1, 0 or +1 as the value of the literal a is below, equal to or above that of b.
func CompareNumbers(a, b string) int {
	if x, ok := parseDecimal(a); ok {
		if y, ok := parseDecimal(b); ok {
			return x.rat().Cmp(y.rat())
		}
	}
	return strings.Compare(a, b)
}

// IsWholeNumber reports whether the value of a literal is an integer.
func IsWholeNumber(literal string) bool {
	d, ok := parseDecimal(literal)
	return ok && d.exp >= 0
}

// isShortInteger reports whether a literal is an integer that every reader parses exactly and prints unchanged.
func isShortInteger(literal string) bool {
	digits := strings.TrimPrefix(literal, "-")
	return digits != "" && len(digits) <= exactDigits && (digits[0] != '0' || literal == "0") && isDigits(digits)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// A decimal is the number digits × 10^exp. The digits neither begin nor end with a zero; those of zero are "".
type decimal struct {
	negative bool
	digits   string
	exp      int
	// whole reports that the literal has no point and no exponent.
	whole bool
}

// maxExponent bounds the powers of ten in computations: no number of a CRD comes near it.
const maxExponent = 2000

func parseDecimal(literal string) (d decimal, ok bool) {
	digits, negative := strings.CutPrefix(literal, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	d = decimal{negative: negative, whole: isDigits(digits)}
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		exp, err := strconv.Atoi(digits[i+1:])
		if err != nil || exp < -maxExponent || exp > maxExponent {
			return decimal{}, false
		}
		d.exp, digits = exp, digits[:i]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	d.exp -= len(fraction)
	digits = whole + fraction
	if !isDigits(digits) {
		return decimal{}, false
	}
	d.digits = strings.TrimLeft(digits, "0")
	if d.digits == "" {
		return decimal{whole: d.whole}, true
	}
	trimmed := strings.TrimRight(d.digits, "0")
	d.exp += len(d.digits) - len(trimmed)
	d.digits = trimmed
	return d, true
}

func (d decimal) equal(e decimal) bool {
	return d.negative == e.negative && d.digits == e.digits && d.exp == e.exp
}

func (d decimal) sign() string {
	if d.negative {
		return "-"
	}
	return ""
}

// plain writes an integer in digits.
func (d decimal) plain() string {
	return d.sign() + d.digits + strings.Repeat("0", d.exp)
}

// text writes any number: with digits only if there are few, otherwise with an exponent.
func (d decimal) text() string {
	point := len(d.digits) + d.exp // the position of the point, counted from the first digit
	switch {
	case d.exp >= 0 && point <= plainDigits:
		return d.plain()
	case d.exp < 0 && point > 0:
		return d.sign() + d.digits[:point] + "." + d.digits[point:]
	case d.exp < 0 && point > -4:
		return d.sign() + "0." + strings.Repeat("0", -point) + d.digits
	}
	out := d.sign() + d.digits[:1]
	if len(d.digits) > 1 {
		out += "." + d.digits[1:]
	}
	exp := strconv.Itoa(point - 1)
	if point > 0 {
		exp = "+" + exp
	}
	if len(exp) == 2 {
		exp = exp[:1] + "0" + exp[1:] // as strconv does
	}
	return out + "e" + exp
}

func (d decimal) rat() *big.Rat {
	r, _ := new(big.Rat).SetString(d.sign() + cmp.Or(d.digits, "0") + "e" + strconv.Itoa(d.exp)) // always a number
	return r
}
