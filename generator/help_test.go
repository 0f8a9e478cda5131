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

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/edit"
	"github.com/crdproof/crdproof/internal/followtest"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/difftest"
)

// The forms of a help that a reader can follow literally. A help joins alternatives by ", or ".
var (
	// The text replaces what is underlined, and a marker with its arguments the whole marker.
	didYouMean = regexp.MustCompile(`^did you mean (?:"?([^"? ]+)"?|(\+.*))\?$`)
	// The text replaces what is underlined; a marker replaces the whole marker, and a tag the field's.
	replacing = regexp.MustCompile("^(?:write|use|for example|omit it with) (\\+.*|\"[^\"]*\"|{.*}|`[^`]*`|[^ ]+)$")
	// So does an example that the sentence gives.
	suchAs = regexp.MustCompile(`^(?:write|use) [a-z][^+"]*, such as ([^ ]+)$`)
	quote  = regexp.MustCompile(`^(?:put|write) it in quotes: (".*")$`)
	// What is underlined goes, with its key or value, and with the whole marker if nothing else is in it.
	remove = regexp.MustCompile(`^remove (it|the marker)(?:$|[:,])`)
	// So does what is underlined, with its equals sign or colon, if the help repeats it.
	removeText = regexp.MustCompile(`^remove (?:"(.*)"|(\w+=[^ ]+))(?: to apply .*)?$`)
	// The tag replaces the field's, and the marker is written above the line.
	tagAndMarker = regexp.MustCompile("^write (`[^`]*`) and add (\\+\\w+) to the field(?:$|:)")
	// The marker is written above the line.
	add = regexp.MustCompile(`^add (?:// )?(\+[^ ]*)(?: (?:to|above)\b.*)?$`)
	// So are several markers.
	addAll = regexp.MustCompile(`^(?:[\w ]+: )?add (\+[^ ]+(?:, \+[^ ]+)* and \+[^ ]+) to the field$`)
	// The values are added to the enum.
	addValues = regexp.MustCompile(`^add ((?:"[^"]*"|\d+)(?:, (?:"[^"]*"|\d+))*) to the marker$`)
	// The marker's own line gets it, and the line below what came after it.
	ownLine = regexp.MustCompile(`^put (\+[^ ]+) on its own line$`)
	// The bounds are written above fields or types, and take the place of those that are there.
	setBounds = regexp.MustCompile(`^set (\+.*); the cost drops to`)
	bound     = regexp.MustCompile(`(\+[^ ]+=)(\d+) on (?:the type )?(\w+)` +
		`( instead of \d+)?( \(at most [\d,]+\))?(?:, | and |$)`)
	// The declarations are embedded, imported or declared.
	embed   = regexp.MustCompile("^embed ([\\w.]+) (?:with )?(`[^`]*`)$")
	imports = regexp.MustCompile(`^import (\w+ "[^"]*")$`)
	pointer = regexp.MustCompile(`^use a pointer: (\w+ \*.*)$`)
	alias   = regexp.MustCompile(`^make it an alias: (type \w+ = [\w.]+)$`)
	// The line replaces the block comment.
	lineComment = regexp.MustCompile(`^write it as a line comment: (// \+.*)$`)
	// The line replaces what is underlined, and the marker goes to a line below.
	comment  = regexp.MustCompile(`^write (// \+.*)$`)
	moveLine = regexp.MustCompile(`^move (\+.*) to its own line$`)
	// The item is put after the key.
	moveToItems = regexp.MustCompile(`^move it to the items: (items: \{.*\})$`)

	// showsCode finds what a reader would copy: a marker, quoted text, a tag, an argument with its value, an example.
	showsCode = regexp.MustCompile("(?:^|[ (])\\+[a-zA-Z]|[\"`]|\\w+=[^ ]|such as |as in ")
	// The argument is added to the marker.
	addArgument = regexp.MustCompile(`^add (\w+=[^ ]+) to the marker$`)
	// The text replaces the whole rule.
	changeRule   = regexp.MustCompile(`(?s)^change the rule to (.*)$`)
	ruleArgument = regexp.MustCompile("[:,]rule=(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)")
	// The options change the field's tag, and the marker is written above the field.
	addBoth    = regexp.MustCompile(`^add (omitempty|omitzero) to the tag, and (\+required) to keep the field required$`)
	dropOption = regexp.MustCompile(`^(?:remove (omitempty|omitzero) from|replace (omitempty) with (omitzero) in) the tag$`)
	// The option is added to the field's tag.
	addOption = regexp.MustCompile(`^add (omitempty|omitzero) to (?:the|its) (?:json )?tag`)

	argumentKey = regexp.MustCompile(`,\w+=$`)
	memberKey   = regexp.MustCompile(`\w+: *$`)

	// newMarker is one that controller-gen does not read, so that no CRD of a cluster is made with it.
	newMarker = regexp.MustCompile(`^\+(k8s|acme|crdproof|kubebuilder:validation:values):`)

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
		if m[2] != "" {
			return f.write(m[2])
		}
		return f.replaced(f.start, f.end, strings.TrimPrefix(m[1], "+")), true
	}
	if changed, ok := f.followLines(help); ok {
		return changed, true
	}
	if m := quote.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.end, m[1]), true
	}
	if m := suchAs.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.end, m[1]), true
	}
	if m := replacing.FindStringSubmatch(help); m != nil {
		return f.write(m[1])
	}
	if m := remove.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		return f.remove(m[1] == "the marker"), true
	}
	if m := addBoth.FindStringSubmatch(help); m != nil {
		text, ok := f.follow("add " + m[1] + " to the tag")
		return text[:min(f.line, len(text))] + "\t// " + m[2] + "\n" + text[min(f.line, len(text)):], ok
	}
	if m := dropOption.FindStringSubmatch(help); m != nil {
		old, by := ","+m[1]+m[2], ""
		if m[3] != "" {
			by = "," + m[3]
		}
		if i := strings.Index(f.src[f.line:f.lineEnd], old); i >= 0 {
			return f.replaced(f.line+i, f.line+i+len(old), by), true
		}
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

// followLines follows the forms that add or replace whole lines.
func (f *follower) followLines(help string) (string, bool) {
	rest := f.src[f.line:]
	indent := rest[:len(rest)-len(strings.TrimLeft(rest, "\t "))]
	if m := removeText.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		return f.removeText(strings.ReplaceAll(m[1]+m[2], `\"`, `"`))
	}
	if m := tagAndMarker.FindStringSubmatch(help); m != nil {
		changed, _ := f.write(m[1])
		return changed[:f.line] + indent + "// " + m[2] + "\n" + changed[f.line:], true
	}
	if m := addAll.FindStringSubmatch(help); m != nil {
		lines := ""
		for marker := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == ',' || r == ' ' }) {
			if marker != "and" {
				lines += indent + "// " + marker + "\n"
			}
		}
		return f.replaced(f.line, f.line, lines), true
	}
	if m := addValues.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		return f.replaced(f.lineEnd, f.lineEnd, ";"+strings.ReplaceAll(m[1], ", ", ";")), true
	}
	if m := ownLine.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		after := strings.TrimLeft(strings.TrimPrefix(f.src[f.marker:f.lineEnd], m[1]), " #/(-")
		return f.replaced(f.marker, f.lineEnd, m[1]+"\n"+indent+"// "+after), true
	}
	if m := setBounds.FindStringSubmatch(help); m != nil {
		return f.setBounds(m[1])
	}
	if m := embed.FindStringSubmatch(help); m != nil {
		other := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(m[1]) + "\\s+`.*$")
		if at := other.FindStringIndex(f.src[f.line:]); at != nil && at[0] < strings.Index(f.src[f.line:], "\n}") {
			return f.replaced(f.line+at[0], f.line+at[1], "\n\t"+m[1]+" "+m[2]), true
		}
		if i := strings.Index(f.src[f.line:], "{\n"); i >= 0 {
			return f.replaced(f.line+i+2, f.line+i+2, "\t"+m[1]+" "+m[2]+"\n"), true
		}
	}
	if m := imports.FindStringSubmatch(help); m != nil {
		i := strings.Index(f.src, "\npackage ") + 1
		i += strings.IndexByte(f.src[i:], '\n') + 1
		return f.replaced(i, i, "\nimport "+m[1]+"\n"), true
	}
	if m := pointer.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.lineEnd, m[1]), true
	}
	if m := alias.FindStringSubmatch(help); m != nil {
		return f.replaced(f.line, f.lineEnd, m[1]), true
	}
	if m := lineComment.FindStringSubmatch(help); m != nil {
		start := strings.LastIndex(f.src[:f.start], "/*")
		end := strings.Index(f.src[f.start:], "*/")
		if start >= 0 && end >= 0 {
			return f.replaced(start, f.start+end+len("*/"), m[1]+"\n"+indent), true
		}
	}
	if m := comment.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.end, m[1]), true
	}
	if m := moveLine.FindStringSubmatch(help); m != nil {
		return f.replaced(f.start, f.end, "\n"+indent+"// "+m[1]), true
	}
	if m := moveToItems.FindStringSubmatch(help); m != nil && f.marker >= 0 {
		end := f.end + valueEnd(f.src[f.end:f.lineEnd])
		return f.replaced(f.start, end, m[1]), true
	}
	return "", false
}

// removeText leaves out a text of the marker, with the sign that ties it to what follows.
func (f *follower) removeText(text string) (string, bool) {
	i := strings.Index(f.src[f.marker:f.lineEnd], text)
	if i < 0 {
		return "", false
	}
	start, end := f.marker+i, f.marker+i+len(text)
	switch {
	case strings.HasPrefix(f.src[end:], "=+"), strings.HasPrefix(f.src[end:], ":+"), strings.HasSuffix(text, "items"),
		strings.HasPrefix(f.src[end:], ",") && f.src[start-1] == ':':
		end++
	case start > f.marker && f.src[start-1] == ',':
		start--
	}
	return f.replaced(start, end, ""), true
}

// setBounds writes bounds above the declarations of the file that have their names.
func (f *follower) setBounds(list string) (string, bool) {
	src := f.src
	for _, m := range bound.FindAllStringSubmatch(list, -1) {
		declared := regexp.MustCompile(`(?m)^[\t ]*(?:type )?` + m[3] + `\b.*$`)
		place := declared.FindStringIndex(src)
		if place == nil {
			return "", false
		}
		lines := strings.SplitAfter(src[:place[0]], "\n")
		if m[4] != "" {
			for i := len(lines) - 1; i >= 0 && (lines[i] == "" || strings.Contains(lines[i], "//")); i-- {
				if strings.Contains(lines[i], "// "+m[1]) {
					lines[i] = ""
				}
			}
		}
		src = strings.Join(lines, "") + "// " + m[1] + m[2] + "\n" + src[place[0]:]
	}
	return src, src != f.src
}

func (f *follower) write(text string) (string, bool) {
	switch text[0] {
	case '+':
		if f.marker < 0 {
			return "", false
		}
		return f.replaced(f.marker, f.lineEnd, text), true
	case '`':
		start, end := strings.IndexByte(f.src[f.line:f.lineEnd], '`'),
			strings.LastIndexByte(f.src[f.line:f.lineEnd], '`')
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
	if rest := f.src[end:f.lineEnd]; strings.HasPrefix(rest, ":") && strings.ContainsAny(f.src[f.marker:start], "{[") ||
		strings.HasPrefix(rest, "=") {
		end += valueEnd(rest)
	}
	before := f.src[f.marker+1 : max(start, f.marker+1)]
	if whole || before == "" || end == f.lineEnd && strings.HasSuffix(before, "=") &&
		!strings.ContainsAny(before, ",{(") {
		if strings.Trim(f.src[f.line:f.marker], "/ \t") != "" { // after code
			return f.replaced(f.marker-len("// "), f.lineEnd, "")
		}
		return f.replaced(f.line, f.lineEnd+1, "")
	}
	if key := memberKey.FindString(before); key != "" {
		return f.replaced(start-len(key), end, "")
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
	// then is the check whose finding may come; "" allows every finding, and the same one to stay.
	then string
}

// exceptions are all of them: a row that nothing needs is an error.
var exceptions = []exception{
	{"constants/declared", "enum-constants", `did you mean "Always"?`, "the enum still lacks other constants, which " +
		"is another finding", ""},
	{"habits/cost_of_import", "cel-cost", "change the rule to self.all(a, self.exists_one(b, b.__namespace__ ==",
		"the cost then has a limit, with bounds that lower it, and the other finding has the new name", ""},
	{"kinds/no_group_markers", "group-missing", "add +groupName=example.com", "the CRD is then written, which is " +
		"another finding under crd:unproved", ""},
	{"kinds/core_group", "group-missing", "add +groupName=example.com above", "the package has an empty one, which " +
		"must be replaced", ""},
	{"celwords/lists", "cel-compile", "change the rule to self.labels['app.kubernetes.io/name']", "the rule compiles then, " +
		"and reads a key that may be absent", "cel-absent"},
	{"proof/cel_slips", "cel-compile", "change the rule to size(self.list)", "the rule compiles then, and reads a field " +
		"that may be absent", "cel-absent"},
	{"proof/cel_undefined_field", "cel-compile", `did you mean "self.paused"?`, "what is left of the rule is one slip, " +
		"which has another message", "cel-compile"},
	{"proof/cel_cost_places", "cel-absent", "change the rule to", "the guard has a cost, so the cost of the rule is " +
		"another one", ""},
	{"proof/cel_undefined_field", "cel-compile", `did you mean "name"?`, "the rule compiles then, and may read an " +
		"absent field", ""},
	{"proof/cel_metadata", "metadata-pruned", "add +crdproof:embeddedObjectMeta", "the rule compiles then, and may read " +
		"an absent field", "cel-absent"},
	{"markers/list_type", "list-map-keys", "add +listType=map", "the field sets +listType=atomic, which takes " +
		"precedence over its type", ""},
	{"proof/cel_version", "json-null", "add ", "the list is optional then, and a rule reads it", "cel-absent"},
	{"kinds/*", "group-missing", "add +kubebuilder:skip", "the case has no other kind", "kind-none"},
	{"proof/cel_origins", "cel-text", "change the rule to", "parsing a quantity has a cost", "cel-cost-share"},
	{"habits/undefined", "type-undefined", "import corev1",
		"the test lists the packages that the case imports only once", ""},
	{"folding/embedded_lists", "field-hidden", "omit it",
		"the other field is a property then, and is validated, and the marker of the first one goes, too", ""},
	{"shapes/several_names", "field-hidden", "omit it", "the marker goes, too", "marker-stray"},
	{"binding/commented_type", "bound-idle", "remove it", "the marker above it then counts, which has a finding of its own",
		"bound-idle"},
	{"proof/cel_slips", "cel-compile", "change the rule to quantity", "the text may be no quantity, which is found then",
		"cel-runtime"},
	{"celwords/sizes", "cel-compile", "change the rule to self.tags[size", "the list may be empty, which is found then",
		"cel-runtime"},
	{"proof/cel_runtime", "cel-runtime", "change the rule to has(self.list)",
		"another rule fails for another object then", "cel-runtime"},
	{"proof/cel_runtime_guards", "cel-runtime", "change the rule to", "other rules fail for other objects then, or the " +
		"search for them is too long", ""},
	{"habits/near_markers", "marker-unknown", "did you mean +kubebuilder:validation:XValidation:rule?",
		"the rule of the case is true", ""},
	{"habits/near_markers", "marker-unknown", "did you mean +kubebuilder:validation:MinProperties?",
		"a field of the case is required anyway", ""},
	{"mistakes/marker_unknown", "marker-unknown", "did you mean +kubebuilder:validation:MinProperties?",
		"a field of the case is required anyway", ""},
	{"mistakes/markers_on_ignored_field", "marker-unknown", "did you mean", "the field is not part of an object",
		"marker-stray"},
	{"proof/cel_string_escapes", "cel-compile", "did you mean", "the rule of the case compares a field with itself",
		"cel-impossible"},
	{"mistakes/one_of_no_struct", "json-null", "add +nullable",
		"the comparison of CRDs does not know whether the case's rule accepts null", ""},
	{"shapes/recursion_named_list", "type-recursive", "break the cycle: add",
		"the type of the field has markers for arrays", "marker-type"},
	{"folding/enum_outside", "enum-outside", "remove it", "no value of the enum is left", ""},
	{"junctors/proof", "format-unknown", "remove it", "the junctor of the case has no other keyword", "marker-value"},
	{"mistakes/marker_lost_prefix", "marker-unknown", "did you mean +kubebuilder:validation:Schemaless?",
		"the schema lacks a type then", "type-missing"},
}

func (e exception) fits(c *testCase, d *diag.Diagnostic, help, wrong string) bool {
	if e.then != "" {
		for line := range strings.SplitSeq(wrong, "\n") {
			if !strings.HasPrefix(line, "new: "+e.then+": ") {
				return false
			}
		}
	}
	ok := e.cases == ""
	if !ok {
		ok, _ = path.Match(e.cases, c.name)
	}
	return ok && e.check == d.Check && strings.HasPrefix(help, e.help)
}

// A choice is a help that shows code but leaves to the reader what to write, or where, and why.
type choice struct {
	check string
	help  string // how the alternative of the help begins
	why   string
}

func (c choice) fits(d *diag.Diagnostic, help string) bool {
	return c.check == d.Check && strings.HasPrefix(help, c.help)
}

// choices are all of them: a row that nothing needs is an error.
var choices = []choice{
	{"cel-absent", "change the rule to", "a rule in indented lines has several lines to change"},
	{"marker-unknown", "give +", "the reader knows the value"},
	{"marker-syntax", `["name"] for a field`, "the reader knows which of the three is meant"},
	{"marker-missing", "name it, such as", "the rule gets a name, and another place the use of it"},
	{"marker-missing", "write the CEL in indented lines", "the CEL is an example"},
	{"tag-unstable", "run with crd:declarative=all", "the option is one of the command line"},
	{"group-invalid", "change it to a DNS name", "the user knows the group"},
	{"rule-twice", "use the other one", "the reader knows which rule is meant"},
	{"rule-unknown", "declare it", "the reader knows the rule and its place"},
	{"rule-unused", "use it on a type", "the reader knows what the rule is for"},
	{"default-invalid", "use one of", "the reader knows the value"},
	{"enum-empty", "give the constants the type", "the constants are in another declaration than the finding"},
	{"enum-constants", "list all constants with", "the marker of the case's enum and the type's are both to change"},
	{"type-conflict", "list the JSON values", "the reader knows the JSON values"},
	{"format-unknown", "set Max", "the reader knows the limits"},
	{"enum-empty", "declare one, such as", "the value is an example"},
	{"marker-type", "list the values with", "the reader knows the values"},
	{"enum-unknown", "list the values of", "the reader knows the values"},
	{"tag-unenforced", "if you need it here", "the rule depends on the tag"},
	{"tag-inexpressible", "write a rule with", "the rule depends on the tag"},
	{"type-float", "run with crd:", "it is an option of the command line"},
	{"cel-version", "drop older versions", "it is an option of the command line"},
	{"ignore", "write the CRD anyway", "it is an option of the command line"},
	{"marker-field", "state the type of the field", "the reader knows the JSON type"},
	{"marker-step", "after +k8s:subfield", "the reader knows the field"},
	{"marker-step", "use items: or", "one of two forms fits"},
	{"marker-step", "write a rule with", "the rule depends on the marker"},
	{"tag-uncorrelated", "put the marker on a single value", "the reader knows which value"},
	{"tag-unique", "add +k8s:listMapKey", "there are several keys"},
	{"tag-update", "put NoModify on", "the elements' marker depends on the list"},
	{"tag-update", "set the list type", "the reader knows the keys"},
	{"union-member", "put +k8s:unionMember", "the reader knows the members"},
	{"union-unread", "put +k8s:unionMember", "the reader knows the members"},
	{"marker-target", "put the marker on a field", "the reader knows the field"},
	{"cel-old-self", "make it a list of type map", "the reader knows the key"},
	{"marker-type", "write a rule with", "the rule depends on the marker"},
	{"type-precision", "use int64 with", "another Go type, and the code that uses it"},
	{"type-map-key", "a list with", "another Go type, and the code that uses it"},
	{"type-marshaler", "state its JSON type", "the reader knows what MarshalJSON writes"},
	{"scale-path", "write a path", "the path is an example"},
	{"enum-null", "replace the enum", "two markers become one"},
	{"json-null", "check the values with", "two markers become one"},
	{"marker-value", "write keywords", "the reader knows the keywords"},
	{"marker-value", "write the items", "the reader knows the items"},
	{"marker-value", "write the names", "the reader knows the fields"},
	{"root-keyword", "move it to a field", "the reader knows the field"},
	{"nested-keyword", "remove the keyword, and put", "the field's own line changes too"},
	{"nested-keyword", "write a rule", "the rule is an example"},
	{"kind-doubtful", "put +kubebuilder:object:root=true", "the reader knows which type is the kind"},
	{"cel-field-path", "name a field below", "the reader knows the field"},
	{"cel-cost-message", "format numbers as in", "the expression is an example"},
	{"version-duplicate", "set +versionName", "one of two packages changes"},
	{"version-duplicate", "skip it with", "one of two packages changes"},
	{"version-served", "remove +kubebuilder", "one of several versions changes"},
	{"version-storage", "keep +kubebuilder", "one of several versions changes"},
	{"marker-value", "limit the whole name", "the marker is for another place"},
	{"crd-budget", "describe less", "the reader knows the part"},
	{"cel-cost", "set +kubebuilder:validation:MaxItems=150 on a new type", "the types are new"},
	{"cel-cost-total", "set +", "the field is in another file of the case"},
	{"cel-hidden", "set the type", "the reader knows the JSON type"},
	{"cel-compile", "run with crd:", "it is an option of the command line"},
	{"cel-compile", "describe the embedded metadata", "the marker is for another field"},
	{"type-unsupported", "add +kubebuilder:validation:Schemaless", "the reader knows the fields of the type"},
	{"marker-unknown", "write one +kubebuilder:validation:AtLeastOneOf", "one marker replaces several"},
	{"cel-compile", "format the number", "a part of the expression changes"},
	{"cel-compile", "use a duration", "the string is an example"},
	{"cel-compile", "use a timestamp", "the string is an example"},
	{"cel-compile", "use a field", "the expression is an example"},
	{"cel-result", "format the value", "the expression is an example"},
	{"items-missing", "change the type", "another Go type, and the code that uses it"},
	{"column-path", "write a JSONPath", "the paths are examples"},
	{"import-presence", "add +crdproof:ignore", "the marker silences the finding itself"},
	{"value-undecodable", "write \"2562047h\" or", "the reader knows the value"},
	{"immutable-optional", "add +kubebuilder:validation:XValidation", "the type is elsewhere; TestEscapes adds the rule"},
}

// TestHelp does what each help of each case says, if it shows what to write: the finding must be gone then, and no
// other have come. A help that shows code can be followed, or is in the table of choices.
func TestHelp(t *testing.T) {
	cases := readCases(t)
	root := t.TempDir()
	writeCases(t, root, cases)
	followed := 0
	used, chosen := make([]bool, len(exceptions)), make([]bool, len(choices))
	for _, c := range cases {
		if c.header["known"] != "" || testing.Short() && path.Dir(c.name) != "habits" {
			continue
		}
		opts := c.options(t)
		listing := c.list(t)
		result := c.generate(t, listing, opts)
		first := result.Diagnostics
		before := found(first)
		effects := effectTest{result: result, opts: opts}
		if len(result.Files) == 0 { // what controller-gen writes in spite of the mistakes is what clusters have
			effects.opts.Tolerate = true
			effects.result = c.generate(t, listing, effects.opts)
		}
		for i := range first {
			d := &first[i]
			at := d.Span
			if d.HelpText == "" || !at.IsValid() || filepath.Ext(at.Source.Path) != ".go" ||
				!strings.HasPrefix(at.Source.Path, c.dir) {
				continue
			}
			f, err := newFollower(at)
			if err != nil {
				t.Fatal(err)
			}
			for help, effect := range followtest.Alternatives(d) {
				changed, ok := edited(d, help)
				if !ok {
					changed, ok = f.follow(help)
				}
				if !ok {
					if !showsCode.MatchString(help) {
						continue
					}
					if i := slices.IndexFunc(choices, func(c choice) bool { return c.fits(d, help) }); i >= 0 {
						chosen[i] = true
						continue
					}
					t.Errorf("%s: %s: nobody can follow %q, and it is not in the table of choices",
						c.name, d.Check, help)
					continue
				}
				followed++
				writeFile(t, f.path, []byte(changed))
				after := c.generate(t, listing, opts)
				wrong := compareFound(d, isOneOfSeveral(first, d), before, found(after.Diagnostics))
				isNew := f.marker >= 0 && newMarker.MatchString(f.src[f.marker:]) && len(result.Files) == 0
				if wrong == "" && !isNew {
					wrong = effects.compare(t, c, listing, after, d.Check, effect)
				}
				writeFile(t, f.path, []byte(f.src))
				if wrong == "" {
					continue
				}
				i := slices.IndexFunc(exceptions, func(e exception) bool { return e.fits(c, d, help, wrong) })
				if i >= 0 {
					used[i] = true
					continue
				}
				t.Errorf("%s: %s: %s\nhelp: %s\nturns %s%s",
					c.name, d.Check, d.Message, help, changedLine(f.src, changed), wrong)
			}
		}
	}
	for i, e := range exceptions {
		if !used[i] && !testing.Short() {
			t.Errorf("nothing needs the exception %v", e)
		}
	}
	for i, c := range choices {
		if !chosen[i] && !testing.Short() {
			t.Errorf("nothing needs the choice %v", c)
		}
	}
	t.Logf("%d helps were followed", followed)
}

// An effectTest compares what a help changes with the effect that it declares.
type effectTest struct {
	// result is what was written before, with the options opts.
	result generator.Result
	opts   generator.Options
}

// compare says what is wrong with the effect of a help that was followed.
func (e *effectTest) compare(
	t *testing.T, c *testCase, listing *load.Listing, after generator.Result, check string, declared diag.Effect,
) string {
	t.Helper()
	if e.opts.Tolerate {
		after = c.generate(t, listing, e.opts)
	}
	return difftest.Compare(t, generatedCRDs(t, e.result), generatedCRDs(t, after), check, declared)
}

// edited returns the file of a finding after the edits of a help, and false if it has none, or some in other files.
func edited(d *diag.Diagnostic, help string) (string, bool) {
	for _, h := range d.Helps() {
		edits := edit.NewResolver().Edits(d.Span, h.Steps)
		if h.Text != help || edits == nil ||
			slices.ContainsFunc(edits, func(e diag.Edit) bool { return e.Span.Source != d.Span.Source }) {
			continue
		}
		return string(diag.Apply(d.Span.Source.Bytes(), edits)), true
	}
	return "", false
}

// generatedCRDs reads the CRDs that were generated.
func generatedCRDs(t *testing.T, result generator.Result) (out []crds.CRD) {
	t.Helper()
	for _, f := range result.Files {
		out = append(out, difftest.Read(t, &diag.Source{Path: f.Path, Data: f.Data, Syntax: diag.YAML})...)
	}
	return out
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

// isOneOfSeveral reports whether an error is not the only one of its case.
func isOneOfSeveral(all []diag.Diagnostic, d *diag.Diagnostic) bool {
	return d.Fatal && slices.ContainsFunc(all, func(e diag.Diagnostic) bool { return e.Fatal && e.Span != d.Span })
}

// compareFound says what is wrong with the findings after a help was followed, "" if nothing is. What is found in a
// declaration once its error is repaired was not looked for before. It only counts if the case has no other error, whose
// declaration may be the same.
func compareFound(d *diag.Diagnostic, isOneOfSeveral bool, before, after map[string]int) string {
	var wrong []string
	if key := d.Check + ": " + d.Message; after[key] >= before[key] {
		wrong = append(wrong, "it is still there")
	}
	for _, k := range slices.Sorted(maps.Keys(after)) {
		// What Go writes for a field is only checked if its declaration has no error.
		wasUnchecked := isOneOfSeveral || d.Fatal && (strings.HasPrefix(k, "json-") ||
			strings.HasPrefix(k, "default-unused"))
		if after[k] > before[k] && !wasUnchecked {
			wrong = append(wrong, "new: "+k)
		}
	}
	return strings.Join(wrong, "\n")
}
