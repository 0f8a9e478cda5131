package gotype

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/internal/gojson"
)

// TestMisreadTags damages the options and the key of tags by one edit. Each damaged tag is a mistake of syntax, which
// is reported already, or must lead back to the tag.
func TestMisreadTags(t *testing.T) {
	f := &node.Field{GoName: "Size"}
	for _, option := range tagOptions() {
		for i := range option {
			c := option[i]
			edits := []string{
				option[:i] + option[i+1:], option[:i] + string(c) + option[i:], option[:i] + "q" + option[i+1:],
				option[:i] + strings.ToUpper(string(c)) + option[i+1:],
			}
			if i+1 < len(option) && option[i+1] != c {
				edits = append(edits, option[:i]+string(option[i+1])+string(c)+option[i+2:])
			}
			for _, edit := range edits {
				checkMisread(t, `json:"size,`+edit+`" yaml:"size"`, `json:"size,`+option+`" yaml:"size"`, f)
			}
		}
		for _, sep := range []string{";", ":", " ", "|"} {
			checkMisread(t, `json:"size`+sep+option+`"`, `json:"size,`+option+`"`, f)
		}
	}
	for _, key := range []string{
		"jsn", "jon", "jjson", "jsson", "josn", "jsno", "JSON", "Json", "jsom", "sjon", "json_",
	} {
		checkMisread(t, key+`:"size,omitempty"`, `json:"size,omitempty"`, f)
	}
}

func checkMisread(t *testing.T, tag, meant string, f *node.Field) {
	t.Helper()
	if what, got := misreadTag(tag, f); what == "" || got != meant {
		t.Errorf("%s: %q, %s; want %s", tag, what, got, meant)
	}
}

// TestMisreadTag has tags that differ from what was meant by more than a letter, and tags that are as they must be.
func TestMisreadTag(t *testing.T) {
	named, embedded := &node.Field{GoName: "Size"}, &node.Field{}
	for _, c := range []struct {
		tag, meant string
		f          *node.Field
	}{
		{`json:"size" json:"length"`, `json:"size"`, named},
		{`json:"size","omitempty"`, `json:"size,omitempty"`, named},
		{`json:"size",omitempty`, `json:"size,omitempty"`, named},
		{`json:"size,omitempty",yaml:"size"`, `json:"size,omitempty" yaml:"size"`, named},
		{`yaml:"size" json:"size",protobuf:"x,1"`, `yaml:"size" json:"size" protobuf:"x,1"`, named},
		{`json:"sizeomitempty"`, `json:"size,omitempty"`, named},
		{`json:"size.omitempty,omitzero"`, `json:"size,omitempty,omitzero"`, named},
		{`json:"omitempty"`, `json:"size,omitempty"`, named},
		{`json:"inline"`, `json:",inline"`, embedded},
		{`json:"-,omitempty"`, `json:"-"`, named},
		{`json:"size,STRING,OMITEMPTY"`, `json:"size,string,omitempty"`, named},
	} {
		checkMisread(t, c.tag, c.meant, c.f)
		if what, _ := misreadTag(c.meant, c.f); what != "" || !gojson.IsTag(c.meant) {
			t.Errorf("%s: %s", c.meant, what)
		}
	}
	for _, tag := range []string{
		`json:"size"`, `json:""`, `json:",omitempty"`, `json:"-"`, `json:"-,"`, `json:"size,"`, `json:"size,required"`,
		`json:"size,omitempty,string"`, `json:"size,case:ignore"`, `json:"size,format:RFC3339"`, `json:"size,nocase"`,
		`json:"size,unknown"`, `json:"size,omitnil"`, `json:"size,omitdefault"`, `json:"docstring"`, `json:"inline"`,
		`json:"string"`, `bson:"size"`, `yaml:"size"`, `json5:"size"`, `json:"size" protobuf:"a"yaml:"b"`,
		`toml:"size"`, `json:"in-string"`, `json:"size,!omitempty"`, ``,
	} {
		if what, meant := misreadTag(tag, named); what != "" {
			t.Errorf("%s: %s; %s", tag, what, meant)
		}
	}
	if what, _ := misreadTag(`json:"omitempty"`, &node.Field{GoName: "OmitEmpty"}); what != "" {
		t.Error(what)
	}
}

// TestPlainTags makes sure that no mistake is found in a tag that is not searched for them, for random tags.
func TestPlainTags(t *testing.T) {
	parts := []string{
		"json", "jsn", "protobuf", ":", `:"`, `"`, ",", " ", ";", "-", `\`, "name", "size", "Size", "x1", "omitempty",
		"omitzero", "string", "inline", "omitemty", `json:"size`, `json:"`, `" yaml:"a"`,
		`" protobuf:"bytes,1,opt,name=a"`,
	}
	random, plain := rand.New(rand.NewPCG(1, 2)), 0
	for range 300_000 {
		var tag strings.Builder
		for range 1 + random.IntN(7) {
			tag.WriteString(parts[random.IntN(len(parts))])
		}
		if !isPlainTag(tag.String()) {
			continue
		}
		plain++
		for _, f := range []*node.Field{{GoName: "Size"}, {}} {
			for _, find := range tagMistakes() {
				if what, _ := find(tag.String(), f); what != "" {
					t.Errorf("%s: %s", tag.String(), what)
				}
			}
		}
	}
	if plain < 100 {
		t.Errorf("only %d tags are plain", plain)
	}
}
