package load

import "github.com/crdproof/crdproof/diag"

// The mistakes in Go packages that are found before their types are read.
var (
	// Failed is the check of packages that cannot be listed or read at all.
	Failed = &diag.Check{
		ID: "load", Mistake: true,
		Doc:  "The Go packages cannot be listed or read at all. The message is often that of the go command.",
		Bad:  "require k8s.io/apimachinery v0.0.1   (in go.mod; this version does not exist)",
		Good: "require k8s.io/apimachinery v0.36.0",
	}
	notListed = &diag.Check{
		ID: "go-list", Mistake: true,
		Doc:  "The go command does not find a package that is named or imported, or cannot read it.",
		Bad:  "import \"k8s.io/apimachinery/pkg/apis/meta/v2\"",
		Good: "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"",
	}
	unreadable = &diag.Check{
		ID: "go-read", Mistake: true,
		Doc: "A Go file of a package cannot be read.",
		Bad: "widget_types.go   (without read permission)", Good: "widget_types.go   (with read permission)",
	}
	// Syntax is the check of syntax errors. One mistake in a file can make several findings.
	Syntax = &diag.Check{
		ID: "go-syntax", Mistake: true,
		Doc: "A Go file does not parse.",
		Bad: "Replicas int `json:\"replicas\"", Good: "Replicas int `json:\"replicas\"`",
	}
	redeclared = &diag.Check{
		ID: "go-redeclared", Mistake: true,
		Doc: "A package declares a type twice.",
		Bad: "type Port int32\n\ntype Port string", Good: "type Port int32\n\ntype PortName string",
	}
)

// Checks is the table of these mistakes.
func Checks() []*diag.Check { return []*diag.Check{Failed, notListed, unreadable, Syntax, redeclared} }
