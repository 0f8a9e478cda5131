package object

import (
	"fmt"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"

	celtypes "github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel/environment"
)

// coreFunctions are those that the compiler knows itself: operators, conversions, functions of values of all types,
// parts of times and durations, optional values, named formats.
var coreFunctions = []string{
	"!_", "-_", "_!=_", "_%_", "_&&_", "_*_", "_+_", "_-_", "_/_", "_<=_", "_<_", "_==_", "_>=_", "_>_", "_||_",
	"_?_:_", "_?._", "_[?_]", "_[_]", "@in", "_in_", "in", "@not_strictly_false", "__not_strictly_false__",
	"size", "type", "dyn",
	"bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint",
	"getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds",
	"getMinutes",
	"getMonth", "getSeconds",
	"optional.none", "optional.of", "optional.ofNonZeroValue", "optional.unwrap", "unwrapOpt", "hasValue", "value",
	"or", "orValue",
	"cel.@mapInsert",
	"format.byte", "format.date", "format.datetime", "format.dns1035Label", "format.dns1035LabelPrefix",
	"format.dns1123Label", "format.dns1123LabelPrefix", "format.dns1123Subdomain", "format.dns1123SubdomainPrefix",
	"format.labelValue", "format.qualifiedName", "format.uri", "format.uuid",
}

// TestCallsAreComplete compares the tables with the functions that a rule of a stored CRD can call, and with their
// parameters in CEL.
func TestCallsAreComplete(t *testing.T) {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	support := newCarrier()
	var known []string
	for name, function := range env.Functions() {
		dynamic := map[int]int{}
		for _, overload := range function.OverloadDecls() {
			all := append(slices.Clone(overload.ArgTypes()), overload.ResultType())
			isAuthorizer := func(t *celtypes.Type) bool {
				return strings.HasPrefix(t.TypeName(), "kubernetes.authorization.")
			}
			if slices.ContainsFunc(all, isAuthorizer) {
				continue // rules have no authorizer
			}
			call, ok := support.callOf(overload.ID())
			if !ok {
				if !slices.Contains(coreFunctions, name) {
					t.Errorf("nothing computes %s of %s", overload.ID(), name)
				}
				continue
			}
			known = append(known, overload.ID())
			for i, param := range call.params {
				if want := checkedType(overload.ArgTypes()[i]); param != want && param != DynType {
					t.Errorf("%s: parameter %d is %q, of CEL type %s", overload.ID(), i, param, overload.ArgTypes()[i])
				}
			}
			if len(call.params) != len(overload.ArgTypes()) {
				t.Errorf("%s: %d parameters, want %d", overload.ID(), len(call.params), len(overload.ArgTypes()))
			}
			if want := checkedType(overload.ResultType()); call.result != want && call.result != DynType {
				t.Errorf("%s: the result is %q, of CEL type %s", overload.ID(), call.result, overload.ResultType())
			}
			if !overload.IsMemberFunction() && name != "matches" {
				continue
			}
			args := len(call.params)
			dynamic[args]++
			if _, ok := support.dynamicCallOf(name, args); !ok && dynamic[args] > 1 &&
				!slices.Contains(coreFunctions, name) {
				t.Errorf("%s has several overloads for %d arguments, and nothing decides on them", name,
					len(call.params))
			}
		}
	}
	for _, functions := range calls {
		for id, function := range functions {
			if !slices.ContainsFunc(known, func(overload string) bool { return matches(id, overload) }) {
				t.Errorf("%s is computed by %s, but is not an overload", id, function)
			}
			mustCompile(t, support, function)
		}
	}
	for name, functions := range dynamicCalls {
		for _, function := range functions {
			call := support.call(function)
			if len(call.params) == 0 || call.Fails || slices.ContainsFunc(append(call.params, call.result),
				func(t Type) bool { return t != DynType }) {
				t.Errorf("%s is computed by %s, which is not a function of dynamic values", name, function)
			}
			mustCompile(t, support, function)
		}
	}
}

// mustCompile compares a function with the one that takes a compiled regular expression, if there is one.
func mustCompile(t *testing.T, support *carrier, function string) {
	t.Helper()
	want := support.call(function)
	if !want.compiles {
		return
	}
	want.function, want.compiles, want.Fails, want.params[1] = function+"Compiled", false, false, "*regexp.Regexp"
	if got := support.call(want.function); !reflect.DeepEqual(got, want) {
		t.Errorf("%s is declared as %+v, want %+v", got.function, got, want)
	}
}

// TestCallImports makes sure that only the functions that a rule calls import packages, beyond the one for errors,
// which is in every package.
func TestCallImports(t *testing.T) {
	const errors, resource = "k8s.io/apimachinery/pkg/util/validation/field", "k8s.io/apimachinery/pkg/api/resource"
	const semver, validation = "github.com/blang/semver/v4", "k8s.io/apimachinery/pkg/util/validation"
	for _, test := range []struct {
		calls map[string]string
		may   []string
	}{
		{conversionCalls, nil}, {stringCalls, nil}, {listCalls, nil}, {urlCalls, nil}, {ipCalls, nil}, {cidrCalls, nil},
		{quantityCalls, []string{resource}}, {semverCalls, []string{semver}}, {formatCalls, []string{validation}},
	} {
		var calls strings.Builder
		fmt.Fprintf(&calls, "package p\n\nimport %q\n", RuntimePath)
		for _, function := range test.calls {
			if !strings.Contains(function, ".") {
				fmt.Fprintf(&calls, "var _ = crd.%s\n", function)
			}
		}
		_, copies := newCarrier().Copy(Package{Name: "p"}, []byte(calls.String()))
		file, err := parser.ParseFile(token.NewFileSet(), SupportName, copies, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if IsThirdParty(path) && path != errors && !slices.Contains(test.may, path) {
				t.Errorf("%v need %s", test.calls, path)
			}
		}
	}
}

// checkedType is the type that holds values of a CEL type.
func checkedType(t *celtypes.Type) Type {
	return map[string]Type{
		"bool": BoolType, "int": IntType, "uint": celUint, "double": DoubleType, "string": StringType, "bytes": celBytes,
		"google.protobuf.Timestamp": celTimestamp, "google.protobuf.Duration": celDuration, "list": ListType,
		"kubernetes.URL": celURL, "net.IP": celIP, "net.CIDR": celCIDR, "kubernetes.Quantity": celQuantity,
		"kubernetes.Semver": celSemver, "kubernetes.NamedFormat": celNamedFormat,
	}[t.TypeName()]
}
