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
	// Fails is set if the function returns a Result of the result's type; one with a dynamic result returns any,
	// which may be a *Failure.
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
// time. If it is not listed, it has one overload: the arguments must have its types, or the result is noOverload.
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
	"string_to_bool":      "StringToBool",
	"string_to_double":    "StringToDouble",
	"string_to_duration":  "StringToDuration",
	"string_to_int64":     "StringToInt",
	"string_to_uint64":    "StringToUint",
	"string_to_timestamp": "StringToTime",
	"double_to_int64":     "DoubleToInt",
	"double_to_uint64":    "DoubleToUint",
	"double_to_string":    "DoubleToString",
	"uint64_to_int64":     "UintToInt",
	"int64_to_uint64":     "IntToUint",
	"int64_to_timestamp":  "IntToTime",
	"bytes_to_string":     "BytesToString",
	"timestamp_to_string": "TimeToString",
	"duration_to_string":  "DurationToString",
}

// stringCalls are those on strings: of cel-go's standard library, its ext/strings.go, and Kubernetes' regular
// expressions.
var stringCalls = map[string]string{
	"contains_string":                  "strings.Contains",
	"starts_with_string":               "strings.HasPrefix",
	"ends_with_string":                 "strings.HasSuffix",
	"size_string":                      "StringSize",
	"string_size":                      "StringSize",
	"matches":                          "Matches",
	"matches_string":                   "Matches",
	"string_find_string":               "FindMatch",
	"string_find_all_string":           "FindMatches",
	"string_find_all_string_int":       "FindMatchesN",
	"string_char_at_int":               "CharAt",
	"string_index_of_string":           "IndexOf",
	"string_index_of_string_int":       "IndexOfFrom",
	"string_last_index_of_string":      "LastIndexOf",
	"string_last_index_of_string_int":  "LastIndexOfFrom",
	"string_lower_ascii":               "LowerASCII",
	"string_upper_ascii":               "UpperASCII",
	"string_replace_string_string":     "strings.ReplaceAll",
	"string_replace_string_string_int": "Replace",
	"string_split_string":              "Split",
	"string_split_string_int":          "SplitN",
	"string_substring_int":             "SubstringFrom",
	"string_substring_int_int":         "Substring",
	"string_trim":                      "strings.TrimSpace",
	"strings_quote":                    "Quote",
	"string_format":                    "Format",
	"list_join":                        "JoinAll",
	"list_join_string":                 "Join",
}

// urlCalls are those on URLs.
var urlCalls = map[string]string{
	"string_to_url":        "ParseURL",
	"is_url_string":        "IsURL",
	"url_get_scheme":       "URLScheme",
	"url_get_host":         "URLHost",
	"url_get_hostname":     "URLHostname",
	"url_get_port":         "URLPort",
	"url_get_escaped_path": "URLEscapedPath",
	"url_get_query":        "URLQuery",
}

// ipCalls are those on IP addresses.
var ipCalls = map[string]string{
	"string_to_ip":               "ParseIP",
	"is_ip":                      "IsIP",
	"ip_is_canonical":            "IsCanonicalIP",
	"ip_family":                  "IPFamily",
	"ip_to_string":               "IPString",
	"ip_is_unspecified":          "IPIsUnspecified",
	"ip_is_loopback":             "IPIsLoopback",
	"ip_is_link_local_multicast": "IPIsLinkLocalMulticast",
	"ip_is_link_local_unicast":   "IPIsLinkLocalUnicast",
	"ip_is_global_unicast":       "IPIsGlobalUnicast",
}

// cidrCalls are those on ranges of IP addresses.
var cidrCalls = map[string]string{
	"string_to_cidr":            "ParseCIDR",
	"is_cidr":                   "IsCIDR",
	"cidr_to_string":            "CIDRString",
	"cidr_ip":                   "CIDRIP",
	"cidr_masked":               "CIDRMasked",
	"cidr_prefix_length":        "CIDRPrefixLength",
	"cidr_contains_ip_ip":       "CIDRContainsIP",
	"cidr_contains_ip_string":   "CIDRContainsIPString",
	"cidr_contains_cidr":        "CIDRContainsCIDR",
	"cidr_contains_cidr_string": "CIDRContainsCIDRString",
}

// quantityCalls are those on quantities.
var quantityCalls = map[string]string{
	"string_to_quantity":       "ParseQuantity",
	"is_quantity_string":       "IsQuantity",
	"quantity_sign":            "QuantitySign",
	"quantity_is_integer":      "QuantityIsInteger",
	"quantity_get_int":         "QuantityInteger",
	"quantity_get_float":       "QuantityFloat",
	"quantity_add":             "QuantityAdd",
	"quantity_add_int":         "QuantityAddInt",
	"quantity_sub":             "QuantitySub",
	"quantity_sub_int":         "QuantitySubInt",
	"quantity_compare_to":      "QuantityCompare",
	"quantity_is_less_than":    "QuantityLess",
	"quantity_is_greater_than": "QuantityGreater",
}

// semverCalls are those on semantic versions.
var semverCalls = map[string]string{
	"string_to_semver":       "ParseSemver",
	"string_bool_to_semver":  "ParseSemverLoosely",
	"is_semver_string":       "IsSemver",
	"is_semver_string_bool":  "IsSemverLoosely",
	"semver_major":           "SemverMajor",
	"semver_minor":           "SemverMinor",
	"semver_patch":           "SemverPatch",
	"semver_compare_to":      "SemverCompare",
	"semver_is_less_than":    "SemverLess",
	"semver_is_greater_than": "SemverGreater",
}

// formatCalls are those on named formats.
var formatCalls = map[string]string{
	"format-named":    "FindFormat",
	"format-validate": "ValidateFormat",
}
