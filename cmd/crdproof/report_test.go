package main

import (
	"bytes"
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

// TestCounts counts the findings of a long list by check, and by whom they hurt.
func TestCounts(t *testing.T) {
	var list []diag.Diagnostic
	add := func(n int, check string, hurts *diag.Group) {
		for range n {
			list = append(list, diag.Diagnostic{Check: check, Severity: diag.Warning, Hurts: hurts})
		}
	}
	add(1, "cel-text", nil)
	add(2, "cel-absent", nil)
	add(2, "json-zero", diag.GoClients)
	var out bytes.Buffer
	r := &reporter{stderr: &out, ignoring: "crd:ignore="}
	r.sayCounts(list)
	if out.Len() > 0 {
		t.Errorf("a short list is counted: %s", out.String())
	}
	add(1, "cel-cost-share", diag.Future)
	r.sayCounts(list)
	const want = "every user: 2 cel-absent, 1 cel-text\n" +
		"clients in Go: 2 json-zero (crd:ignore=go-clients leaves them out)\n" +
		"no one yet: 1 cel-cost-share (crd:ignore=future leaves them out)\n"
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}
