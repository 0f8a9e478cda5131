package structural_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/structural"
)

// TestTable rejects checks that are not described, or described twice.
func TestTable(t *testing.T) {
	seen, pages := map[string]bool{}, checkdoc.Pages()
	for _, c := range session.Checks(structural.Rows()) {
		if seen[c.ID] {
			t.Errorf("there are two checks %s", c.ID)
		}
		seen[c.ID] = true
		if p := pages[c.ID]; p == nil || !strings.HasSuffix(p.Doc, ".") || p.Bad == "" || p.Good == "" {
			t.Errorf("check %s is not described", c.ID)
		}
		if c.Verdict && c.Severity != diag.Error {
			t.Errorf("check %s is not an error, although API servers reject what it finds", c.ID)
		}
	}
}

// TestFormatExamples makes sure that the example of a format that a help gives is accepted as a default.
func TestFormatExamples(t *testing.T) {
	for _, format := range []string{
		"bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "datetime", "duration", "email", "hexcolor",
		"hostname", "ipv4", "ipv6", "isbn", "isbn10", "isbn13", "k8s-long-name", "k8s-short-name", "mac", "rgbcolor",
		"ssn", "uri", "uuid", "uuid3", "uuid4", "uuid5",
	} {
		part := "type: object\nproperties: {a: {type: string, format: " + format + ", default: \"%\"}}"
		found := structuraltest.Check(t, structuraltest.Read(t, part), kube.DefaultRange())
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Check == "default-invalid" })
		if i < 0 {
			t.Errorf("%s: a default without the format is not reported: %v", format, found)
			continue
		}
		help := found[i].HelpText
		example := strings.Trim(help[strings.LastIndexByte(help, ' ')+1:], `"`)
		if rejections := structuraltest.Verdict(t, structuraltest.Read(t, strings.Replace(part, "%", example, 1))); len(rejections) > 0 {
			t.Errorf("%s: the example %s is rejected: %v", format, example, rejections)
		}
	}
}
