package lower

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

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

// rulesOf collects the named rules in the files of a package that were read, and reports mistakes in their names.
func (rd reader) rulesOf(pkg *load.Package) *packageRules {
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
func (rd reader) collectRules(list *packageRules, pkg *load.Package, comments []markers.Comment,
	target markers.Target, decl *load.TypeDecl) {
	for _, c := range comments {
		if def := rd.table.Lookup(c.Text, target); def == nil || def.Name != markRule {
			continue
		}
		m, ok, _ := rd.table.Parse(c, target) // mistakes are reported where the marker is applied
		name, use := m.Arg("name"), m.Arg("use")
		if pkg.Own && ok {
			rd.checkRuleName(&m, decl == nil)
		}
		switch {
		case use != nil && decl != nil && ok:
			list.uses = append(list.uses, ruleUse{*use, decl})
		case use == nil && name != nil && isRuleName(name.Text):
			rule := withArguments(schema.Rule{At: m.At}, &m)
			list.named = append(list.named, &namedRule{name: textOf(name), pkg: pkg, rule: rule, onPackage: decl == nil,
				broken: !ok && pkg.Own})
		}
	}
}

// checkRuleName reports a rule with an invalid or useless name, and a rule on a package that nothing can use.
func (rd reader) checkRuleName(m *markers.Marker, onPackage bool) {
	name, use := m.Arg("name"), m.Arg("use")
	switch {
	case onPackage && use != nil:
		rd.report(diag.Errorf(use.At, markers.WrongTarget, "crdproof:rule:use applies to types and fields, not to "+
			"packages").
			Help("use the rule on a type or a field"))
	case onPackage && name == nil:
		rd.report(diag.Errorf(m.At, markers.MissingArgument,
			"missing argument \"name\" of crdproof:rule: types and fields use a rule on a package by its name").
			Help("name it, such as name=ordered, and use it with +%s:use=ordered, or move the marker to a type or a "+
				"field", markRule))
	case name != nil && use != nil:
		rd.report(diag.Errorf(name.At, contradictory,
			"unexpected argument \"name\": the rule is already named %q", use.Text).
			Help("remove name=%s", name.Text))
	case name != nil && !isRuleName(name.Text):
		rd.report(diag.Errorf(name.At, markers.BadValue, "invalid rule name %q", name.Text).
			Help("use letters and digits, such as atMostOneSource"))
	case onPackage:
		rd.knownReason(withArguments(schema.Rule{}, m))
	}
}

// isRuleName reports whether a text can be the name of a rule: dots separate a package from a name.
func isRuleName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

// checkNames reports names that two rules of a package have, at both of them.
func (rd reader) checkNames(named []*namedRule) {
	for _, r := range named {
		for _, other := range named {
			if r != other && r.name.V == other.name.V {
				rd.report(diag.Errorf(r.name.At, ruleTwice, "duplicate rule name %q in package %s", r.name.V,
					r.pkg.Name).
					Help("rename one of them, or use the other one with +%s:use=%s", markRule, r.name.V).
					See(other.name.At, "the other rule"))
				break
			}
		}
	}
}

// findRule returns the rule that is used in a declaration, or nil with a diagnostic. The name is that of a rule in the
// same package, or it follows a package's name, as the file imports it, or its path.
func (rd reader) findRule(use *markers.Value, in *load.TypeDecl) *schema.Rule {
	pkgs, name := []*load.Package{in.Pkg}, use.Text
	if i := strings.LastIndexByte(use.Text, '.'); i >= 0 {
		pkgs, name = rd.packagesCalled(use.Text[:i], in), use.Text[i+1:]
	}
	var found []*namedRule
	for _, pkg := range pkgs {
		named := rd.rulesOf(pkg).named
		if i := slices.IndexFunc(named, func(r *namedRule) bool { return r.name.V == name }); i >= 0 {
			named[i].used = true
			found = append(found, named[i])
		}
	}
	switch {
	case len(found) == 0:
		rd.report(rd.unknownRule(use, in, pkgs))
	case len(found) > 1:
		d := diag.Errorf(use.At, ruleUnknown, "several packages have a rule %q", use.Text).
			Help("write %s.%s", found[0].pkg.Path, name)
		for _, r := range found {
			d = d.See(r.name.At, "in %s", r.pkg.Path)
		}
		rd.report(d)
	case !found[0].broken:
		return &found[0].rule
	}
	return nil
}

// unknownRule reports an unknown rule, with the rules of the packages that were searched and of others.
func (rd reader) unknownRule(use *markers.Value, in *load.TypeDecl, lookedInto []*load.Package) diag.Diagnostic {
	prefix := use.Text[:strings.LastIndexByte(use.Text, '.')+1]
	d := diag.Errorf(use.At, ruleUnknown, "unknown rule %q", use.Text)
	if prefix == "" {
		d = d.Help("declare it with +%s:name=%s on a type, a field or the package", markRule, use.Text)
	} else {
		d = d.Help("declare it there with +%s:name=%s on a type, a field or the package", markRule,
			use.Text[len(prefix):])
	}
	var near, listed, elsewhere []string
	for _, pkg := range rd.program.Packages() {
		for _, r := range rd.rulesOf(pkg).named {
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
			"CRD",
			strings.TrimSuffix(prefix, "."))
	case len(listed) == 0:
		d = d.Note("package %s has no named rules", lookedInto[0].Name)
	default:
		d = d.Note("the rules of package %s are %s", lookedInto[0].Name, strings.Join(listed, ", "))
	}
	if name := meantRule(use.Text, near, elsewhere); name != "" {
		d = d.Help("%s", diag.Meant(name))
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
func (rd reader) packagesCalled(name string, in *load.TypeDecl) []*load.Package {
	if pkg := in.Imported(name); pkg != nil {
		return []*load.Package{pkg}
	}
	var out []*load.Package
	for _, pkg := range rd.program.Packages() {
		if pkg.Name == name || pkg.Path == name {
			out = append(out, pkg)
		}
	}
	return out
}

// checkRules reports uses of unknown rules, also in types that no kind leads to, and unused rules of packages.
func (rd reader) checkRules() {
	for _, pkg := range rd.program.Roots {
		for _, use := range rd.rulesOf(pkg).uses {
			rd.findRule(&use.name, use.decl)
		}
	}
	for _, pkg := range rd.program.Roots {
		for _, r := range rd.rulesOf(pkg).named {
			if r.onPackage && !r.used && !r.broken {
				rd.warn(diag.Errorf(r.name.At, ruleUnused,
					"rule %q is not used, so it has no effect and is not validated", r.name.V).
					Help("use it on a type or a field with +%s:use=%s, or remove the rule", markRule, r.name.V))
			}
		}
	}
}
