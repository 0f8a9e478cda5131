package gocode

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crdproof/crdproof/emit/support"
)

// coreFunctions are those that the compiler knows itself: operators, conversions, what is told of values of all types, parts
// of times and durations, optional values.
var coreFunctions = []string{
	"!_", "-_", "_!=_", "_%_", "_&&_", "_*_", "_+_", "_-_", "_/_", "_<=_", "_<_", "_==_", "_>=_", "_>_", "_||_", "_?_:_",
	"_?._", "_[?_]", "_[_]", "@in", "_in_", "in", "@not_strictly_false", "__not_strictly_false__", "size", "type", "dyn",
	"bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint",
	"getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds", "getMinutes",
	"getMonth", "getSeconds",
	"optional.none", "optional.of", "optional.ofNonZeroValue", "optional.unwrap", "unwrapOpt", "hasValue", "value", "or", "orValue",
	"cel.@mapInsert",
}

// Each function that a rule of a stored CRD can call has its place in the tables, with the parameters that CEL says it has.
func TestCallsAreAllThereAre(t *testing.T) {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	known := 0
	for name, function := range env.Functions() {
		dynamic := map[string]int{}
		for _, overload := range function.OverloadDecls() {
			all := append(slices.Clone(overload.ArgTypes()), overload.ResultType())
			if slices.ContainsFunc(all, func(t *celtypes.Type) bool { return strings.HasPrefix(t.TypeName(), "kubernetes.authorization.") }) {
				continue // rules have no authorizer
			}
			call, ok := callOf(overload.ID())
			if !ok {
				if !slices.Contains(coreFunctions, name) {
					t.Errorf("nothing computes %s of %s", overload.ID(), name)
				}
				continue
			}
			known++
			var params []string
			for i, param := range call.params {
				params = append(params, typeText(param))
				if want := checkedType(overload.ArgTypes()[i]); param != want && param != celDyn {
					t.Errorf("%s: parameter %d is %s, of CEL type %s", overload.ID(), i, typeText(param), overload.ArgTypes()[i])
				}
			}
			if len(params) != len(overload.ArgTypes()) {
				t.Errorf("%s: %d parameters, want %d", overload.ID(), len(params), len(overload.ArgTypes()))
			}
			if want := checkedType(overload.ResultType()); call.result != want && call.result != celDyn {
				t.Errorf("%s: the result is %s, of CEL type %s", overload.ID(), typeText(call.result), overload.ResultType())
			}
			if !overload.IsMemberFunction() && name != "matches" {
				continue
			}
			dynamic[fmt.Sprint(len(params))]++
			if _, ok := dynamicCallOf(name, len(params)); !ok && dynamic[fmt.Sprint(len(params))] > 1 && !slices.Contains(coreFunctions, name) {
				t.Errorf("%s has several overloads for %d arguments, and nothing decides on them", name, len(params))
			}
		}
	}
	all := 0
	for _, calls := range [][]celCall{stringCalls, listCalls, urlCalls, ipCalls, cidrCalls, quantityCalls, semverCalls, formatCalls} {
		all += len(calls)
	}
	if known != all {
		t.Errorf("%d of %d calls are of functions that there are", known, all)
	}
}

// The functions of the tables are there, and are declared as the tables say.
func TestCallsAreOfFunctions(t *testing.T) {
	declared := supportSignatures(t)
	check := func(function, want string) {
		if strings.Contains(function, ".") {
			return // of the standard library: compiled wherever it is used
		}
		if got := declared[function]; got != want {
			t.Errorf("%s is declared as %q, want %q", function, got, want)
		}
	}
	for _, calls := range [][]celCall{stringCalls, listCalls, urlCalls, ipCalls, cidrCalls, quantityCalls, semverCalls, formatCalls} {
		for _, call := range calls {
			var params []string
			for _, p := range call.params {
				params = append(params, typeText(p))
			}
			plain, result := typeText(call.result), typeText(call.result)
			if call.fails {
				result = "crdResult[" + plain + "]"
			}
			check(call.function, strings.Join(params, ", ")+" -> "+result)
			if call.regexp > 0 {
				params[call.regexp] = "*regexp.Regexp"
				check(call.function+"Compiled", strings.Join(params, ", ")+" -> "+plain)
			}
		}
	}
	for _, call := range dynamicCalls {
		params := slices.Repeat([]string{"any"}, call.args)
		check(call.function, strings.Join(params, ", ")+" -> any")
		if call.regexp > 0 {
			params[call.regexp] = "*regexp.Regexp"
			check(call.function+"Compiled", strings.Join(params, ", ")+" -> any")
		}
	}
}

// Only what a rule calls brings the packages that it needs.
func TestCallsImportWhatTheyNeed(t *testing.T) {
	const resource, semver, validation = "k8s.io/apimachinery/pkg/api/resource", "github.com/blang/semver/v4", "k8s.io/apimachinery/pkg/util/validation"
	for _, test := range []struct {
		calls []celCall
		may   []string
	}{
		{stringCalls, nil}, {listCalls, nil}, {urlCalls, nil}, {ipCalls, nil}, {cidrCalls, nil},
		{quantityCalls, []string{resource}}, {semverCalls, []string{semver}}, {formatCalls, []string{validation}},
	} {
		var calls strings.Builder
		calls.WriteString("package p\n")
		for _, call := range test.calls {
			if !strings.Contains(call.function, ".") {
				fmt.Fprintf(&calls, "var _ = %s\n", call.function)
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), SupportName, newCarrier().carry(Package{Name: "p"}, []byte(calls.String())), parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if isThirdParty(path) > 0 && !slices.Contains(test.may, path) {
				t.Errorf("%s and others need %s", test.calls[0].function, path)
			}
		}
	}
}

// supportSignatures are the parameters and results of the functions of emit/support.
func supportSignatures(t *testing.T) map[string]string {
	declared := map[string]string{}
	names, err := fs.Glob(support.Sources(), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(support.Sources(), name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Type.Results == nil {
				continue
			}
			var params []string
			for _, field := range f.Type.Params.List {
				params = append(params, slices.Repeat([]string{gotypes.ExprString(field.Type)}, max(1, len(field.Names)))...)
			}
			declared[f.Name.Name] = strings.Join(params, ", ") + " -> " + gotypes.ExprString(f.Type.Results.List[0].Type)
		}
	}
	return declared
}

// typeText is the Go type of a CEL type.
func typeText(t celType) string {
	return strings.TrimPrefix(fmt.Sprintf("%#v", jen.Var().Id("_").Add(t.code())), "var _ ")
}

// checkedType is the type that holds values of a CEL type.
func checkedType(t *celtypes.Type) celType {
	return map[string]celType{
		"bool": celBool, "int": celInt, "uint": celUint, "double": celDouble, "string": celString, "bytes": celBytes,
		"google.protobuf.Timestamp": celTimestamp, "google.protobuf.Duration": celDuration, "list": celList,
		"kubernetes.URL": celURL, "net.IP": celIP, "net.CIDR": celCIDR, "kubernetes.Quantity": celQuantity,
		"kubernetes.Semver": celSemver, "kubernetes.NamedFormat": celNamedFormat,
	}[t.TypeName()]
}
