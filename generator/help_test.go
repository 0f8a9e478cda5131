package generator_test

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/generator/diag"
)

// The forms of a help that a reader can follow literally. A help joins alternatives by ", or ".
var (
	// The text replaces what is underlined.
	didYouMean = regexp.MustCompile(`^did you mean "?([^"? ]+)"?\?$`)
	// The text replaces what is underlined; a marker replaces the whole marker, and a tag the field's.
	write = regexp.MustCompile("^(?:write|use|for example) (\\+.*|\"[^\"]*\"|`[^`]*`|[^ ]+)$")
	// So does an example that the sentence gives.
	suchAs = regexp.MustCompile(`^(?:write|use) [a-z][^+"]*, such as ([^ ]+)$`)
	quote  = regexp.MustCompile(`^(?:put|write) it in quotes: (".*")$`)
	// What is underlined goes, with its key or value, and with the whole marker if nothing else is in it.
	remove = regexp.MustCompile(`^remove (it|the marker)(?:$|[:,])`)
	// The marker is written above the line.
	add = regexp.MustCompile(`^add (?:// )?(\+[^ ]*)(?: (?:to|above)\b.*)?$`)
	// The argument is added to the marker.
	addArgument = regexp.MustCompile(`^add (\w+=[^ ]+) to the marker$`)
	// The text replaces the whole rule.
	changeRule   = regexp.MustCompile(`(?s)^change the rule to (.*)$`)
	ruleArgument = regexp.MustCompile("[:,]rule=(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")
	// The option is added to the field's tag.
	addOption = regexp.MustCompile(`^add (omitempty|omitzero) to (?:the|its) (?:json )?tag`)

	argumentKey = regexp.MustCompile(`,\w+=$`)

	jsonTag = regexp.MustCompile("json:\"([^\"]*)\"")
)

// A follower does what a help says in a line of Go.
type follower struct {
	path string
	src  string
	// start and end are the offsets of what is underlined, line and lineEnd those of its line, and marker that of the +
	// of its marker, -1 if it is not in one.
	start, end, line, lineEnd, marker int
}

func newFollower(at diag.Span) (*follower, error) {
	data, err := os.ReadFile(at.Source.Path)
	if err != nil {
		return nil, err
	}
	f := &follower{path: at.Source.Path, src: string(data), start: int(at.Start), end: int(at.End), marker: -1}
	f.line = strings.LastIndexByte(f.src[:f.start], '\n') + 1
	f.lineEnd = f.start + strings.IndexByte(f.src[f.start:]+"\n", '\n')
	if i := strings.Index(f.src[f.line:f.lineEnd], "// +"); i >= 0 {
		f.marker = f.line + i + len("// ")
	}
	return f, nil
}

func (f *follower) replaced(start, end int, by string) string {
	return f.src[:start] + by + f.src[end:]
}

// follow returns the source after one alternative of a help, and false for one that leaves a choice.
func (f *follower) follow(help string) (string, bool) {
	if m := didYouMean.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.end, strings.TrimPrefix(m[1], "+")), true
	}
	if m := quote.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.end, m[1]), true
	}
	if m := suchAs.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.end, m[1]), true
	}
	if m := write.FindStringSubmatch(help); m != nil {
		return f.write(m[1])
	}
	if m := remove.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		return f.remove(m[1] == "the marker"), true
	}
	if m := addOption.FindStringSubmatch(help); m != nil {
		if tag := jsonTag.FindStringSubmatchIndex(f.src[f.line:f.lineEnd]); tag != nil {
			return f.replaced(f.line+tag[3], f.line+tag[3], ","+m[1]), true
		}
	}
	if m := changeRule.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		rule := ruleArgument.FindStringSubmatchIndex(f.src[f.marker:f.lineEnd])
		if rule == nil {
			return "", false
		}
		return f.replaced(f.marker+rule[2], f.marker+rule[3], strconv.Quote(m[1])), true
	}
	if m := addArgument.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		return f.replaced(f.lineEnd, f.lineEnd, ","+m[1]), true
	}
	if m := add.FindStringSubmatch(help); m != nil {
		if strings.Contains(help, "above the package clause") {
			i := strings.Index(f.src, "package ")
			return f.replaced(i, i, "// "+m[1]+"\n"), true
		}
		rest := f.src[f.line:]
		indent := rest[:len(rest)-len(strings.TrimLeft(rest, "\t "))]
		return f.replaced(f.line, f.line, indent+"// "+m[1]+"\n"), true
	}
	return "", false
}

func (f *follower) write(text string) (string, bool) {
	switch text[0] {
	case '+':
		if f.marker < 0 {
			return "", false
		}
		return f.replaced(f.marker, f.lineEnd, text), true
	case '`':
		start, end := strings.IndexByte(f.src[f.line:f.lineEnd], '`'), strings.LastIndexByte(f.src[f.line:f.lineEnd], '`')
		if start < 0 {
			return f.replaced(f.lineEnd, f.lineEnd, " "+text), true
		}
		return f.replaced(f.line+start, f.line+end+1, text), true
	}
	return f.replaced(f.start, f.end, text), true
}

// remove leaves out the marker, if what is underlined is its name or its whole value, or else the argument, item or key
// with its value.
func (f *follower) remove(whole bool) string {
	start, end := f.start, f.end
	if rest := f.src[end:f.lineEnd]; strings.HasPrefix(rest, ":") && strings.ContainsAny(f.src[f.marker:start], "{[") || strings.HasPrefix(rest, "=") {
		end += valueEnd(rest)
	}
	before := f.src[f.marker+1 : max(start, f.marker+1)]
	if whole || before == "" || end == f.lineEnd && strings.HasSuffix(before, "=") && !strings.ContainsAny(before, ",{(") {
		return f.replaced(f.line, f.lineEnd+1, "")
	}
	if key := argumentKey.FindStringIndex(before); key != nil {
		before = before[:key[0]+1]
		start = f.marker + 1 + len(before)
	}
	before = strings.TrimRight(before, " ")
	switch rest := strings.TrimLeft(f.src[end:f.lineEnd], " "); {
	case rest != "" && strings.ContainsRune(",;", rune(rest[0])):
		end = f.lineEnd - len(strings.TrimLeft(rest[1:], " "))
	case before != "" && strings.ContainsRune(",;", rune(before[len(before)-1])):
		start = f.marker + 1 + len(before) - 1
	}
	return f.replaced(start, end, "")
}

// valueEnd is the length of the value of a key, with what is before it.
func valueEnd(text string) int {
	depth := 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("{[(", r):
			depth++
		case strings.ContainsRune("}])", r):
			depth--
		}
		if depth < 0 || depth == 0 && i > 0 && strings.ContainsRune(",;", r) {
			return i
		}
	}
	return len(text)
}

// found counts findings by their check and message.
func found(list []diag.Diagnostic) map[string]int {
	out := map[string]int{}
	for i := range list {
		out[list[i].Check+": "+list[i].Message]++
	}
	return out
}

// An exception is a help that cannot be followed literally in a case, and why.
type exception struct {
	cases string // a pattern of path.Match for the cases' names, "" for all
	check string
	help  string // how the help begins
	why   string
}

// exceptions are all of them: a row that nothing needs is an error.
var exceptions = []exception{
	{"constants/declared", "enum-constants", `did you mean "Always"?`, "the enum still lacks other constants, which " +
		"is another finding"},
	{"declarative/job_spec", "metadata-pruned", "add +crdproof:embeddedObjectMeta", "the CRD grows, so the finding " +
		"about its size has other numbers"},
	{"habits/digits", "enum-type", `write "14";"15";"16"`, "the defaults of the case are validated once the enum is"},
	{"kinds/no_group_markers", "group-missing", "add +groupName=example.com", "the CRD is then written, which is " +
		"another finding under crd:unproved"},
	{"kinds/core_group", "group-missing", "add +groupName=example.com above", "the package has an empty one, which " +
		"must be replaced"},
	{"proof/cel_cost_places", "cel-absent", "change the rule to", "the guard has a cost, so the cost of the rule is " +
		"another one"},
	{"proof/cel_undefined_field", "cel-compile", `did you mean "name"?`, "the rule compiles then, and may read an " +
		"absent field"},
	{"markers/list_type", "list-map-keys", "add +listType=map", "the field sets +listType=atomic, which takes " +
		"precedence over its type"},
	{"declarative/mistake_grammar", "marker-payload", "for example +k8s:subfield(name)=+k8s:maxLength=63", "the struct of the case has no field name"},
	{"junctors/no_validation", "marker-missing", "for example +crdproof:oneOf={required: {command}}", "the example is for a struct, the field of the case is an integer"},
	{"mistakes/in_generic_twice", "marker-unknown", "did you mean +kubebuilder:validation:MaxLength?", "the field has an integer type in one of its uses"},
	{"mistakes/several", "marker-unknown", "did you mean +kubebuilder:validation:MinLength?", "the field of the case " +
		"is not a string"},
}

func (e exception) fits(c *testCase, d *diag.Diagnostic, help string) bool {
	ok := e.cases == ""
	if !ok {
		ok, _ = path.Match(e.cases, c.name)
	}
	return ok && e.check == d.Check && strings.HasPrefix(help, e.help)
}

// TestHelp does what each help of each case says, if it shows what to write: the finding must be gone then, and no
// other have come.
func TestHelp(t *testing.T) {
	cases := readCases(t)
	root := t.TempDir()
	writeCases(t, root, cases)
	followed, left := 0, map[string]int{}
	used := make([]bool, len(exceptions))
	for _, c := range cases {
		if c.header["known"] != "" || testing.Short() && path.Dir(c.name) != "habits" {
			continue
		}
		opts := c.options(t)
		listing := c.list(t)
		first := c.generate(t, listing, opts).Diagnostics
		before := found(first)
		for i := range first {
			d := &first[i]
			at := d.Span
			if d.HelpText == "" || !at.IsValid() || filepath.Ext(at.Source.Path) != ".go" || !strings.HasPrefix(at.Source.Path, c.dir) {
				continue
			}
			f, err := newFollower(at)
			if err != nil {
				t.Fatal(err)
			}
			any := false
			for help := range strings.SplitSeq(d.HelpText, ", or ") {
				changed, ok := f.follow(help)
				if !ok {
					continue
				}
				any = true
				writeFile(t, f.path, []byte(changed))
				wrong := compareFound(d, before, found(c.generate(t, listing, opts).Diagnostics))
				writeFile(t, f.path, []byte(f.src))
				if wrong == "" {
					continue
				}
				if i := slices.IndexFunc(exceptions, func(e exception) bool { return e.fits(c, d, help) }); i >= 0 {
					used[i] = true
					continue
				}
				t.Errorf("%s: %s: %s\nhelp: %s\nturns %s%s", c.name, d.Check, d.Message, help, changedLine(f.src, changed), wrong)
			}
			if any {
				followed++
			} else {
				left[d.HelpText]++
			}
		}
	}
	for i, e := range exceptions {
		if !used[i] && !testing.Short() {
			t.Errorf("nothing needs the exception %v", e)
		}
	}
	t.Logf("%d helps were followed; these leave a choice:", followed)
	for _, h := range slices.Sorted(maps.Keys(left)) {
		t.Logf("%d %s", left[h], h)
	}
}

// changedLine shows the first line that differs, before and after.
func changedLine(before, after string) string {
	b, a := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return b[i] + "into  " + a[i]
		}
	}
	return "nothing\n"
}

// compareFound says what is wrong with the findings after a help was followed, "" if nothing is.
func compareFound(d *diag.Diagnostic, before, after map[string]int) string {
	var wrong []string
	if key := d.Check + ": " + d.Message; after[key] >= before[key] {
		wrong = append(wrong, "it is still there")
	}
	for _, k := range slices.Sorted(maps.Keys(after)) {
		if after[k] > before[k] {
			wrong = append(wrong, "new: "+k)
		}
	}
	return strings.Join(wrong, "\n")
}
