package mutate

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// rewrite changes the text of the YAML: what it is written like, or what only YAML can say.
func rewrite(r *rand.Rand, data []byte) (Change, []byte) {
	lines := strings.SplitAfter(string(data), "\n")
	at := r.IntN(len(lines))
	changes := []struct {
		what string
		do   func()
	}{
		{"a key twice", func() { lines[at] += lines[at] }},
		{"a comment", func() { lines[at] = strings.Repeat(" ", r.IntN(9)) + "# comment\n" + lines[at] }},
		{"a document marker before", func() { lines[0] = "---\n" + lines[0] }},
		{"an empty document behind", func() { lines[len(lines)-1] += "---\n" }},
		{"a byte order mark", func() { lines[0] = "\uFEFF" + lines[0] }},
		{"line ends of Windows", func() {
			for i := range lines {
				lines[i] = strings.ReplaceAll(lines[i], "\n", "\r\n")
			}
		}},
		{"a tab", func() { lines[at] = "\t" + lines[at] }},
		{"a line deeper", func() { lines[at] = "  " + lines[at] }},
		{"numbers in hex", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\d+)\n`), func(v string) string { return "0x" + v })
		}},
		{"numbers in octal", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\d+)\n`), func(v string) string { return "0" + v })
		}},
		{"numbers with an underscore", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\d+)\n`), func(v string) string { return v + "_0" })
		}},
		{"numbers with an exponent", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\d+)\n`), func(v string) string { return v + "e0" })
		}},
		{"numbers in quotes", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\d+)\n`), func(v string) string { return `"` + v + `"` })
		}},
		{"a yes", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (true|false)\n`), func(string) string {
				return pick(r, "yes", "on", "off", "y",
					"True", "TRUE", "\"true\"")
			})
		}},
		{"a null", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\w+)\n`),
				func(string) string { return pick(r, "~", "null", "Null", "") })
		}},
		{"a tag", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\w+)\n`), func(v string) string {
				return pick(r, "!!str ", "!!int ", "!!binary ",
					"!a ") + v
			})
		}},
		{"a quoted word", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (\w+)\n`), func(v string) string {
				return pick(r, "'", `"`) + v + pick(r, "'",
					`"`)
			})
		}},
		{"a number for a word", func() {
			replaceValue(lines, r, regexp.MustCompile(`: ([a-z]+)\n`), func(string) string {
				return pick(r, ".inf", ".nan", "-.inf", "1e3", "2024-01-01", "1:30", "0b11", "0o17", "=", "<<")
			})
		}},
		{"a key that is no string", func() {
			replaceValue(lines, r, regexp.MustCompile(`^ *(\w+):`), func(string) string {
				return pick(r, "1", "true", "null", "1.5", "yes",
					"0x10", "? a", "2024-01-01")
			})
		}},
		{"an alias", func() {
			replaceValue(lines, r, regexp.MustCompile(`: (string)\n`), func(v string) string { return "&a " + v })
			replaceValue(lines, r, regexp.MustCompile(`: (string)\n`), func(string) string { return "*a" })
		}},
	}
	c := changes[r.IntN(len(changes))]
	c.do()
	return Change{Operator: "text", Path: "line " + strings.TrimSpace(lines[at]), What: c.what},
		[]byte(strings.Join(lines, ""))
}

// replaceValue changes the first group of a pattern in one of the lines that match.
func replaceValue(lines []string, r *rand.Rand, pattern *regexp.Regexp, change func(string) string) {
	var matching []int
	for i, line := range lines {
		if pattern.MatchString(line) {
			matching = append(matching, i)
		}
	}
	if len(matching) == 0 {
		return
	}
	i := matching[r.IntN(len(matching))]
	at := pattern.FindStringSubmatchIndex(lines[i])
	lines[i] = lines[i][:at[2]] + change(lines[i][at[2]:at[3]]) + lines[i][at[3]:]
}
