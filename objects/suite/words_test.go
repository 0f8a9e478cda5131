package suite_test

import (
	"strings"
	"testing"
)

// TestWords expects the errors of several versions of Kubernetes, and some of no version.
func TestWords(t *testing.T) {
	const head = "crdName: widgets.example.com\ntests:\n"
	const size, name = `spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0`,
		`spec.name: Too long: may not be more than 5 bytes`
	const oldName = `spec.name: Too long: may not be longer than 5`
	dir := folder(t, map[string]string{"widgets.yaml": widgets})
	onCreate := func(spec, expected string) string {
		return head + "  onCreate:\n  - name: a\n" +
			"    initial: '{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: " + spec +
			"}'\n    expectedError: |-\n      " + expected + "\n"
	}
	onUpdate := func(key, updated, expected string) string {
		return head + "  onUpdate:\n  - name: a\n" +
			"    initial: '{apiVersion: example.com/v1, kind: Widget, spec: {name: a}}'\n" +
			"    updated: '{apiVersion: example.com/v1, kind: Widget, " + updated + "}'\n    " + key + ": |-\n      " +
			expected + "\n"
	}
	both := "{size: -1, name: abcdefg}"
	fixed, odd := "spec: {name: b}", "spec: {name: a}, status: {phase: Odd}"
	for text, want := range map[string]bool{
		onCreate(both, size):                                                             true,
		onCreate(both, name):                                                             true,
		onCreate(both, oldName):                                                          true,
		onCreate(both, "["+size+", "+name):                                               true,
		onCreate(both, "["+name+", "+size+"]"):                                           true,
		onCreate(both, "["+oldName+", "+size):                                            true,
		onCreate(both, `"w" is invalid: [`+oldName+", "+size):                            true,
		onCreate(both, "invalid: ["+oldName+", "+size):                                   true,
		onCreate(both, oldName+", "+size+", <nil>: Invalid value"):                       true,
		onCreate(both, "["+size+", "+size+"]"):                                           false,
		onCreate(both, "["+size+", "+name+", other]"):                                    false,
		onCreate(both, `"v" is invalid: [`+oldName+", "+size):                            false,
		onCreate(both, `may not be longer than 6`):                                       false,
		onUpdate("expectedError", fixed, `"b": is fixed`):                                true,
		onUpdate("expectedError", fixed, `Invalid value: "string": is`):                  true,
		onUpdate("expectedError", fixed, `Invalid value: "boolean": is`):                 false,
		onUpdate("expectedError", fixed, `Invalid value: "c": is fixed`):                 false,
		onUpdate("expectedStatusError", odd, `status.phase: Unsupported value: "Odd"`):   true,
		onUpdate("expectedStatusError", odd, `invalid: phase: Unsupported value: "Odd"`): true,
		onUpdate("expectedStatusError", odd, `spec.phase: Unsupported value: "Odd"`):     false,
	} {
		report := run(t, dir, parse(t, text))
		if passed, _ := report.Count(); (passed == 1) != want {
			t.Errorf("%s\nmatches: %t\n%v", text[strings.LastIndex(text, "|-"):], !want, report.Findings())
		}
	}
}
