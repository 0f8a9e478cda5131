package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/catalog"
)

// TestCheckDocs checks the documentation of checks in SARIF: GitHub cuts descriptions after 1024 characters.
func TestCheckDocs(t *testing.T) {
	severities := map[string]diag.Severity{"bounds-folded": diag.Note} // a deviation
	for _, c := range catalog.Checks() {
		severities[c.ID] = c.Severity
	}
	for id, severity := range severities {
		doc := checkDoc(id)
		sentence := regexp.MustCompile(`^[A-Z"a-z+].*[^. ]$`).MatchString(doc.Short)
		if !sentence || len(doc.Short) > 1024 || doc.Long == "" || len(doc.Long) > 1024 ||
			!strings.HasPrefix(doc.Markdown, doc.Long) || doc.URI == "" {
			t.Errorf("%s: %+v", id, doc)
		}
		if doc.Severity != severity {
			t.Errorf("%s: severity %s", id, doc.Severity)
		}
	}
}
