package gocode_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/internal/support"
)

// TestCarry shows that a package carries no more than its schemas and rules need, by what it imports for it.
func TestCarry(t *testing.T) {
	always := []string{"bytes", "encoding/binary", "encoding/json", "errors", "fmt", "maps", "math", "reflect",
		"cmp", "context", "hash/maphash", "math/bits", "net/netip", "regexp", "slices", "strconv", "strings", "sync",
		"sync/atomic", "time", "unicode",
		"unicode/utf16", "unicode/utf8",
		"k8s.io/apimachinery/pkg/api/validation", "k8s.io/apimachinery/pkg/apis/meta/v1",
		"k8s.io/apimachinery/pkg/util/validation",
		"k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/runtime/schema",
		"k8s.io/apimachinery/pkg/util/json",
		"k8s.io/apimachinery/pkg/util/validation/field"}
	for _, c := range []struct {
		name  string
		field map[string]any
		more  []string
	}{
		{"string", map[string]any{"type": "string"}, nil},
		{"format", map[string]any{"type": "string", "format": "duration"},
			[]string{"k8s.io/kube-openapi/pkg/validation/strfmt"}},
		{"maximum", map[string]any{"type": "integer", "maximum": 5}, nil},
		{"rule", map[string]any{"type": "integer",
			"x-kubernetes-validations": []any{map[string]any{"rule": "self > 5"}}}, nil},
		{"quantity", map[string]any{"type": "string",
			"x-kubernetes-validations": []any{map[string]any{"rule": "isQuantity(self)"}}},
			[]string{"k8s.io/apimachinery/pkg/api/resource"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := written(t, c.field)[gocode.SupportName]
			want := slices.Sorted(slices.Values(append(always, c.more...)))
			if got := imports(t, data); !slices.Equal(got, want) {
				t.Errorf("imports %q, want %q", got, want)
			}
		})
	}
}

// TestCarryFeatures is a table of the imports of rules, beyond those of every package with a rule.
func TestCarryFeatures(t *testing.T) {
	rule := func(typ map[string]any, rule string) map[string]any {
		typ["x-kubernetes-validations"] = []any{map[string]any{"rule": rule}}
		return typ
	}
	text := func(r string) map[string]any { return rule(map[string]any{"type": "string"}, r) }
	either := func(r string) map[string]any { return rule(map[string]any{"x-kubernetes-int-or-string": true}, r) }
	always := append(imports(t, written(t, text("self != ''"))[gocode.SupportName]), "cmp")
	for _, c := range []struct {
		name  string
		field map[string]any
		more  string
	}{
		{"quantity", text("quantity(self).isLessThan(quantity('1'))"),
			"k8s.io/apimachinery/pkg/api/resource"},
		{"dynamic quantity", either("quantity(self).isLessThan(quantity('1'))"),
			"encoding/base64 k8s.io/apimachinery/pkg/api/resource"},
		{"quantity in a list", text("[quantity(self), quantity('1')].all(q, q.isGreaterThan(quantity('0')))"),
			"encoding/base64 k8s.io/apimachinery/pkg/api/resource"},
		{"quantity sum", text("quantity(self).add(quantity('1')).compareTo(quantity('1')) > 0"),
			"k8s.io/apimachinery/pkg/api/resource"},
		{"dynamic quantity sum", either("quantity(self).add(quantity('1')).compareTo(quantity('1')) > 0"),
			"encoding/base64 k8s.io/apimachinery/pkg/api/resource"},
		{"quantities in a set", text("sets.contains([quantity(self)], [quantity('1')])"),
			"encoding/base64 k8s.io/apimachinery/pkg/api/resource"},
		{"semver", text("semver(self).isLessThan(semver('1.0.0'))"),
			"github.com/blang/semver/v4"},
		{"dynamic semver", either("semver(self).isLessThan(semver('1.0.0'))"),
			"encoding/base64 github.com/blang/semver/v4"},
		{"ip", text("ip(self).family() == 4"),
			""},
		{"dynamic ip", either("ip(self).family() == 4"),
			"encoding/base64"},
		{"cidr", text("cidr(self).containsIP('10.0.0.1')"),
			""},
		{"dynamic cidr", either("cidr('10.0.0.0/8').containsIP(self)"),
			"encoding/base64"},
		{"url", text("url(self).getHost() == 'a'"),
			"net/url"},
		{"named format", text("!format.dns1123Label().validate(self).hasValue()"),
			"encoding/base64 net/url"},
		{"any named format", text("!format.named(self).hasValue()"),
			"encoding/base64 net/url"},
		{"matches", text("self.matches('^a(b|c)*d$')"),
			""},
		{"dynamic matches", text("self.matches(self + 'a')"),
			""},
		{"duration", text("duration(self) > duration('1s')"),
			""},
		{"format function", text("'%s'.format([self]) == 'a'"),
			"encoding/base64 encoding/hex"},
		{"equality of anything", either("[self] == [1]"),
			"encoding/base64"},
		{"conversion to a string", either("string(self) == 'a'"),
			"encoding/base64"},
		{"sort", text("self.split(',').sort() == ['a']"),
			"encoding/base64 sort"},
		{"map", text("{'a': self}.all(k, k == 'a')"),
			"encoding/base64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var more []string
			for _, path := range imports(t, written(t, c.field)[gocode.SupportName]) {
				if !slices.Contains(always, path) {
					more = append(more, path)
				}
			}
			if got := strings.Join(more, " "); got != c.more {
				t.Errorf("imports %q, want %q", got, c.more)
			}
		})
	}
}

// TestMissingKeys shows that the failures for the keys that rules read are made in advance, but not those for others.
func TestMissingKeys(t *testing.T) {
	text := map[string]any{"type": "string"}
	data := string(written(t, map[string]any{"type": "object",
		"properties": map[string]any{"mode": text, "x-y": text, "unread": text,
			"labels": map[string]any{"type": "object", "additionalProperties": text, "maxProperties": 5}},
		"x-kubernetes-validations": []any{map[string]any{
			"rule": "self.mode == 'a' || self.x__dash__y == 'b' || self.labels['c'] == 'd'"}}})[gocode.FileName])
	if want := `var crdFields = crdNewFieldReader("c", "labels", "mode", "x__dash__y")`; !strings.Contains(data, want) {
		t.Errorf("%s\nlacks %s", data, want)
	}
}

// TestForms compares the two forms of helpers, one of which imports the runtime: without the import and with the names
// of a copy, it is the other one.
func TestForms(t *testing.T) {
	kind := ruleKind(t, kindOf(t, "Widget", map[string]any{"type": "object", "properties": map[string]any{
		"spec": map[string]any{"type": "object", "properties": map[string]any{
			"name": map[string]any{"type": "string", "pattern": "^a*$"}, "size": map[string]any{"type": "integer"}},
			"x-kubernetes-validations": []any{map[string]any{"rule": "self.size > 1 && self.name.startsWith('a')"}}}}}), 0)
	var forms [2]string
	for i, isCopy := range []bool{false, true} {
		files, found := gocode.Files(gocode.Package{Name: "widgets", Kinds: []gocode.Kind{kind}, Copy: isCopy})
		if len(found) > 0 || len(files) != 1+i {
			t.Fatal(found, len(files))
		}
		forms[i] = string(files[0].Data)
	}
	if !strings.Contains(forms[0], strconv.Quote(gocode.RuntimePath)) || strings.Contains(forms[1], gocode.RuntimePath) {
		t.Error("not the first form imports the runtime, but the second one")
	}
	got := regexp.MustCompile(`\bcrd\.([A-Z])`).ReplaceAllString(forms[0], "crd$1")
	got = strings.Replace(got, strconv.Quote(gocode.RuntimePath), "", 1)
	spaces := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	if spaces(got) != spaces(forms[1]) {
		t.Errorf("the form with the import is\n%s\nthe copy is\n%s", forms[0], forms[1])
	}
}

// written are the files for a kind whose spec has one field.
func written(t *testing.T, field map[string]any) map[string][]byte {
	t.Helper()
	spec := map[string]any{"type": "object", "properties": map[string]any{"field": field}}
	root := map[string]any{"type": "object", "properties": map[string]any{"spec": spec}}
	files, found := gocode.Files(gocode.Package{Name: "widgets", Copy: true,
		Kinds: []gocode.Kind{ruleKind(t, kindOf(t, "Widget", root), 0)}})
	for _, d := range found {
		t.Error(d.Message)
	}
	out := map[string][]byte{}
	for _, f := range files {
		out[f.Path] = f.Data
	}
	return out
}

// imports are the packages that a file imports, sorted.
func imports(t *testing.T, data []byte) (paths []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// TestMethodNames holds the methods of a validation, which every package has, to names of their own: one that is also
// that of a field would be carried wherever the field is.
func TestMethodNames(t *testing.T) {
	fields, methods := map[string]bool{}, []string{}
	for _, file := range supportFiles(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				for _, field := range n.Fields.List {
					for _, name := range field.Names {
						fields[name.Name] = true
					}
				}
			case *ast.FuncDecl:
				if receiver(n) == "Validation" {
					methods = append(methods, n.Name.Name)
				}
			}
			return true
		})
	}
	if len(methods) == 0 {
		t.Fatal("no methods found")
	}
	for _, name := range methods {
		if fields[name] {
			t.Errorf("%s is a method of Validation and a field", name)
		}
	}
}

// supportFiles are the parsed files of internal/support, but for tests.
func supportFiles(t *testing.T) (files []*ast.File) {
	t.Helper()
	names, err := fs.Glob(support.Sources(), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "source.go" {
			continue
		}
		data, err := fs.ReadFile(support.Sources(), name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// receiver is the type of a method, without a pointer and type parameters.
func receiver(f *ast.FuncDecl) (name string) {
	if f.Recv == nil {
		return ""
	}
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}
