package check_test

import (
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
)

// TestGroup ignores and raises a group, and raises one of its checks over a settings file that ignores the group.
func TestGroup(t *testing.T) {
	table := check.Table{
		{ID: "a", Severity: diag.Warning, Group: diag.GoClients},
		{ID: "b", Severity: diag.Warning, Group: diag.GoClients},
		{ID: "c", Severity: diag.Warning},
	}
	group := []string{diag.GoClients.ID}
	for _, c := range []struct {
		name         string
		policy, file check.Policy
		want         map[string]diag.Severity
	}{
		{"ignored", check.Policy{Ignored: group}, check.Policy{}, map[string]diag.Severity{"c": diag.Warning}},
		{"raised", check.Policy{Raised: group}, check.Policy{},
			map[string]diag.Severity{"a": diag.Error, "b": diag.Error, "c": diag.Warning}},
		{"one raised", check.Policy{Raised: []string{"a"}}, check.Policy{Ignored: group},
			map[string]diag.Severity{"a": diag.Error, "c": diag.Warning}},
	} {
		c.policy.Checks = table
		policy := c.policy.Over(c.file)
		got := map[string]diag.Severity{}
		for _, d := range policy.Apply([]diag.Diagnostic{
			diag.Warningf(diag.Span{}, table[0], "a"), diag.Warningf(diag.Span{}, table[1], "b"),
			diag.Warningf(diag.Span{}, table[2], "c"),
		}) {
			got[d.Check] = d.Severity
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
		for id, severity := range c.want {
			if got[id] != severity {
				t.Errorf("%s: check %s has severity %s, want %s", c.name, id, got[id], severity)
			}
		}
	}
	if bad := table.Usable("ignore", group, true); len(bad) > 0 {
		t.Error(bad)
	}
}
