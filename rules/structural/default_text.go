package structural

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crdproof/crdproof/schema"
)

// A textForm is a type of Go whose values are text in JSON, recognized by its origin, a part of its pattern or its
// format.
type textForm struct {
	// pattern is a part of the pattern, format the format; one of the three is enough.
	pattern, format string
	origin          schema.Origin
	// called names the form in a message, example is a value of it.
	called, example string
	// meant suggests what was meant by a text.
	meant func(text string) []string
}

func textForms() []textForm {
	return []textForm{
		{pattern: `(ns|us|µs|μs|ms|s|m|h)`, origin: schema.Duration, called: "a Go duration", example: "1h30m",
			meant: meantDuration},
		{pattern: `[KMGTPE]i`, called: "a Kubernetes quantity", example: "10Gi", meant: meantQuantity},
		{origin: schema.MicroTime, called: "an RFC 3339 time with six digits after the seconds",
			example: "2024-01-31T12:00:00.000000Z", meant: meantTime},
		{format: "date-time", called: "an RFC 3339 time", example: "2024-01-31T12:00:00Z", meant: meantTime},
	}
}

// textForm returns the form of the text that the error is about, nil if the error is about something else.
func (b *badDefault) textForm() *textForm {
	s, v := b.schemaInside(), b.valueInside()
	isForm := b.isTypeError() || strings.Contains(b.err.Detail, "should match")
	if !isForm || s == nil || v == nil || s.Type.V != "" && s.Type.V != "string" ||
		v.Kind != schema.String && v.Kind != schema.NumberKind {
		return nil
	}
	return textFormOf(s)
}

// textFormOf returns the form of the texts of a schema, nil for other texts.
func textFormOf(s *schema.Schema) *textForm {
	for _, form := range textForms() {
		if form.pattern != "" && strings.Contains(s.Pattern.V, form.pattern) ||
			form.format != "" && s.Format.V == form.format ||
			form.origin != schema.NoOrigin && s.Origin == form.origin {
			return &form
		}
	}
	return nil
}

// explainText explains a text that does not have the form of its type. The pattern, which is not the user's, is not
// shown.
func explainText(subject string, s *schema.Schema, v *schema.Value, form *textForm) (message, help string) {
	message = subject + " is not " + form.called
	if m := days.FindStringSubmatch(v.Text); m != nil && form.example == "1h30m" {
		message += ": Go durations have no " + map[string]string{"d": "days", "w": "weeks"}[strings.ToLower(m[1])[:1]]
	}
	var list []string
	for _, text := range form.meant(v.Written()) {
		if ok, err := regexp.MatchString(s.Pattern.V, text); err == nil && ok &&
			s.Origin.Decodes(&schema.Value{Kind: schema.String, Text: text}) {
			list = append(list, "write "+strconv.Quote(text))
		}
	}
	if form.format != "" && len(list) > 1 {
		list = list[:1] // both are the same time
	}
	if len(list) == 0 {
		list = []string{"write " + form.called + ", such as " + strconv.Quote(form.example)}
	}
	return message, strings.Join(list, ", or ")
}

var (
	days    = regexp.MustCompile(`(?i)[0-9]\s*(d|days?|w|weeks?)(?:[^a-z]|$)`)
	amounts = regexp.MustCompile(`(?i)^([0-9]+(?:\.[0-9]+)?)\s*([a-zµμ]*)[\s,]*`)
)

// units are those of durations, with how many of a unit of Go they are.
var units = map[string]struct {
	in    string
	times float64
}{
	"": {"s", 1}, "ns": {"ns", 1}, "us": {"us", 1}, "µs": {"us", 1}, "ms": {"ms", 1},
	"s": {"s", 1}, "sec": {"s", 1}, "secs": {"s", 1}, "second": {"s", 1}, "seconds": {"s", 1},
	"m": {"m", 1}, "min": {"m", 1}, "mins": {"m", 1}, "minute": {"m", 1}, "minutes": {"m", 1},
	"h": {"h", 1}, "hr": {"h", 1}, "hrs": {"h", 1}, "hour": {"h", 1}, "hours": {"h", 1},
	"d": {"h", 24}, "day": {"h", 24}, "days": {"h", 24},
	"w": {"h", 168}, "week": {"h", 168}, "weeks": {"h", 168},
}

// meantDuration writes days, weeks, spaces, words and numbers without a unit as Go does.
func meantDuration(text string) []string {
	rest, sums := strings.TrimSpace(text), map[string]float64{}
	for rest != "" {
		m := amounts.FindStringSubmatch(rest)
		if m == nil {
			return nil
		}
		unit, ok := units[strings.ToLower(m[2])]
		n, err := strconv.ParseFloat(m[1], 64)
		if !ok || err != nil {
			return nil
		}
		sums[unit.in] += n * unit.times
		rest = rest[len(m[0]):]
	}
	out := ""
	for _, unit := range []string{"h", "m", "s", "ms", "us", "ns"} {
		if n, ok := sums[unit]; ok {
			out += strconv.FormatFloat(n, 'f', -1, 64) + unit
		}
	}
	return []string{out}
}

var (
	sized    = regexp.MustCompile(`^([+-]?[0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)$`)
	prefixes = []string{"K", "M", "G", "T", "P", "E"}
)

// meantQuantity writes units of bytes as quantities: in powers of 1000 and, as they are often meant, of 1024.
func meantQuantity(text string) []string {
	m := sized.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return nil
	}
	unit := strings.ToUpper(m[2])
	if slices.Contains([]string{"", "B", "BYTE", "BYTES"}, unit) {
		return []string{m[1]}
	}
	prefix := unit[:1]
	if !slices.Contains(prefixes, prefix) {
		return nil
	}
	decimal := prefix
	if prefix == "K" {
		decimal = "k"
	}
	switch unit[1:] {
	case "I", "IB":
		return []string{m[1] + prefix + "i"}
	case "", "B":
		return []string{m[1] + decimal, m[1] + prefix + "i"}
	}
	return nil
}

// meantTime adds what a date or a time without a zone lacks.
func meantTime(text string) []string {
	for _, layout := range []string{
		"2006-01-02", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
		"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04Z07:00", time.RFC3339, time.RFC1123, time.RFC1123Z,
	} {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return []string{at.Format(time.RFC3339), at.Format("2006-01-02T15:04:05.000000Z07:00")}
		}
	}
	return nil
}
