package gotype

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/internal/gojson"
)

// misreadTag says which part of a field's tag Go reads in another way than it was certainly meant, and the tag that was
// meant. what is "" for a tag without such a part.
func misreadTag(tag string, f *node.Field) (what, meant string) {
	if isPlainTag(tag) {
		return "", ""
	}
	for _, find := range tagMistakes() {
		if what, meant = find(tag, f); what != "" {
			return what, meant
		}
	}
	return "", ""
}

// tagMistakes find one kind of misread part each.
func tagMistakes() []func(tag string, f *node.Field) (what, meant string) {
	return []func(tag string, f *node.Field) (what, meant string){
		misspelledKey, duplicateKey, lostPairs, optionInName, optionAsName, dashWithOptions, misspelledOption,
	}
}

// isPlainTag reports whether Go certainly reads a tag as it was meant: the key json with letters and digits for a name,
// known options, and at most one other key, such as that of protobuf. Most tags are like this, and large projects have
// a million fields.
func isPlainTag(tag string) bool {
	text, isJSON := strings.CutPrefix(tag, `json:"`)
	value, others, isClosed := strings.Cut(text, `"`)
	name, options, _ := strings.Cut(value, ",")
	if !isJSON || !isClosed || name == "" || strings.TrimFunc(name, isLetterOrDigit) != "" ||
		slices.ContainsFunc(tagOptions(), func(option string) bool { return strings.HasSuffix(name, option) }) {
		return false
	}
	for option := range strings.SplitSeq(options, ",") {
		if option != "" && !slices.Contains(tagOptions(), option) {
			return false
		}
	}
	key, other, isPair := strings.Cut(strings.TrimPrefix(others, " "), `:"`)
	return others == "" || isPair && key != "json" && strings.TrimFunc(key, isLetterOrDigit) == "" &&
		strings.IndexAny(other, `"\`) == len(other)-1
}

func isLetterOrDigit(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// pair finds the pairs of key and value in a tag.
var pair = regexp.MustCompile(`([^\s":,;]+):("(?:[^"\\]|\\.)*")`)

// misspelledKey finds a key that is nearly json in a tag without that key.
func misspelledKey(tag string, _ *node.Field) (what, meant string) {
	if _, ok := reflect.StructTag(tag).Lookup("json"); ok || !gojson.IsTag(tag) {
		return "", ""
	}
	for _, at := range pair.FindAllStringSubmatchIndex(tag, -1) {
		key := tag[at[2]:at[3]]
		isOther := slices.Contains([]string{"bson", "hson", "ison", "jso", "json5", "jsonb", "ujson", "xson"}, key)
		if len(key) >= 3 && !isOther && diag.Near(key, []string{"json"}) != "" {
			return fmt.Sprintf("unknown key %q in the tag: Go uses the name of the field", key),
				tag[:at[2]] + "json" + tag[at[3]:]
		}
	}
	return "", ""
}

// hasMisspelledKey reports whether a field's tag has a key that was meant as json.
func hasMisspelledKey(f *node.Field) bool {
	what, _ := misspelledKey(string(load.Tag(f.Syntax)), f)
	return what != ""
}

// duplicateKey finds a second key json.
func duplicateKey(tag string, _ *node.Field) (what, meant string) {
	if !gojson.IsTag(tag) {
		return "", ""
	}
	first := true
	for _, at := range pair.FindAllStringSubmatchIndex(tag, -1) {
		if tag[at[2]:at[3]] != "json" {
			continue
		}
		if !first {
			return "duplicate key json in the tag: Go uses the first one",
				strings.TrimSpace(strings.TrimRight(tag[:at[0]], " ") + tag[at[1]:])
		}
		first = false
	}
	return "", ""
}

// lostPairs finds text behind the key json that is not a pair, such as a comma: Go reads the tag up to there.
func lostPairs(tag string, _ *node.Field) (what, meant string) {
	value, ok := reflect.StructTag(tag).Lookup("json")
	if !ok || strings.TrimSpace(pair.ReplaceAllString(tag, "")) == "" {
		return "", ""
	}
	head := "json:" + strconv.Quote(value)
	i := strings.Index(tag, head)
	if i < 0 {
		return "", ""
	}
	before, rest := tag[:i], tag[i+len(head):]
	if option := strings.Trim(rest, `", `); slices.Contains(tagOptions(), option) {
		meant = before + "json:" + strconv.Quote(value+","+option)
	} else if pairs := strings.Join(pair.FindAllString(rest, -1), " "); pairs != "" {
		meant = before + head + " " + pairs
	}
	if meant == "" || !gojson.IsTag(meant) {
		return "", ""
	}
	return fmt.Sprintf("Go ignores %s in this tag: expected key:\"value\" pairs separated by spaces",
		strings.TrimSpace(rest)), meant
}

// tagOptions returns the options that Go or the libraries of Kubernetes read.
func tagOptions() []string { return []string{"omitempty", "omitzero", "string", "inline"} }

// glued finds an option at the end of a name: omitempty and omitzero behind anything, the others behind a character
// that no name has.
var glued = regexp.MustCompile(`^(.*?)(?:[;:.|/_ -]*(omitempty|omitzero)|[;:| ]+(string|inline))$`)

// optionInName finds an option that is not behind a comma.
func optionInName(tag string, f *node.Field) (what, meant string) {
	value := reflect.StructTag(tag).Get("json")
	name, options, _ := strings.Cut(value, ",")
	m := glued.FindStringSubmatch(name)
	if m == nil || m[1] == "" || strings.EqualFold(name, f.GoName) {
		return "", ""
	}
	fixed := m[1] + "," + m[2] + m[3]
	if options != "" {
		fixed += "," + options
	}
	return fmt.Sprintf("the key is %q: expected a comma before %s", name, m[2]+m[3]), withJSON(tag, value, fixed)
}

// optionAsName finds an option in the place of the name.
func optionAsName(tag string, f *node.Field) (what, meant string) {
	value := reflect.StructTag(tag).Get("json")
	embedded := f.GoName == ""
	switch {
	case value == "inline" && embedded:
		return "the key is \"inline\": expected a comma before the option", withJSON(tag, value, ",inline")
	case (value == "omitempty" || value == "omitzero") && !strings.EqualFold(value, f.GoName) && !embedded:
		return fmt.Sprintf("the key is %q: expected a comma before the option", value),
			withJSON(tag, value, jsonName(f)+","+value)
	}
	return "", ""
}

// dashWithOptions finds the name - with options: only alone it makes Go ignore the field.
func dashWithOptions(tag string, _ *node.Field) (what, meant string) {
	value := reflect.StructTag(tag).Get("json")
	if options, ok := strings.CutPrefix(value, "-,"); !ok || options == "" {
		return "", ""
	}
	return `the key is "-": Go ignores the field only if the tag has no options`, withJSON(tag, value, "-")
}

// misspelledOption finds an option that Go ignores and that is close to one that it reads. Options of the next version
// of encoding/json are not close to any.
func misspelledOption(tag string, _ *node.Field) (what, meant string) {
	value := reflect.StructTag(tag).Get("json")
	options := strings.Split(value, ",")
	unknown := ""
	for i, option := range options {
		isWord := strings.Trim(strings.ToLower(option), "abcdefghijklmnopqrstuvwxyz") == ""
		if i == 0 || !isWord || slices.Contains(tagOptions(), option) {
			continue
		}
		if near := diag.Near(option, tagOptions()); near != "" {
			options[i], unknown = near, cmp.Or(unknown, option)
		}
	}
	if unknown == "" {
		return "", ""
	}
	return fmt.Sprintf("unknown option %q in the json tag: Go ignores it", unknown),
		withJSON(tag, value, strings.Join(options, ","))
}

// withJSON returns a tag with another value of its key json.
func withJSON(tag, value, fixed string) string {
	return strings.Replace(tag, "json:"+strconv.Quote(value), "json:"+strconv.Quote(fixed), 1)
}
