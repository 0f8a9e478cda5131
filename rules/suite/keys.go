package suite

import (
	"fmt"
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

// A place is a mapping of a suite that has keys of its own, as messages call it.
type place string

const (
	inSuite    place = "a suite"
	inTests    place = "tests"
	inOnCreate place = "a case of onCreate"
	inOnUpdate place = "a case of onUpdate"
	inPatch    place = "a patch"
)

// A key is a key of a suite, and what it means.
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
		{keyAPIVersion, []place{inSuite}, "text",
			"`apiextensions.k8s.io/v1`, for tools that want every file to have one; ignored"},
		{keyName, []place{inSuite}, "text", "the name of the suite; that of the file where it is absent"},
		{keyCRDName, []place{inSuite}, "text", "the name of the CRD under test, as in `widgets.example.com`"},
		{keyCRD, []place{inSuite}, "text",
			"a file of CRDs, relative to the suite; with one CRD in it `crdName` may be absent"},
		{keyVersion, []place{inSuite}, "text",
			"the version under test; the CRD is then served and stored in this version alone. Where it is absent, " +
				"objects are written in their own `apiVersion`"},
		{keyGates, []place{inSuite}, "list of texts",
			"of several variants of the CRD, test those that have these feature gates or, after a `-`, do not have " +
				"them"},
		{keyGate, []place{inSuite}, "text", "the same with one gate, as older suites have it"},
		{keyTests, []place{inSuite}, "mapping", "`onCreate` and `onUpdate`"},
		{keyOnCreate, []place{inTests}, "list of cases", "objects that are created"},
		{keyOnUpdate, []place{inTests}, "list of cases", "objects that are created and then updated"},
		{keyName, inCase, "text", "what the case shows"},
		{keyPatches, []place{inOnUpdate}, "list of patches",
			"changes to the CRD under which `initial` is created, such as the removal of a rule, to test ratcheting"},
		{keyInitial, inCase, "object as text",
			"the object that is created; in a case of `onUpdate` its status is written as well, through the status " +
				"subresource"},
		{keyUpdated, []place{inOnUpdate}, "object as text",
			"the object that it is updated with; where it has a status, the status is written next"},
		{keyExpected, inCase, "object as text",
			"what the API server then has; where it is absent `initial` or `updated` themselves"},
		{keyExpectedError, inCase, "text",
			"a part of the error with which the API server refuses the creation, or the update"},
		{keyStatusError, []place{inOnUpdate}, "text", "a part of the error with which it refuses the status"},
		{keyOp, []place{inPatch}, "text", "`add`, `remove`, `replace`, `move`, `copy` or `test`"},
		{keyPath, []place{inPatch}, "text",
			"a JSON pointer into the CRD, as in `/spec/versions/0/schema/openAPIV3Schema/…`"},
		{keyFrom, []place{inPatch}, "text", "the JSON pointer that `move` and `copy` take from"},
		{keyValue, []place{inPatch}, "anything", "the value of `add`, `replace` and `test`"},
	}
}

// An operation is one of RFC 6902, with the keys that it needs beside op and path.
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

// Reference is the table of keys in Markdown.
func Reference() string {
	var out strings.Builder
	out.WriteString("| Key | Of | Type | Meaning |\n|---|---|---|---|\n")
	for _, k := range keys() {
		var in []string
		for _, p := range k.in {
			in = append(in, "`"+strings.TrimPrefix(string(p), "a case of ")+"`")
		}
		of := strings.NewReplacer("`a suite`", "the suite", "`a patch`", "a patch").Replace(strings.Join(in, ", "))
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", k.name, of, k.kind, k.doc)
	}
	return out.String()
}
