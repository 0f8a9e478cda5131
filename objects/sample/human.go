package sample

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/crdproof/crdproof/schema"
)

// A reading is what a person meant by a text, in the form that programs read.
type reading struct {
	// what is "duration" or "quantity", units are those that it may have.
	what, units string
	// text is the value in the right form.
	text string
}

// readHuman returns what a person meant by a text that the schema rejects: a duration such as 7d, or a quantity such as
// 10GB. ok is unset if the text is neither, or if the schema rejects the right form, too.
func readHuman(text string, s *schema.Schema) (out reading, ok bool) {
	for _, r := range []reading{
		{"quantity", "k, M, G, T, Ki, Mi, Gi and Ti", quantityOf(text)},
		{"duration", "h, m, s and ms", durationOf(text)},
	} {
		if r.text != "" && r.text != text && acceptsText(s, r.text) {
			return r, true
		}
	}
	return reading{}, false
}

// acceptsText reports whether a schema with a pattern accepts a text.
func acceptsText(s *schema.Schema, text string) bool {
	for _, pattern := range append([]*schema.Schema{s}, s.AllOf...) {
		re, err := regexp.Compile(pattern.Pattern.V)
		if err != nil || !re.MatchString(text) {
			return false
		}
	}
	return s.Origin.Decodes(&schema.Value{Kind: schema.String, Text: text})
}

// humanPart matches a number with a unit, or without one at the end.
var humanPart = regexp.MustCompile(`^\s*([0-9]+(?:[.,][0-9]+)?)\s*([A-Za-zµ]*)\s*(?:,|and)?\s*`)

// durationOf reads a duration as people write it: 7d, 1h30, 5 minutes, 90 sec; "" if it is not one.
func durationOf(text string) string {
	total, smaller := time.Duration(0), ""
	for rest := cmp.Or(text, "?"); rest != ""; {
		m := humanPart.FindStringSubmatch(rest)
		if m == nil {
			return ""
		}
		unit := m[2]
		if unit == "" {
			unit = smaller
		}
		length, next := unitOf(unit)
		number, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
		if err != nil || length == 0 || number*float64(length) > float64(1<<62) {
			return ""
		}
		total += time.Duration(number * float64(length))
		rest, smaller = rest[len(m[0]):], next
	}
	return shortDuration(total)
}

// unitOf returns the length of a unit, and the unit that a number after it without one has.
func unitOf(name string) (length time.Duration, next string) {
	const day = 24 * time.Hour
	for _, u := range []struct {
		length time.Duration
		next   string
		names  []string
	}{
		{7 * day, "d", []string{"w", "wk", "week", "weeks"}},
		{day, "h", []string{"d", "day", "days"}},
		{time.Hour, "m", []string{"h", "hr", "hrs", "hour", "hours"}},
		{time.Minute, "s", []string{"m", "min", "mins", "minute", "minutes"}},
		{time.Second, "ms", []string{"s", "sec", "secs", "second", "seconds"}},
		{time.Millisecond, "", []string{"ms", "msec", "millisecond", "milliseconds", "millis"}},
	} {
		if slices.Contains(u.names, strings.ToLower(name)) {
			return u.length, u.next
		}
	}
	return 0, ""
}

// shortDuration writes a duration as time.Duration does, without parts that are zero.
func shortDuration(d time.Duration) string {
	out := d.String()
	if strings.HasSuffix(out, "m0s") {
		out = strings.TrimSuffix(out, "0s")
	}
	if strings.HasSuffix(out, "h0m") {
		out = strings.TrimSuffix(out, "0m")
	}
	return out
}

// humanQuantity matches a number with a unit of bytes, or with a suffix in the wrong case.
var humanQuantity = regexp.MustCompile(`^\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*([KMGTPE]?)(i?)(?:B|BYTES?)?\s*$`)

// quantityOf reads a quantity as people write it: 10GB, 1,5Gi, 512 mb; "" if it is not one.
func quantityOf(text string) string {
	m := humanQuantity.FindStringSubmatch(strings.ReplaceAll(strings.ToUpper(text), "I", "i"))
	if m == nil {
		return ""
	}
	suffix := m[2] + m[3]
	switch {
	case suffix == "K":
		suffix = "k"
	case suffix == "i":
		return ""
	}
	out := strings.Replace(m[1], ",", ".", 1) + suffix
	if _, err := resource.ParseQuantity(out); err != nil {
		return ""
	}
	return out
}
