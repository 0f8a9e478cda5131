package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
)

// TestRuleDocs holds what logs say of rules against the limits of GitHub, which cuts descriptions after 1024
// characters.
func TestRuleDocs(t *testing.T) {
	var ids []string
	for _, c := range generator.Checks() {
		ids = append(ids, c.ID)
	}
	for _, id := range append(ids, load.Syntax.ID, "file-differs", "new") {
		doc := ruleDoc(id)
		sentence := regexp.MustCompile(`^[A-Z"a-z+].*[^. ]$`).MatchString(doc.Short)
		if !sentence || len(doc.Short) > 1024 || doc.Long == "" || len(doc.Long) > 1024 ||
			!strings.HasPrefix(doc.Markdown, doc.Long) || doc.URI == "" {
			t.Errorf("%s: %+v", id, doc)
		}
		if (doc.Severity == diag.Error) != (generator.Checks().Of(id) == nil ||
			generator.Checks().Of(id).Severity == diag.Error) {
			t.Errorf("%s: severity %s", id, doc.Severity)
		}
	}
}
