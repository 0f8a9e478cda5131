package object

import (
	"go/ast"
	gotypes "go/types"
	"path"
	"slices"
)

// A Call is the declaration of a Go function that computes a CEL function.
type Call struct {
	// function is a function of internal/support or, with the path of its package, of the standard library. It takes
	// the parameters, the receiver first, as plain Go values; the compiler handles failures of arguments.
	function string
	params   []Type
	result   Type
	// Fails is set if the function returns a crdResult of the result's type; one with a dynamic result returns any,
	// which may be a *crdFailure.
	Fails bool
	// compiles is set if the second parameter is a regular expression: a constant one is compiled once, and passed as
	// a *regexp.Regexp to the function whose name ends in Compiled, which cannot fail and returns a plain result.
	compiles bool
}

// call returns a function as it is declared.
func (c *carrier) call(function string) Call {
	call := standardCalls[function]
	call.function = function
	if c.byName[function] == nil {
		return call
	}
	typeOf := func(e ast.Expr) Type {
		if text := gotypes.ExprString(e); text != "any" {
			return Type(text)
		}
		return DynType
	}
	declared := c.byName[function].decl.(*ast.FuncDecl).Type
	for _, p := range declared.Params.List {
		call.params = append(call.params, slices.Repeat([]Type{typeOf(p.Type)}, len(p.Names))...)
	}
	result := declared.Results.List[0].Type
	if generic, ok := result.(*ast.IndexExpr); ok {
		call.Fails, result = true, generic.Index
	}
	call.result, call.compiles = typeOf(result), c.byName[function+"Compiled"] != nil
	return call
}

// callOf finds the function for an overload.
func (c *carrier) callOf(overload string) (Call, bool) {
	for _, functions := range calls {
		for id, function := range functions {
			if matches(id, overload) {
				return c.call(function), true
			}
		}
	}
	return Call{}, false
}

func matches(id, overload string) bool {
	ok, _ := path.Match(id, overload) // all ids are valid patterns
	return ok
}

// dynamicCallOf finds the function for a CEL function with a number of arguments if the overload is only known at run
// time. If it is not listed, it has one overload: the arguments must have its types, or the result is crdNoOverload.
func (c *carrier) dynamicCallOf(name string, args int) (Call, bool) {
	for _, function := range dynamicCalls[name] {
		if call := c.call(function); len(call.params) == args {
			return call, true
		}
	}
	return Call{}, false
}

// standardCalls are the declarations of those in the standard library.
var standardCalls = map[string]Call{
	"strings.Contains":   {params: []Type{StringType, StringType}, result: BoolType},
	"strings.HasPrefix":  {params: []Type{StringType, StringType}, result: BoolType},
	"strings.HasSuffix":  {params: []Type{StringType, StringType}, result: BoolType},
	"strings.ReplaceAll": {params: []Type{StringType, StringType, StringType}, result: StringType},
	"strings.TrimSpace":  {params: []Type{StringType}, result: StringType},
}

// calls are the functions that compute overloads, by cel-go's ids. In an id, * is the type of a list's items.
var calls = []map[string]string{
	conversionCalls, stringCalls, listCalls, urlCalls, ipCalls, cidrCalls, quantityCalls, semverCalls, formatCalls,
}

// conversionCalls are those between two types that are known.
var conversionCalls = map[string]string{
	"string_to_bool":      "crdStringToBool",
	"string_to_double":    "crdStringToDouble",
	"string_to_duration":  "crdStringToDuration",
	"string_to_int64":     "crdStringToInt",
	"string_to_uint64":    "crdStringToUint",
	"string_to_timestamp": "crdStringToTime",
	"double_to_int64":     "crdDoubleToInt",
	"double_to_uint64":    "crdDoubleToUint",
	"double_to_string":    "crdDoubleToString",
	"uint64_to_int64":     "crdUintToInt",
	"int64_to_uint64":     "crdIntToUint",
	"int64_to_timestamp":  "crdIntToTime",
	"bytes_to_string":     "crdBytesToString",
	"timestamp_to_string": "crdTimeToString",
	"duration_to_string":  "crdDurationToString",
}

// stringCalls are those on strings: of cel-go's standard library, its ext/strings.go, and Kubernetes' regular
// expressions.
var stringCalls = map[string]string{
	"contains_string":                  "strings.Contains",
	"starts_with_string":               "strings.HasPrefix",
	"ends_with_string":                 "strings.HasSuffix",
	"size_string":                      "crdStringSize",
	"string_size":                      "crdStringSize",
	"matches":                          "crdMatches",
	"matches_string":                   "crdMatches",
	"string_find_string":               "crdFindMatch",
	"string_find_all_string":           "crdFindMatches",
	"string_find_all_string_int":       "crdFindMatchesN",
	"string_char_at_int":               "crdCharAt",
	"string_index_of_string":           "crdIndexOf",
	"string_index_of_string_int":       "crdIndexOfFrom",
	"string_last_index_of_string":      "crdLastIndexOf",
	"string_last_index_of_string_int":  "crdLastIndexOfFrom",
	"string_lower_ascii":               "crdLowerASCII",
	"string_upper_ascii":               "crdUpperASCII",
	"string_replace_string_string":     "strings.ReplaceAll",
	"string_replace_string_string_int": "crdReplace",
	"string_split_string":              "crdSplit",
	"string_split_string_int":          "crdSplitN",
	"string_substring_int":             "crdSubstringFrom",
	"string_substring_int_int":         "crdSubstring",
	"string_trim":                      "strings.TrimSpace",
	"strings_quote":                    "crdQuote",
	"string_format":                    "crdFormat",
	"list_join":                        "crdJoinAll",
	"list_join_string":                 "crdJoin",
}

// urlCalls are those on URLs.
var urlCalls = map[string]string{
	"string_to_url":        "crdParseURL",
	"is_url_string":        "crdIsURL",
	"url_get_scheme":       "crdURLScheme",
	"url_get_host":         "crdURLHost",
	"url_get_hostname":     "crdURLHostname",
	"url_get_port":         "crdURLPort",
	"url_get_escaped_path": "crdURLEscapedPath",
	"url_get_query":        "crdURLQuery",
}

// ipCalls are those on IP addresses.
var ipCalls = map[string]string{
	"string_to_ip":               "crdParseIP",
	"is_ip":                      "crdIsIP",
	"ip_is_canonical":            "crdIsCanonicalIP",
	"ip_family":                  "crdIPFamily",
	"ip_to_string":               "crdIPString",
	"ip_is_unspecified":          "crdIPIsUnspecified",
	"ip_is_loopback":             "crdIPIsLoopback",
	"ip_is_link_local_multicast": "crdIPIsLinkLocalMulticast",
	"ip_is_link_local_unicast":   "crdIPIsLinkLocalUnicast",
	"ip_is_global_unicast":       "crdIPIsGlobalUnicast",
}

// cidrCalls are those on ranges of IP addresses.
var cidrCalls = map[string]string{
	"string_to_cidr":            "crdParseCIDR",
	"is_cidr":                   "crdIsCIDR",
	"cidr_to_string":            "crdCIDRString",
	"cidr_ip":                   "crdCIDRIP",
	"cidr_masked":               "crdCIDRMasked",
	"cidr_prefix_length":        "crdCIDRPrefixLength",
	"cidr_contains_ip_ip":       "crdCIDRContainsIP",
	"cidr_contains_ip_string":   "crdCIDRContainsIPString",
	"cidr_contains_cidr":        "crdCIDRContainsCIDR",
	"cidr_contains_cidr_string": "crdCIDRContainsCIDRString",
}

// quantityCalls are those on quantities.
var quantityCalls = map[string]string{
	"string_to_quantity":       "crdParseQuantity",
	"is_quantity_string":       "crdIsQuantity",
	"quantity_sign":            "crdQuantitySign",
	"quantity_is_integer":      "crdQuantityIsInteger",
	"quantity_get_int":         "crdQuantityInteger",
	"quantity_get_float":       "crdQuantityFloat",
	"quantity_add":             "crdQuantityAdd",
	"quantity_add_int":         "crdQuantityAddInt",
	"quantity_sub":             "crdQuantitySub",
	"quantity_sub_int":         "crdQuantitySubInt",
	"quantity_compare_to":      "crdQuantityCompare",
	"quantity_is_less_than":    "crdQuantityLess",
	"quantity_is_greater_than": "crdQuantityGreater",
}

// semverCalls are those on semantic versions.
var semverCalls = map[string]string{
	"string_to_semver":       "crdParseSemver",
	"string_bool_to_semver":  "crdParseSemverLoosely",
	"is_semver_string":       "crdIsSemver",
	"is_semver_string_bool":  "crdIsSemverLoosely",
	"semver_major":           "crdSemverMajor",
	"semver_minor":           "crdSemverMinor",
	"semver_patch":           "crdSemverPatch",
	"semver_compare_to":      "crdSemverCompare",
	"semver_is_less_than":    "crdSemverLess",
	"semver_is_greater_than": "crdSemverGreater",
}

// formatCalls are those on named formats.
var formatCalls = map[string]string{
	"format-named":    "crdFindFormat",
	"format-validate": "crdValidateFormat",
}
