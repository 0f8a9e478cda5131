package diff

import "github.com/crdproof/crdproof/diag"

// checks are those of the findings, in the order of the questions.
var checks = [...]*diag.Check{
	Create: {ID: "diff-create", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true,
		Doc:    "The new CRD rejects an object that the old one accepts.",
		Hurts:  "Users who create objects that were accepted before.",
		Unless: "no such objects are created, or the change is announced",
	},
	Stored: {ID: "diff-stored", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true,
		Doc: "A stored object cannot be written any more, or not with a change in another field: the API server does " +
			"not ratchet what has changed.",
		Hurts:  "Users who update stored objects.",
		Unless: "no such objects are stored",
	},
	Kept: {ID: "diff-kept", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true,
		Doc:    "The new CRD drops a field, or a value, that the old one keeps.",
		Hurts:  "Users whose stored objects lose values.",
		Unless: "no such objects are stored",
	},
	Meaning: {ID: "diff-meaning", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true,
		Doc:    "The same object gets another default.",
		Hurts:  "Users who rely on the old default.",
		Unless: "the new default is intended",
	},
	Readers: {ID: "diff-readers", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true,
		Doc: "Clients that were built for the old CRD may not be able to read new objects: an enum grows, a required " +
			"field becomes optional, a type changes, or null is accepted.",
		Hurts:  "Programs that read the objects.",
		Unless: "no program reads the field",
	},
	Definition: {ID: "diff-crd", Severity: diag.Warning, Mistake: true, MayWarn: true, Result: true,
		Doc: "Something else in the CRD has changed that clients may depend on: scope, names, versions, " +
			"subresources, selectable fields, columns, conversion, or how server-side apply merges a field.",
		Hurts:  "Clients that depend on the part that has changed.",
		Unless: "no client depends on it",
	},
}

var silence = &diag.Check{
	ID: "diff-silence", Severity: diag.Warning, Mistake: true, MayWarn: true,
	Doc: "An entry of the file of --silence is wrong; or an entry, or a marker crdproof:ignore, silences nothing any " +
		"more: the change has been released.",
	Hurts:  "Only you: the silence hides nothing.",
	Unless: "other comparisons need it",
}

var stale = &diag.Check{
	ID: "diff-stale", Severity: diag.Error, Mistake: true, MayWarn: true,
	Doc: "The Go types have a change that the files with the CRDs do not have: the files have not been generated " +
		"again, and the answers are about the files.",
	Hurts:  "Only you: the answers are about the old types.",
	Unless: "the files are written by hand",
}

// Checks returns the table of findings about changes of CRDs.
func Checks() []*diag.Check { return append(checks[:len(checks):len(checks)], silence, stale) }
