package main

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/rules/sample"
)

func badFieldValidation(value string) diag.Diagnostic {
	return optionError("", nil, "--field-validation may only be strict, warn or ignore, not %q", value)
}

func noSamples() diag.Diagnostic {
	return optionError("crdproof validate config/samples", nil, "no file is named")
}

func nothingValidated(count tally, catalog *sample.Catalog, files int) diag.Diagnostic {
	kinds := catalog.Kinds()
	if len(kinds) > maxKinds {
		kinds = append(kinds[:maxKinds], "…")
	}
	notes := []string{"the CRDs have the kinds " + strings.Join(kinds, ", ")}
	if len(count.passedOver) > 0 {
		notes = append(notes, count.strangers())
	}
	return optionError("name the files of objects, as in: crdproof validate config/samples --crds=config/crd/bases", notes,
		"there is no object of a kind of the CRDs in %s", counted(files, "file"))
}

// storedTwice is about an object that has the kind, namespace and name of another one.
func storedTwice(o, first *read.Object) diag.Diagnostic {
	return diag.Diagnostic{
		Span: o.At, Check: "object-stored", Severity: diag.Warning, Message: sample.NameOf(o) + " is stored twice; the first counts",
		SeeAlso: []diag.Related{{Span: first.At, Message: "the first"}},
	}
}

// maxNames is how many objects are named.
const maxNames = 12

// notUpdated is about stored objects that none of the written ones is an update of.
func notUpdated(list []*read.Object) diag.Diagnostic {
	var names []string
	for _, o := range list {
		names = append(names, sample.NameOf(o))
	}
	if len(names) > maxNames {
		names = append(names[:maxNames], "…")
	}
	return diag.Diagnostic{
		Check: "object-stored", Severity: diag.Note, Message: counted(len(list), "stored object") + " without an update: " + strings.Join(names, ", "),
		Notes: []string{"an update has the same kind, namespace and name"},
	}
}

func unanswered(o *read.Object, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: o.At, Check: "internal", Message: fmt.Sprintf("crdproof has a bug: %v", err), HelpText: "please report it together with the object and its CRD"}
}

// outcome is what became of an object, in words.
func outcome(a sample.Answer) string {
	warnings := 0
	for i := range a.Found {
		if a.Found[i].Severity == diag.Warning {
			warnings++
		}
	}
	switch {
	case a.Outcome == sample.Refused:
		return "refused"
	case a.Outcome == sample.Unjudged:
		return "without an answer"
	}
	out := "accepted"
	if warnings > 0 {
		out += " with " + counted(warnings, "warning")
	}
	if a.Webhook {
		out += ", without its conversion webhook"
	}
	return out
}
