package edit_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/edit"
)

// An edited file has the place of a step between « and », and what it becomes; "" for a step that it has no room for.
type edited struct {
	name         string
	action       diag.Action
	text         string
	before, want string
}

func (c *edited) check(t *testing.T, syntax diag.Syntax) {
	t.Helper()
	head, rest, _ := strings.Cut(c.before, "«")
	place, tail, _ := strings.Cut(rest, "»")
	src := &diag.Source{Path: "file", Data: []byte(head + place + tail), Syntax: syntax}
	at := diag.At(src, len(head), len(head)+len(place))
	edits := edit.NewResolver().Edits(at, []diag.Step{{Action: c.action, Text: c.text}})
	got := ""
	if edits != nil {
		got = string(diag.Apply(src.Data, edits))
	}
	if got != c.want {
		t.Errorf("%s:\n%s\nbecomes\n%s\nwant\n%s", c.name, c.before, got, c.want)
	}
}

// TestGo makes steps in Go: with the indentation and the line ends of the file, and never in code.
func TestGo(t *testing.T) {
	const field = "package v1\n\ntype T struct {\n%\n}\n"
	in := func(lines string) string { return strings.Replace(field, "%", lines, 1) }
	for _, c := range []edited{
		{"a marker above a field", diag.Add, "+optional", in("\t// A.\n\t«A» string"),
			in("\t// A.\n\t// +optional\n\tA string")},
		{"line ends", diag.Add, "+optional", strings.ReplaceAll(in("\t«A» string"), "\n", "\r\n"),
			strings.ReplaceAll(in("\t// +optional\n\tA string"), "\n", "\r\n")},
		{"a marker above a type", diag.Add, "+x", "package v1\n\ntype «T» struct{}\n",
			"package v1\n\n// +x\ntype T struct{}\n"},
		{"a type in one line has no room", diag.Add, "+x", "package v1\n\ntype T struct{ «A» string }\n", ""},
		{"a bound replaces another one", diag.Bound, "+kubebuilder:validation:MaxItems=5",
			in("\t// +kubebuilder:validation:MaxItems=9\n\t«A» []string"),
			in("\t// +kubebuilder:validation:MaxItems=5\n\tA []string")},
		{"optional becomes required", diag.Require, "a", in("\t// +optional\n\t«A» string"), in("\t// +required\n\tA string")},
		{"the only marker", diag.RemoveMarker, "", in("\t// A.\n\t//\n\t// +«nullable»\n\tA string"), in("\t// A.\n\tA string")},
		{"a marker that goes on stays", diag.RemoveMarker, "", in("\t// +«k8s:x»(a: 1,\n\t// b: 2)\n\tA string"), ""},
		{"an argument", diag.Remove, "", in("\t// +m:a=1,b=«2»\n\tA string"), in("\t// +m:a=1\n\tA string")},
		{"the name of a marker", diag.Replace, "optional", in("\t// +«optinal»\n\tA string"), in("\t// +optional\n\tA string")},
		{"code has no edits", diag.Replace, "B", in("\t«A» string"), ""},
		{"an option of a tag", diag.AddOption, "omitempty", in("\t«A» string `json:\"a\" yaml:\"a\"`"),
			in("\tA string `json:\"a,omitempty\" yaml:\"a\"`")},
		{"an option less", diag.DropOption, "omitempty", in("\t«A» string `json:\"a,omitempty,string\"`"),
			in("\tA string `json:\"a,string\"`")},
		{"a field without a tag", diag.AddOption, "omitempty", in("\t«A» string"), ""},
		{"a rule in backticks", diag.Rewrite, `self == "a"`, in("\t// +r:rule=`«self»`,message=\"m\"\n\tA string"),
			in("\t// +r:rule=`self == \"a\"`,message=\"m\"\n\tA string")},
		{"a rule in quotes", diag.Rewrite, `self == "a"`, in("\t// +r:rule=\"«self»\"\n\tA string"),
			in("\t// +r:rule=\"self == \\\"a\\\"\"\n\tA string")},
		{"a file that does not parse", diag.Add, "+x", "package v1\n\ntype «T» struct{\n", ""},
	} {
		c.check(t, diag.Go)
	}
}

// TestYAML makes steps in YAML and JSON: with the style of what is around them, and without a change to comments.
func TestYAML(t *testing.T) {
	for _, c := range []edited{
		{"a key in a block", diag.Add, "maxItems: 5", "a:\n  items: {}\n  «type»: array\n",
			"a:\n  items: {}\n  maxItems: 5\n  type: array\n"},
		{"a key behind a dash", diag.Add, "a: 1", "- «b»: 1\n  c: 2\n", "- a: 1\n  b: 1\n  c: 2\n"},
		{"a key in a flow mapping", diag.Add, "maxItems: 5", "a: «{type: array}»\n", "a: {maxItems: 5, type: array}\n"},
		{"a key in JSON", diag.Add, "maxItems: 5", "{\n  \"a\": «{\n    \"type\": 1\n  }»\n}\n",
			"{\n  \"a\": {\n    \"maxItems\": 5,\n    \"type\": 1\n  }\n}\n"},
		{"a value", diag.Bound, "type: object", "a: # why\n  «type»: string # what\n", "a: # why\n  type: object # what\n"},
		{"a key with lines", diag.RemoveKey, "b", "«a»: 1\nb:\n- 1\n\n- 2\n# of c\nc: 3\n", "a: 1\n# of c\nc: 3\n"},
		{"the only key stays", diag.RemoveKey, "b", "a:\n  «b»: 1\n", ""},
		{"the last key of a flow mapping", diag.Remove, "", "a: {b: 1, c: «2»}\n", "a: {b: 1}\n"},
		{"an item", diag.Remove, "", "- a\n- «b»\n- c\n", "- a\n- c\n"},
		{"an item of a list", diag.AddItem, "required=b", "«a»: 1\nrequired:\n  - a\n", "a: 1\nrequired:\n  - b\n  - a\n"},
		{"a list", diag.AddItem, "required=b", "«a»: 1\ntype: object\n", "a: 1\nrequired:\n- b\ntype: object\n"},
		{"a required field", diag.Require, "b", "properties:\n  «b»:\n    type: string\ntype: object\n",
			"properties:\n  b:\n    type: string\nrequired:\n- b\ntype: object\n"},
		{"a rule in single quotes", diag.Rewrite, "self == 'a'", "rule: '«self»'\nb: 1\n", "rule: 'self == ''a'''\nb: 1\n"},
		{"a rule in lines", diag.Rewrite, "self == 'a'", "- rule: |-\n    «self\n    == 1»\n  b: 1\n",
			"- rule: self == 'a'\n  b: 1\n"},
	} {
		c.check(t, diag.YAML)
	}
}

// texts are those of steps.
var texts = []string{"", "+optional", "+kubebuilder:validation:MaxItems=5", "omitempty", "maxItems: 5", "type: object",
	"required=name", "required", "self.a > 0 && self.b == 'x'", `"x"`, "`json:\"a\"`", "name"}

// FuzzFix makes a step anywhere in any file of Go or YAML. If it has edits, they do not overlap, and the file parses as
// it did before; in Go, its code is the same.
func FuzzFix(f *testing.F) {
	f.Add([]byte("package v1\n\n// +a:b=1,c=2\ntype T struct {\n\t// +x\n\tA string `json:\"a\"`\n}\n"), 30, 2, 0, 1, false)
	f.Add([]byte("a:\n- b: {c: 1, d: 'x'}\n  # e\n  f: |\n    g\n"), 7, 1, 1, 4, true)
	f.Add([]byte("{\"a\": {\"b\": [1, 2]}}"), 9, 1, 5, 4, true)
	f.Fuzz(func(t *testing.T, data []byte, start, length, action, text int, isYAML bool) {
		src := &diag.Source{Path: "file", Data: data}
		if isYAML {
			src.Syntax = diag.YAML
		}
		in := func(n, below int) int { return (n%below + below) % below }
		start = in(start, len(data)+1)
		end := start + in(length, len(data)-start+1)
		step := diag.Step{Action: diag.Action(in(action, diag.Actions)), Text: texts[in(text, len(texts))]}
		edits := edit.NewResolver().Edits(diag.At(src, start, end), []diag.Step{step})
		for i := 1; i < len(edits); i++ {
			if edit.Overlap(edits[i-1], edits[i]) {
				t.Errorf("%v overlap", edits)
			}
		}
		switch after := diag.Apply(data, edits); {
		case edits == nil:
		case !isYAML:
			if was, is := tokens(t, data), tokens(t, after); !bytes.Equal(was, is) {
				t.Errorf("%+v in %q: the code is\n%s\nbefore, and\n%s\nafter", step, data, was, is)
			}
		case step.Action != diag.Replace && yaml.Unmarshal(after, new(yaml.Node)) != nil:
			t.Errorf("%+v in %q: %q is not valid", step, data, after)
		}
	})
}

// tokens returns the code of a file without comments and strings, which tags are.
func tokens(t *testing.T, data []byte) []byte {
	t.Helper()
	if _, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution); err != nil {
		return []byte(err.Error())
	}
	return scan(data)
}
