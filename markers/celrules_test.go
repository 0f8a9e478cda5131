package markers

import (
	"testing"

	"github.com/crdproof/crdproof/diag"
)

// TestBlock adds lines below markers: they become the rule of a marker that has none, and have no effect on others.
func TestBlock(t *testing.T) {
	for text, takes := range map[string]bool{
		"+crdproof:rule": true,
		`+crdproof:rule:message="a, rule=b",reason=x`: true,
		`+crdproof:rule:name=x,optionalOldSelf=true`:  true,
		`+crdproof:rule:rule="self > 0"`:              false,
		`+crdproof:rule:message="x",use=x`:            false,
		"+crdproof:ignore:check=x,reason=y":           false,
		"+kubebuilder:validation:XValidation":         false,
		"+crdproof:rules":                             false,
		"+optional":                                   false,
		"+ self > 0":                                  false,
	} {
		if Known().TakesBlock(text) != takes || ControllerGen().TakesBlock(text) {
			t.Errorf("TakesBlock(%s) is not %t", text, takes)
		}
		src := &diag.Source{Data: []byte(text + "\n//\tself.a ||\n//\tself.b")}
		c := Comment{
			Text: text, At: diag.At(src, 0, len(text)),
			Block: "self.a ||\nself.b", BlockAt: diag.At(src, len(text)+4, len(src.Data)),
		}
		m, ok, diags := Known().Parse(c, Field)
		if !takes {
			continue
		}
		rule := m.Arg("rule")
		if !ok || rule == nil || rule.Kind != String || rule.Text != c.Block || rule.At != c.BlockAt {
			t.Errorf("the rule of %s is %v: %v", text, rule, diags)
		}
		if _, ok, diags := Known().Parse(Comment{Text: text, At: c.At}, Field); ok || len(diags) != 1 ||
			diags[0].Check != MissingArgument.ID {
			t.Errorf("without a block %s gives %v", text, diags)
		}
	}
}
