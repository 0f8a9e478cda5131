package sample

import "github.com/crdproof/crdproof/diag"

// The checks of objects are mistakes: no policy silences what an API server reports.
var (
	wrongField = &diag.Check{
		ID: "object-field", Mistake: true, Result: true,
		Doc: "The API server rejects the object because of a field. The message is the server's. The position is " +
			"that of the value, of its key, or of the object that lacks the field.",
	}
	undeclared = &diag.Check{
		ID: "object-field-unknown", Mistake: true, MayWarn: true,
		Doc: "The schema has no such field. The API server rejects the object with --field-validation=strict, the " +
			"default of kubectl, and drops the field otherwise.",
		Hurts:  "Users who copy the object: the field is lost.",
		Unless: "the field is for another version of the CRD",
	}
	duplicated = &diag.Check{
		ID: "object-field-duplicate", Mistake: true, MayWarn: true,
		Doc:    "A field is duplicated. Clients send one of the two values and silently drop the other.",
		Hurts:  "Users who copy the object: all values but the last are lost.",
		Unless: "the last value is the one that you mean",
	}
	wrongKind = &diag.Check{
		ID: "object-kind", Mistake: true, Result: true,
		Doc: "There are CRDs for the group of the object, but none of them has its kind.",
	}
	wrongVersion = &diag.Check{
		ID: "object-version", Mistake: true, MayWarn: true,
		Doc:    "The CRD does not serve the apiVersion of the object, or the version is deprecated.",
		Hurts:  "Users who copy the object: API servers do not serve its version, or warn about it.",
		Unless: "the object is for another version of the CRD",
	}
	rejectedWhole = &diag.Check{
		ID: "object-refused", Mistake: true, Result: true,
		Doc: "The API server rejects the object as a whole, for example because metadata has the wrong type. The " +
			"message is the server's.",
	}
	warning = &diag.Check{
		ID: "object-warning", Severity: diag.Warning, Mistake: true,
		Doc:    "The API server accepts the object, but with a warning. The message is the server's.",
		Hurts:  "Users who copy the object: API servers warn them.",
		Unless: "the warning is expected",
	}
	undecodable = &diag.Check{
		ID: "object-undecodable", Severity: diag.Warning, Mistake: true,
		Doc: "The API server accepts a value that Go clients cannot decode, such as 1d for a metav1.Duration. Only " +
			"Go packages say which types the fields have; CRDs in files do not.",
		Hurts:  "Programs in Go that read the object.",
		Unless: "no program in Go reads the field with this type",
	}
	unstorable = &diag.Check{
		ID: "object-stored", Mistake: true, MayWarn: true,
		Doc: "The API server cannot store an object of --old, two of these objects are the same, or no object " +
			"updates it.",
		Hurts:  "Only you: the update is not validated.",
		Unless: "the object is meant for another run",
	}
)

// Checks returns the table of findings about objects.
func Checks() []*diag.Check {
	return []*diag.Check{
		wrongField, undeclared, duplicated, wrongKind, wrongVersion, rejectedWhole, warning, undecodable,
		unstorable,
	}
}
