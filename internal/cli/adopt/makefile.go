package adopt

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
)

// assignment matches an assignment to a variable in a Makefile.
var assignment = regexp.MustCompile(`^\s*(?:export\s+|override\s+)*([\w.\-]+)\s*(\?=|::?:?=|\+=|!=|=)[ \t]*((?s:.*))$`)

// A makefile is one file while it is read.
type makefile struct {
	*file
	vars *variables
	dir  string
	// conditions counts the conditions around a line, and isDefine is set in a definition of several lines.
	conditions int
	isDefine   bool
	target     string
	commands   []command
	included   []string
	// hasOneShell is set if a recipe is one script.
	hasOneShell bool
	// plain has the end of the line of each assignment that no condition is around.
	plain map[string]int
}

// makefileCalls returns the calls in a Makefile and in those that it includes. A file *.mk is read only so.
func makefileCalls(ctx context.Context, f *file, all map[string]*file) (out []Call) {
	if path.Ext(f.name) == ".mk" {
		return nil
	}
	vars := newVariables(ctx, false)
	var parts []*makefile
	seen := map[string]bool{}
	for queue := []string{f.name}; len(queue) > 0; queue = queue[1:] {
		part := all[queue[0]]
		if part == nil || seen[part.name] || !vars.budget.Spend(len(part.data)) {
			continue
		}
		seen[part.name] = true
		m := &makefile{file: part, vars: vars, dir: path.Dir(f.name), plain: map[string]int{}}
		m.read()
		parts = append(parts, m)
		for _, name := range m.included {
			queue = append(queue, path.Join(path.Dir(f.name), name))
		}
	}
	hasOneShell := slices.ContainsFunc(parts, func(m *makefile) bool { return m.hasOneShell })
	for _, m := range parts {
		for i := range m.commands {
			if hasOneShell && m.commands[i].why == "" {
				m.commands[i].why = "with .ONESHELL, the directory in which it runs is not known"
			}
		}
		for _, call := range m.callsIn(m.commands, false) {
			call.main, call.defined = m.dir, -1
			if name, ok := variableName(strings.Trim(call.Command, `"`)); ok && m.plain[name] > 0 {
				call.defined = m.plain[name]
			}
			out = append(out, call)
		}
	}
	return out
}

// read splits the file into lines with those that continue them.
func (m *makefile) read() {
	text := string(m.data)
	for at := 0; at < len(text); {
		n := lineEnd(text[at:])
		m.readLine(text[at:at+n], at)
		at += n
	}
}

// lineEnd returns the length of a line with those that continue it, and with its line end.
func lineEnd(text string) int {
	for n := 0; ; {
		i := strings.IndexByte(text[n:], '\n')
		if i < 0 {
			return len(text)
		}
		n += i + 1
		if line := strings.TrimSuffix(text[:n-1], "\r"); !strings.HasSuffix(line, `\`) {
			return n
		}
	}
}

// readLine reads a line at an offset.
func (m *makefile) readLine(line string, at int) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	isRecipe := strings.HasPrefix(line, "\t") && m.target != ""
	switch {
	case word == "endef":
		m.isDefine = false
	case m.isDefine:
	case word == "define":
		m.isDefine = true
	case strings.HasPrefix(word, "ifeq") || strings.HasPrefix(word, "ifneq") || word == "ifdef" || word == "ifndef":
		m.conditions++
	case word == "endif":
		m.conditions = max(0, m.conditions-1)
	case word == "else":
	case isRecipe:
		c := command{text: strings.TrimRight(line, "\r\n"), at: at, dir: m.dir, main: m.dir, target: m.target,
			vars: m.vars}
		if m.conditions > 0 {
			c.why = "it is in a condition"
		}
		m.commands = append(m.commands, c)
	case word == "include" || word == "-include" || word == "sinclude":
		if names, err := m.vars.expand(rest); err == nil {
			m.included = append(m.included, strings.Fields(strings.ReplaceAll(names, here+"/", ""))...)
		}
	case strings.HasPrefix(word, "#") || word == "":
	default:
		m.declaration(line, at)
	}
}

// declaration reads an assignment, or the targets of a rule.
func (m *makefile) declaration(line string, at int) {
	text, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " #")
	text = strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(text)
	isUncertain := m.conditions > 0
	if groups := assignment.FindStringSubmatch(text); groups != nil {
		m.vars.define(groups[1], definition{groups[2], strings.TrimSpace(groups[3]), isUncertain})
		if !isUncertain {
			m.plain[groups[1]] = at + len(line)
		}
		m.target = ""
		return
	}
	targets, rest, isRule := strings.Cut(text, ":")
	if !isRule {
		return
	}
	if groups := assignment.FindStringSubmatch(rest); groups != nil { // a variable of the target
		m.vars.define(groups[1], definition{groups[2], groups[3], true})
		return
	}
	m.hasOneShell = m.hasOneShell || strings.TrimSpace(targets) == ".ONESHELL"
	if m.target = strings.TrimSpace(targets); m.target == "" {
		m.target = "?"
	}
}

// inMakefile starts crdproof through a variable, which a command line of make can set.
func inMakefile(string, string) string { return "$(CRDPROOF)" }
