package gocode

import "slices"

// callOf finds the function for an overload.
func callOf(overload string) (celCall, bool) {
	for _, calls := range [][]celCall{
		stringCalls, listCalls, urlCalls, ipCalls, cidrCalls, quantityCalls, semverCalls, formatCalls,
	} {
		if i := slices.IndexFunc(calls, func(c celCall) bool { return c.overload == overload }); i >= 0 {
			return calls[i], true
		}
	}
	return celCall{}, false
}

// dynamicCallOf finds the function for a CEL function on arguments of unknown types.
func dynamicCallOf(name string, args int) (celDynamicCall, bool) {
	i := slices.IndexFunc(dynamicCalls, func(c celDynamicCall) bool { return c.name == name && c.args == args })
	if i < 0 {
		return celDynamicCall{}, false
	}
	return dynamicCalls[i], true
}

// stringCalls are those on strings: of cel-go's standard library, its ext/strings.go, and Kubernetes' regular
// expressions.
var stringCalls = []celCall{
	{overload: "contains_string", function: "strings.Contains", params: []celType{celString, celString},
		result: celBool},
	{overload: "starts_with_string", function: "strings.HasPrefix", params: []celType{celString, celString},
		result: celBool},
	{overload: "ends_with_string", function: "strings.HasSuffix", params: []celType{celString, celString},
		result: celBool},
	{overload: "size_string", function: "crdStringSize", params: []celType{celString}, result: celInt},
	{overload: "string_size", function: "crdStringSize", params: []celType{celString}, result: celInt},
	{overload: "matches", function: "crdMatches", params: []celType{celString, celString}, result: celBool, fails: true,
		regexp: 1},
	{overload: "matches_string", function: "crdMatches", params: []celType{celString, celString}, result: celBool,
		fails: true, regexp: 1},
	{overload: "string_find_string", function: "crdFindMatch", params: []celType{celString, celString},
		result: celString, fails: true, regexp: 1},
	{overload: "string_find_all_string", function: "crdFindMatches", params: []celType{celString, celString},
		result: celList, fails: true, regexp: 1},
	{overload: "string_find_all_string_int", function: "crdFindMatchesN",
		params: []celType{celString, celString, celInt}, result: celList, fails: true, regexp: 1},
	{overload: "string_char_at_int", function: "crdCharAt", params: []celType{celString, celInt}, result: celString,
		fails: true},
	{overload: "string_index_of_string", function: "crdIndexOf", params: []celType{celString, celString},
		result: celInt},
	{overload: "string_index_of_string_int", function: "crdIndexOfFrom",
		params: []celType{celString, celString, celInt}, result: celInt, fails: true},
	{overload: "string_last_index_of_string", function: "crdLastIndexOf", params: []celType{celString, celString},
		result: celInt},
	{overload: "string_last_index_of_string_int", function: "crdLastIndexOfFrom",
		params: []celType{celString, celString, celInt}, result: celInt, fails: true},
	{overload: "string_lower_ascii", function: "crdLowerASCII", params: []celType{celString}, result: celString},
	{overload: "string_upper_ascii", function: "crdUpperASCII", params: []celType{celString}, result: celString},
	{overload: "string_replace_string_string", function: "strings.ReplaceAll",
		params: []celType{celString, celString, celString}, result: celString},
	{overload: "string_replace_string_string_int", function: "crdReplace",
		params: []celType{celString, celString, celString, celInt}, result: celString},
	{overload: "string_split_string", function: "crdSplit", params: []celType{celString, celString}, result: celList},
	{overload: "string_split_string_int", function: "crdSplitN", params: []celType{celString, celString, celInt},
		result: celList},
	{overload: "string_substring_int", function: "crdSubstringFrom", params: []celType{celString, celInt},
		result: celString, fails: true},
	{overload: "string_substring_int_int", function: "crdSubstring", params: []celType{celString, celInt, celInt},
		result: celString, fails: true},
	{overload: "string_trim", function: "strings.TrimSpace", params: []celType{celString}, result: celString},
	{overload: "strings_quote", function: "crdQuote", params: []celType{celString}, result: celString},
	{overload: "string_format", function: "crdFormat", params: []celType{celString, celList}, result: celString,
		fails: true},
	{overload: "list_join", function: "crdJoinAll", params: []celType{celList}, result: celString, fails: true},
	{overload: "list_join_string", function: "crdJoin", params: []celType{celList, celString}, result: celString,
		fails: true},
}

// urlCalls are those on URLs.
var urlCalls = []celCall{
	{overload: "string_to_url", function: "crdParseURL", params: []celType{celString}, result: celURL, fails: true},
	{overload: "is_url_string", function: "crdIsURL", params: []celType{celString}, result: celBool},
	{overload: "url_get_scheme", function: "crdURLScheme", params: []celType{celURL}, result: celString},
	{overload: "url_get_host", function: "crdURLHost", params: []celType{celURL}, result: celString},
	{overload: "url_get_hostname", function: "crdURLHostname", params: []celType{celURL}, result: celString},
	{overload: "url_get_port", function: "crdURLPort", params: []celType{celURL}, result: celString},
	{overload: "url_get_escaped_path", function: "crdURLEscapedPath", params: []celType{celURL}, result: celString},
	{overload: "url_get_query", function: "crdURLQuery", params: []celType{celURL}},
}

// ipCalls are those on IP addresses.
var ipCalls = []celCall{
	{overload: "string_to_ip", function: "crdParseIP", params: []celType{celString}, result: celIP, fails: true},
	{overload: "is_ip", function: "crdIsIP", params: []celType{celString}, result: celBool},
	{overload: "ip_is_canonical", function: "crdIsCanonicalIP", params: []celType{celString}, result: celBool,
		fails: true},
	{overload: "ip_family", function: "crdIPFamily", params: []celType{celIP}, result: celInt},
	{overload: "ip_to_string", function: "crdIPString", params: []celType{celIP}, result: celString},
	{overload: "ip_is_unspecified", function: "crdIPIsUnspecified", params: []celType{celIP}, result: celBool},
	{overload: "ip_is_loopback", function: "crdIPIsLoopback", params: []celType{celIP}, result: celBool},
	{overload: "ip_is_link_local_multicast", function: "crdIPIsLinkLocalMulticast", params: []celType{celIP},
		result: celBool},
	{overload: "ip_is_link_local_unicast", function: "crdIPIsLinkLocalUnicast", params: []celType{celIP},
		result: celBool},
	{overload: "ip_is_global_unicast", function: "crdIPIsGlobalUnicast", params: []celType{celIP}, result: celBool},
}

// cidrCalls are those on ranges of IP addresses.
var cidrCalls = []celCall{
	{overload: "string_to_cidr", function: "crdParseCIDR", params: []celType{celString}, result: celCIDR, fails: true},
	{overload: "is_cidr", function: "crdIsCIDR", params: []celType{celString}, result: celBool},
	{overload: "cidr_to_string", function: "crdCIDRString", params: []celType{celCIDR}, result: celString},
	{overload: "cidr_ip", function: "crdCIDRIP", params: []celType{celCIDR}, result: celIP},
	{overload: "cidr_masked", function: "crdCIDRMasked", params: []celType{celCIDR}, result: celCIDR},
	{overload: "cidr_prefix_length", function: "crdCIDRPrefixLength", params: []celType{celCIDR}, result: celInt},
	{overload: "cidr_contains_ip_ip", function: "crdCIDRContainsIP", params: []celType{celCIDR, celIP},
		result: celBool},
	{overload: "cidr_contains_ip_string", function: "crdCIDRContainsIPString", params: []celType{celCIDR, celString},
		result: celBool, fails: true},
	{overload: "cidr_contains_cidr", function: "crdCIDRContainsCIDR", params: []celType{celCIDR, celCIDR},
		result: celBool},
	{overload: "cidr_contains_cidr_string", function: "crdCIDRContainsCIDRString",
		params: []celType{celCIDR, celString}, result: celBool, fails: true},
}

// quantityCalls are those on quantities.
var quantityCalls = []celCall{
	{overload: "string_to_quantity", function: "crdParseQuantity", params: []celType{celString}, result: celQuantity,
		fails: true},
	{overload: "is_quantity_string", function: "crdIsQuantity", params: []celType{celString}, result: celBool},
	{overload: "quantity_sign", function: "crdQuantitySign", params: []celType{celQuantity}, result: celInt},
	{overload: "quantity_is_integer", function: "crdQuantityIsInteger", params: []celType{celQuantity},
		result: celBool},
	{overload: "quantity_get_int", function: "crdQuantityInteger", params: []celType{celQuantity}, result: celInt,
		fails: true},
	{overload: "quantity_get_float", function: "crdQuantityFloat", params: []celType{celQuantity}, result: celDouble},
	{overload: "quantity_add", function: "crdQuantityAdd", params: []celType{celQuantity, celQuantity},
		result: celQuantity},
	{overload: "quantity_add_int", function: "crdQuantityAddInt", params: []celType{celQuantity, celInt},
		result: celQuantity},
	{overload: "quantity_sub", function: "crdQuantitySub", params: []celType{celQuantity, celQuantity},
		result: celQuantity},
	{overload: "quantity_sub_int", function: "crdQuantitySubInt", params: []celType{celQuantity, celInt},
		result: celQuantity},
	{overload: "quantity_compare_to", function: "crdQuantityCompare", params: []celType{celQuantity, celQuantity},
		result: celInt},
	{overload: "quantity_is_less_than", function: "crdQuantityLess", params: []celType{celQuantity, celQuantity},
		result: celBool},
	{overload: "quantity_is_greater_than", function: "crdQuantityGreater", params: []celType{celQuantity, celQuantity},
		result: celBool},
}

// semverCalls are those on semantic versions.
var semverCalls = []celCall{
	{overload: "string_to_semver", function: "crdParseSemver", params: []celType{celString}, result: celSemver,
		fails: true},
	{overload: "string_bool_to_semver", function: "crdParseSemverLoosely", params: []celType{celString, celBool},
		result: celSemver, fails: true},
	{overload: "is_semver_string", function: "crdIsSemver", params: []celType{celString}, result: celBool},
	{overload: "is_semver_string_bool", function: "crdIsSemverLoosely", params: []celType{celString, celBool},
		result: celBool},
	{overload: "semver_major", function: "crdSemverMajor", params: []celType{celSemver}, result: celInt},
	{overload: "semver_minor", function: "crdSemverMinor", params: []celType{celSemver}, result: celInt},
	{overload: "semver_patch", function: "crdSemverPatch", params: []celType{celSemver}, result: celInt},
	{overload: "semver_compare_to", function: "crdSemverCompare", params: []celType{celSemver, celSemver},
		result: celInt},
	{overload: "semver_is_less_than", function: "crdSemverLess", params: []celType{celSemver, celSemver},
		result: celBool},
	{overload: "semver_is_greater_than", function: "crdSemverGreater", params: []celType{celSemver, celSemver},
		result: celBool},
}

// formatCalls are those on named formats.
var formatCalls = []celCall{
	{overload: "format-named", function: "crdFindFormat", params: []celType{celString}},
	{overload: "format-validate", function: "crdValidateFormat", params: []celType{celNamedFormat, celString}},
	{overload: "format.dns1123Label", function: "crdFormatDNS1123Label", result: celNamedFormat},
	{overload: "format.dns1123LabelPrefix", function: "crdFormatDNS1123LabelPrefix", result: celNamedFormat},
	{overload: "format.dns1123Subdomain", function: "crdFormatDNS1123Subdomain", result: celNamedFormat},
	{overload: "format.dns1123SubdomainPrefix", function: "crdFormatDNS1123SubdomainPrefix", result: celNamedFormat},
	{overload: "format.dns1035Label", function: "crdFormatDNS1035Label", result: celNamedFormat},
	{overload: "format.dns1035LabelPrefix", function: "crdFormatDNS1035LabelPrefix", result: celNamedFormat},
	{overload: "format.qualifiedName", function: "crdFormatQualifiedName", result: celNamedFormat},
	{overload: "format.labelValue", function: "crdFormatLabelValue", result: celNamedFormat},
	{overload: "format.uri", function: "crdFormatURI", result: celNamedFormat},
	{overload: "format.uuid", function: "crdFormatUUID", result: celNamedFormat},
	{overload: "format.byte", function: "crdFormatByte", result: celNamedFormat},
	{overload: "format.date", function: "crdFormatDate", result: celNamedFormat},
	{overload: "format.datetime", function: "crdFormatDateTime", result: celNamedFormat},
}
