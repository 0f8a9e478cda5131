package sample

import "github.com/crdproof/crdproof/generator/diag"

// The checks of objects are mistakes in what is judged: no policy drops what an API server says.
var (
	wrongField = &diag.Check{
		ID: "object-field", Mistake: true,
		Doc: "The API server refuses the object for what is in a field. The message is the server's, the place that " +
			"of the value, of its key, or of the object that lacks the field.",
		Bad: "spec:\n  replicas: -1 # where the schema has minimum: 0", Good: "spec:\n  replicas: 1",
	}
	undeclared = &diag.Check{
		ID: "object-field-unknown", Mistake: true,
		Doc: "The schema has no such field. With --field-validation=strict, as kubectl asks for, the API server " +
			"refuses the object, otherwise it drops the field.",
		Bad: "spec:\n  replica: 3", Good: "spec:\n  replicas: 3",
	}
	duplicated = &diag.Check{
		ID: "object-field-duplicate", Mistake: true,
		Doc: "A field is there twice. Clients send one of the two values, and say nothing of the other.",
		Bad: "spec:\n  replicas: 3\n  replicas: 1", Good: "spec:\n  replicas: 3",
	}
	wrongKind = &diag.Check{
		ID: "object-kind", Mistake: true,
		Doc: "The group of the object is that of a CRD, but none of its CRDs has the kind.",
		Bad: "apiVersion: example.com/v1\nkind: Widgte", Good: "apiVersion: example.com/v1\nkind: Widget",
	}
	wrongVersion = &diag.Check{
		ID: "object-version", Mistake: true,
		Doc:  "The apiVersion of the object is none that its CRD serves, or one that is deprecated.",
		Bad:  "apiVersion: example.com/v1alpha1 # which is not served any more\nkind: Widget",
		Good: "apiVersion: example.com/v1\nkind: Widget",
	}
	refusedWhole = &diag.Check{
		ID: "object-refused", Mistake: true,
		Doc: "The API server refuses the object as a whole, such as for metadata of a wrong type. The message is the " +
			"server's.",
		Bad: "metadata:\n  labels:\n    release: 2", Good: "metadata:\n  labels:\n    release: \"2\"",
	}
	warning = &diag.Check{
		ID: "object-warning", Severity: diag.Warning, Mistake: true,
		Doc: "The API server accepts the object and answers with a warning. The message is the server's.",
	}
	unstorable = &diag.Check{
		ID: "object-stored", Mistake: true,
		Doc: "An object that is named with --old cannot be stored in any API server, is there twice, or has no " +
			"update among the objects.",
	}
)

// Checks is the table of what is said about objects.
func Checks() []*diag.Check {
	return []*diag.Check{
		wrongField, undeclared, duplicated, wrongKind, wrongVersion, refusedWhole, warning, unstorable,
	}
}
