package lower

import (
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// maxPercent is the greatest percentage that a bound may be.
const maxPercent = 1_000_000

// setPercent makes the string that a value can be a percentage. Its range is a pattern, which costs nothing.
func (ap applier) setPercent(n *node, m *markers.Marker, _ target) {
	limits := [2]int64{0, 100}
	at := [2]*markers.Value{m.Arg("minimum"), m.Arg("maximum")}
	for i, v := range at {
		if v == nil {
			at[i] = &markers.Value{}
			continue
		}
		if limits[i], _ = v.Int64(); limits[i] < 0 || limits[i] > maxPercent {
			ap.report(badBound(v, "a percentage from 0 to a million", "a whole number, such as 50"))
			return
		}
	}
	least, greatest := strconv.FormatInt(limits[0], 10), strconv.FormatInt(limits[1], 10)
	if limits[0] > limits[1] {
		ap.report(emptyRange("minimum", least, at[0].At, "maximum", greatest, at[1].At))
		return
	}
	addPattern(&n.s, schema.Text{V: `^(` + strings.Join(between(limits[0], limits[1]), "|") + `)%$`, At: m.At})
}

// between are patterns of which each integer of a range matches one, written without zeros in front.
func between(least, greatest int64) []string {
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

// sameLength are patterns of the numbers of a range whose ends have as many digits.
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
