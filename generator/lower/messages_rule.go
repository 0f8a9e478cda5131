package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
)

// This file holds the texts of diagnostics about rules that have names.

func ruleUsedOnPackage(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.Arg("use").At, Check: "marker-target", Message: "a package has no value that a rule could hold for",
		HelpText: "use the rule on a type or a field",
	}
}

func ruleWithoutName(m *markers.Marker) diag.Diagnostic {
	return diag.Diagnostic{
		Span: m.At, Check: "marker-missing", Message: "a rule on a package needs a name, by which types and fields use it",
		HelpText: "add name=<name>, and use it with +" + markRule + ":use=<name>, or put the marker on a type or a field",
	}
}

func ruleNamedTwice(name, use *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: name.At, Check: "marker-contradiction", Message: fmt.Sprintf("the rule has a name where it is declared, %q", use.Text),
		HelpText: "remove name=" + name.Text,
	}
}

func badRuleName(name *markers.Value) diag.Diagnostic {
	return diag.Diagnostic{
		Span: name.At, Check: "marker-value", Message: fmt.Sprintf("%q cannot be the name of a rule", name.Text),
		HelpText: "write letters and digits, as in atMostOneSource",
	}
}

func ruleTwice(r, other *namedRule) diag.Diagnostic {
	return diag.Diagnostic{
		Span: r.name.At, Check: "rule-twice", Message: fmt.Sprintf("two rules of package %s are called %q", r.pkg.Name, r.name.V),
		HelpText: "rename one of them, or use the other one with +" + markRule + ":use=" + r.name.V,
		SeeAlso:  related(other.name.At, "the other rule"),
	}
}

func ruleUnused(r *namedRule) diag.Diagnostic {
	return diag.Diagnostic{
		Span: r.name.At, Check: "rule-unused", Message: fmt.Sprintf("nothing uses the rule %q, so that it holds nowhere, and nothing proves it", r.name.V),
		HelpText: "use it on a type or a field with +" + markRule + ":use=" + r.name.V + ", or remove it",
	}
}

func ambiguousRule(use *markers.Value, name string, found []*namedRule) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: use.At, Check: "rule-unknown", Message: fmt.Sprintf("%q may be a rule of several packages", use.Text),
		HelpText: fmt.Sprintf("write the path of the package that is meant: use=%s.%s", found[0].pkg.Path, name),
	}
	for _, r := range found {
		d.SeeAlso = append(d.SeeAlso, related(r.name.At, "in "+r.pkg.Path)...)
	}
	return d
}

// unknownRule names the rules that there are in the packages that were looked into, and in others.
func (b *builder) unknownRule(use *markers.Value, in *load.TypeDecl, lookedInto []*load.Package) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: use.At, Check: "rule-unknown", Message: fmt.Sprintf("there is no rule %q", use.Text),
		HelpText: "declare it with +" + markRule + ":name=" + use.Text + " on a type, a field or the package",
	}
	prefix := strings.TrimSuffix(use.Text, use.Text[strings.LastIndexByte(use.Text, '.')+1:])
	if prefix != "" {
		d.HelpText = "declare it there with +" + markRule + ":name=" + use.Text[len(prefix):] + " on a type, a field or the package"
	}
	var near, listed, elsewhere []string
	for _, pkg := range b.program.Packages() {
		for _, r := range b.rulesOf(pkg).named {
			switch qualified := pkg.Name + "." + r.name.V; {
			case slices.Contains(listed, r.name.V):
			case slices.Contains(lookedInto, pkg):
				near, listed = append(near, prefix+r.name.V), append(listed, r.name.V)
			case pkg == in.Pkg:
				elsewhere = append(elsewhere, r.name.V)
			default:
				elsewhere = append(elsewhere, qualified)
			}
		}
	}
	if len(lookedInto) == 0 {
		d.Notes = append(d.Notes, "no package that was read is called "+strings.TrimSuffix(prefix, ".")+
			": read are those that paths name, and those that have a type of the CRD")
	} else if len(listed) == 0 {
		d.Notes = append(d.Notes, "package "+lookedInto[0].Name+" names no rule")
	} else {
		d.Notes = append(d.Notes, "the rules of package "+lookedInto[0].Name+" are "+strings.Join(listed, ", "))
	}
	if name := meantRule(use.Text, near, elsewhere); name != "" {
		d.HelpText = diag.Meant(name)
	}
	return d
}

// meantRule returns the name that was perhaps meant: one like it in the package, or the same of another package.
func meantRule(text string, near, elsewhere []string) string {
	if name := diag.Near(text, near); name != "" {
		return name
	}
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	if i := slices.IndexFunc(elsewhere, func(name string) bool { return last(name) == last(text) }); i >= 0 {
		return elsewhere[i]
	}
	return diag.Near(text, elsewhere)
}
