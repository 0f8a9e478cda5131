package read

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/report"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// TextOf returns the text of an argument, the zero value if it is not given.
func TextOf(v *markers.Value) schema.Text {
	if v == nil {
		return schema.Text{}
	}
	return schema.Text{V: v.Text, At: v.At}
}

// reasons are the values of a rule's reason that the API server accepts (apiextensions/v1, FieldValueErrorReason).
var reasons = [...]string{"FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"}

// WithArguments returns a rule with the arguments of a marker in place of its own.
func WithArguments(r schema.Rule, m *markers.Marker) schema.Rule {
	texts := map[string]*schema.Text{
		"rule": &r.Rule, "message": &r.Message, "messageExpression": &r.MessageExpression, "reason": &r.Reason,
		"fieldPath": &r.FieldPath,
	}
	for _, arg := range m.Args {
		if text := texts[arg.Name]; text != nil {
			*text = TextOf(&arg.Value)
		} else if arg.Name == "optionalOldSelf" {
			r.OptionalOldSelf = &schema.Flag{V: arg.Value.Text == "true", At: arg.Value.At}
		}
	}
	return r
}

// KnownReason reports whether the API server accepts a rule's reason, with a diagnostic if not.
func (rd Reader) KnownReason(r schema.Rule) bool {
	if r.Reason.V == "" || slices.Contains(reasons[:], r.Reason.V) {
		return true
	}
	rd.Report(diag.Errorf(r.Reason.At, markers.BadValue, "unknown reason %q", r.Reason.V).
		Help("%s", report.OneOfThese(r.Reason.V, reasons[:])))
	return false
}

// A namedRule is a rule that can be used by its name.
type namedRule struct {
	name schema.Text
	pkg  *load.Package
	rule schema.Rule
	// onPackage marks a rule that is declared on a package, and has an effect only where it is used.
	onPackage bool
	used      bool
	// broken marks a rule with a mistake in its marker, which is reported there.
	broken bool
}

// packageRules are the named rules that a package declares, and its uses of named rules, in the order of files and
// positions.
type packageRules struct {
	named []*namedRule
	uses  []ruleUse
}

// A ruleUse is the argument of a marker on a declaration, or on a field of it, that names a rule.
type ruleUse struct {
	name markers.Value
	decl *load.TypeDecl
}

// RulesOf collects the named rules in the files of a package that were read, and reports mistakes in their names.
func (rd Reader) RulesOf(pkg *load.Package) *packageRules {
	if list := rd.rules[pkg]; list != nil {
		return list
	}
	list := &packageRules{}
	rd.rules[pkg] = list
	rd.collectRules(list, pkg, pkg.Comments, markers.Package, nil)
	for _, d := range pkg.Decls {
		rd.collectRules(list, pkg, d.Comments, markers.Type, d)
		rd.eachField(d.Spec.Type, func(f *ast.Field) {
			rd.collectRules(list, pkg, d.FieldComments(f), markers.Field, d)
		})
	}
	if pkg.Own {
		rd.checkNames(list.named)
	}
	return list
}

// collectRules adds the rules and uses of one declaration. decl is nil for a package.
func (rd Reader) collectRules(list *packageRules, pkg *load.Package, comments []markers.Comment,
	target markers.Target, decl *load.TypeDecl) {
	for _, c := range comments {
		if def := rd.Table.Lookup(c.Text, target); def == nil || def.Name != MarkRule && !def.IsCondition() {
			continue
		}
		m, ok, _ := rd.Table.Parse(c, target) // mistakes are reported where the marker is applied
		if m.Def.Name != MarkRule {
			continue
		}
		name, use := m.Arg("name"), m.Arg("use")
		if pkg.Own && ok {
			rd.checkRuleName(&m, decl == nil)
		}
		switch {
		case use != nil && decl != nil && ok:
			list.uses = append(list.uses, ruleUse{*use, decl})
		case use == nil && name != nil && isRuleName(name.Text):
			rule := WithArguments(schema.Rule{At: m.At}, &m)
			list.named = append(list.named, &namedRule{name: TextOf(name), pkg: pkg, rule: rule,
				onPackage: decl == nil,
				broken:    !ok && pkg.Own})
		}
	}
}

// checkRuleName reports a rule with an invalid or useless name, and a rule on a package that nothing can use.
func (rd Reader) checkRuleName(m *markers.Marker, onPackage bool) {
	name, use := m.Arg("name"), m.Arg("use")
	switch {
	case onPackage && use != nil:
		rd.Report(diag.Errorf(use.At, markers.WrongTarget, "crdproof:rule:use applies to types and fields, not to "+
			"packages").
			Help("use the rule on a type or a field"))
	case onPackage && name == nil:
		rd.Report(diag.Errorf(m.At, markers.MissingArgument,
			"missing argument \"name\" of crdproof:rule: types and fields use a rule on a package by its name").
			Help("name it, such as name=ordered, and use it with +%s:use=ordered, or move the marker to a type or a "+
				"field", MarkRule))
	case name != nil && use != nil:
		rd.Report(diag.Errorf(name.At, checks.Contradictory,
			"unexpected argument \"name\": the rule is already named %q", use.Text).
			Help("remove name=%s", name.Text))
	case name != nil && !isRuleName(name.Text):
		rd.Report(diag.Errorf(name.At, markers.BadValue, "invalid rule name %q", name.Text).
			Help("use letters and digits, such as atMostOneSource"))
	case onPackage:
		rd.KnownReason(WithArguments(schema.Rule{}, m))
	}
}

// isRuleName reports whether a text can be the name of a rule: dots separate a package from a name.
func isRuleName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// checkNames reports names that two rules of a package have, at both of them.
func (rd Reader) checkNames(named []*namedRule) {
	for _, r := range named {
		for _, other := range named {
			if r != other && r.name.V == other.name.V {
				rd.Report(diag.Errorf(r.name.At, checks.RuleTwice, "duplicate rule name %q in package %s", r.name.V,
					r.pkg.Name).
					Help("rename one of them, or use the other one with +%s:use=%s", MarkRule, r.name.V).
					See(other.name.At, "the other rule"))
				break
			}
		}
	}
}

// FindRule returns the rule that is used in a declaration, or nil with a diagnostic. The name is that of a rule in the
// same package, or it follows a package's name, as the file imports it, or its path.
func (rd Reader) FindRule(use *markers.Value, in *load.TypeDecl) *schema.Rule {
	pkgs, name := []*load.Package{in.Pkg}, use.Text
	if i := strings.LastIndexByte(use.Text, '.'); i >= 0 {
		pkgs, name = rd.packagesCalled(use.Text[:i], in), use.Text[i+1:]
	}
	var found []*namedRule
	for _, pkg := range pkgs {
		named := rd.RulesOf(pkg).named
		if i := slices.IndexFunc(named, func(r *namedRule) bool { return r.name.V == name }); i >= 0 {
			named[i].used = true
			found = append(found, named[i])
		}
	}
	switch {
	case len(found) == 0:
		rd.Report(rd.unknownRule(use, in, pkgs))
	case len(found) > 1:
		d := diag.Errorf(use.At, checks.RuleUnknown, "several packages have a rule %q", use.Text).
			Help("write %s.%s", found[0].pkg.Path, name)
		for _, r := range found {
			d = d.See(r.name.At, "in %s", r.pkg.Path)
		}
		rd.Report(d)
	case !found[0].broken:
		return &found[0].rule
	}
	return nil
}

// unknownRule reports an unknown rule, with the rules of the packages that were searched and of others.
func (rd Reader) unknownRule(use *markers.Value, in *load.TypeDecl, lookedInto []*load.Package) diag.Diagnostic {
	prefix := use.Text[:strings.LastIndexByte(use.Text, '.')+1]
	d := diag.Errorf(use.At, checks.RuleUnknown, "unknown rule %q", use.Text)
	if prefix == "" {
		d = d.Help("declare it with +%s:name=%s on a type, a field or the package", MarkRule, use.Text)
	} else {
		d = d.Help("declare it there with +%s:name=%s on a type, a field or the package", MarkRule,
			use.Text[len(prefix):])
	}
	var near, listed, elsewhere []string
	for _, pkg := range rd.Program.Packages() {
		for _, r := range rd.RulesOf(pkg).named {
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
	switch {
	case len(lookedInto) == 0:
		d = d.Note("no package %s was read: crdproof reads the packages of the paths, and those of the types in the "+
			"CRD", strings.TrimSuffix(prefix, "."))
	case len(listed) == 0:
		d = d.Note("package %s has no named rules", lookedInto[0].Name)
	default:
		d = d.Note("the rules of package %s are %s", lookedInto[0].Name, strings.Join(listed, ", "))
	}
	if name := meantRule(use.Text, near, elsewhere); name != "" {
		d = d.Meant(name)
	}
	return d
}

// meantRule returns a similar name: one in the package, or the same name in another package.
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

// packagesCalled returns the package that a name, or an import path, means in a declaration's file, or all packages
// with that name.
func (rd Reader) packagesCalled(name string, in *load.TypeDecl) []*load.Package {
	if pkg := in.Imported(name); pkg != nil {
		return []*load.Package{pkg}
	}
	var out []*load.Package
	for _, pkg := range rd.Program.Packages() {
		if pkg.Name == name || pkg.Path == name {
			out = append(out, pkg)
		}
	}
	return out
}

// CheckRules reports uses of unknown rules, also in types that no kind leads to, and unused rules of packages.
func (rd Reader) CheckRules() {
	for _, pkg := range rd.Program.Roots {
		for _, use := range rd.RulesOf(pkg).uses {
			rd.FindRule(&use.name, use.decl)
		}
	}
	for _, pkg := range rd.Program.Roots {
		for _, r := range rd.RulesOf(pkg).named {
			if r.onPackage && !r.used && !r.broken {
				rd.Warn(diag.Errorf(r.name.At, checks.RuleUnused,
					"rule %q is not used, so it has no effect and is not validated", r.name.V).
					Help("use it on a type or a field with +%s:use=%s, or remove the rule", MarkRule, r.name.V))
			}
		}
	}
}
