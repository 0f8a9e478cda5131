package suite

import (
	"fmt"
	"slices"
	"strings"
)

// The keys of suites.
const (
	keyAPIVersion    = "apiVersion"
	keyName          = "name"
	keyCRDName       = "crdName"
	keyCRD           = "crd"
	keyGates         = "featureGates"
	keyGate          = "featureGate"
	keyVersion       = "version"
	keyTests         = "tests"
	keyOnCreate      = "onCreate"
	keyOnUpdate      = "onUpdate"
	keyPatches       = "initialCRDPatches"
	keyInitial       = "initial"
	keyUpdated       = "updated"
	keyExpected      = "expected"
	keyExpectedError = "expectedError"
	keyStatusError   = "expectedStatusError"
	keyOp            = "op"
	keyPath          = "path"
	keyFrom          = "from"
	keyValue         = "value"
)

// A place is a mapping of a suite with keys of its own, as messages call it.
type place string

const (
	inSuite    place = "a suite"
	inTests    place = "tests"
	inOnCreate place = "a case of onCreate"
	inOnUpdate place = "a case of onUpdate"
	inPatch    place = "a patch"
)

// A key is a key of a suite with its documentation.
type key struct {
	name string
	in   []place
	kind string
	doc  string
}

// keys are in the order of the reference.
func keys() []key {
	inCase := []place{inOnCreate, inOnUpdate}
	return []key{
		{keyAPIVersion, []place{inSuite}, "string",
			"`apiextensions.k8s.io/v1`, for tools that want every file to have one; ignored"},
		{keyName, []place{inSuite}, "string", "the name of the suite; the default is the name of the file"},
		{keyCRDName, []place{inSuite}, "string", "the name of the CRD under test, such as `widgets.example.com`"},
		{keyCRD, []place{inSuite}, "string",
			"a file with CRDs, relative to the suite; `crdName` may be absent if the file has only one CRD"},
		{keyVersion, []place{inSuite}, "string",
			"the version under test, the only one that is then served and stored; without it, objects are written in " +
				"their own `apiVersion`"},
		{keyGates, []place{inSuite}, "list of strings",
			"test only the variants of the CRD with these feature gates; `-Name` means without the gate"},
		{keyGate, []place{inSuite}, "string", "one feature gate, as in older suites"},
		{keyTests, []place{inSuite}, "mapping", "`onCreate` and `onUpdate`"},
		{keyOnCreate, []place{inTests}, "list of cases", "objects that are created"},
		{keyOnUpdate, []place{inTests}, "list of cases", "objects that are created and then updated"},
		{keyName, inCase, "string", "what the case tests"},
		{keyPatches, []place{inOnUpdate}, "list of patches",
			"changes to the CRD for the creation of `initial`, such as the removal of a rule, to test ratcheting"},
		{keyInitial, inCase, "object in a string",
			"the object to create; a case of `onUpdate` also writes its status, through the status subresource"},
		{keyUpdated, []place{inOnUpdate}, "object in a string",
			"the object to update it with; if it has a status, the status is written next"},
		{keyExpected, inCase, "object in a string",
			"the object that the API server then has; the default is the object that was sent"},
		{keyExpectedError, inCase, "string",
			"a part of the error with which the API server rejects the creation or the update"},
		{keyStatusError, []place{inOnUpdate}, "string", "a part of the error with which it rejects the status"},
		{keyOp, []place{inPatch}, "string", "`add`, `remove`, `replace`, `move`, `copy` or `test`"},
		{keyPath, []place{inPatch}, "string",
			"a JSON pointer into the CRD, such as `/spec/versions/0/schema/openAPIV3Schema`"},
		{keyFrom, []place{inPatch}, "string", "a JSON pointer to the source of `move` and `copy`"},
		{keyValue, []place{inPatch}, "any", "the value of `add`, `replace` and `test`"},
	}
}

// keysOf returns the names of the keys of a place.
func keysOf(in place) (names []string) {
	for _, k := range keys() {
		if slices.Contains(k.in, in) {
			names = append(names, k.name)
		}
	}
	return names
}

// An operation is one of RFC 6902, with the keys that it needs in addition to op and path.
type operation struct {
	name  string
	needs []string
}

func operations() []operation {
	return []operation{
		{"add", []string{keyValue}}, {"remove", nil}, {"replace", []string{keyValue}},
		{"move", []string{keyFrom}}, {"copy", []string{keyFrom}},
		{"test", []string{keyValue}},
	}
}

// Reference returns the table of keys in Markdown.
func Reference() string {
	var out strings.Builder
	out.WriteString("| Key | Of | Type | Meaning |\n|---|---|---|---|\n")
	for _, k := range keys() {
		var in []string
		for _, p := range k.in {
			in = append(in, "`"+strings.TrimPrefix(string(p), "a case of ")+"`")
		}
		owners := strings.NewReplacer("`a suite`", "the suite", "`a patch`", "a patch").Replace(strings.Join(in, ", "))
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", k.name, owners, k.kind, k.doc)
	}
	return out.String()
}
