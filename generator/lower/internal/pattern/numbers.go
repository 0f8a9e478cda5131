package pattern

import (
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/internal/gojson"
)

// Patterns of JSON literals in a string.
const (
	QuotedNumber = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE](\+?([0-9]{1,2}|[12][0-9]{2}|30[0-8])|-[0-9]{1,3}))?$`
	QuotedString = `^"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$`
	QuotedBool   = `^(true|false)$`
)

// Decimals returns a pattern of exactly the integers of a range, as Go writes them.
func Decimals(r *gojson.Range) string {
	positive := strings.Join(upTo(uint64Text(r.Max)), "|")
	if r.Min == 0 {
		return "^(0|" + positive + ")$"
	}
	// The least value is one further from 0 than the greatest.
	least := uint64Text(r.Max + 1)
	return "^(0|-?(" + positive + ")|-" + least + ")$"
}

// upTo returns patterns which together match the positive integers up to a number without leading zeros: those with
// fewer digits, and for each digit those that are the same so far and smaller there.
func upTo(max string) []string {
	var out []string
	if n := len(max) - 1; n > 0 {
		out = append(out, "[1-9]"+digits(n-1, true))
	}
	for i := range len(max) {
		first := byte('0')
		if i == 0 {
			first = '1'
		}
		if max[i] > first {
			out = append(out, max[:i]+class(first, max[i]-1)+digits(len(max)-i-1, false))
		}
	}
	return append(out, max)
}

// class returns one digit in a range.
func class(first, last byte) string {
	if first == last {
		return string(first)
	}
	return "[" + string(first) + "-" + string(last) + "]"
}

// digits matches so many digits, or up to so many.
func digits(n int, fewer bool) string {
	switch {
	case n == 0:
		return ""
	case fewer:
		return "[0-9]{0," + strconv.Itoa(n) + "}"
	case n == 1:
		return "[0-9]"
	}
	return "[0-9]{" + strconv.Itoa(n) + "}"
}

func uint64Text(n uint64) string { return strconv.FormatUint(n, 10) }

// Between returns patterns that match the integers of a range, without leading zeros: each integer matches one of
// them.
func Between(least, greatest int64) []string {
	var out []string
	for first := int64(1); first <= greatest || first == 1; first *= 10 {
		low, high := max(least, first), min(greatest, 10*first-1)
		if first == 1 {
			low = max(least, 0)
		}
		if low <= high {
			out = append(out, sameLength(strconv.FormatInt(low, 10), strconv.FormatInt(high, 10))...)
		}
	}
	return out
}

// sameLength returns patterns of the numbers of a range whose ends have as many digits.
func sameLength(low, high string) []string {
	if low == "" {
		return []string{""}
	}
	behind := func(digit byte, rest []string) []string {
		for i := range rest {
			rest[i] = string(digit) + rest[i]
		}
		return rest
	}
	first, last, rest := low[0], high[0], len(low)-1
	if first == last {
		return behind(first, sameLength(low[1:], high[1:]))
	}
	zeros, nines := strings.Repeat("0", rest), strings.Repeat("9", rest)
	var below, above []string
	if low[1:] != zeros {
		below = behind(first, sameLength(low[1:], nines))
		first++
	}
	if high[1:] != nines {
		above = behind(last, sameLength(zeros, high[1:]))
		last--
	}
	if first <= last {
		below = append(below, class(first, last)+digits(rest, false))
	}
	return append(below, above...)
}
