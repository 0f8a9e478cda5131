package adopt

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
)

// A command is a line of shell with the lines that continue it.
type command struct {
	// text is as in the file, from the offset at on.
	text string
	at   int
	// dir is the directory in which it runs, main that of the Makefile or script; both relative to the repository.
	dir, main string
	// why says why the command is not understood, whatever it is; "" if it may be.
	why    string
	target string
	vars   *variables
}

// inDir says why a directory is not known.
const inDir = "the directory in which it runs is not known"

// mentions matches what names controller-gen.
var mentions = regexp.MustCompile(`(?i)controller[-_]gen\b|controller-tools/cmd/`)

// callsIn returns the calls in commands that follow each other: the recipe of a target, or a script. Commands behind a
// call are its steps. If keepsDir is set, a directory is changed for all commands that follow.
func (f *file) callsIn(list []command, keepsDir bool) (out []Call) {
	moved := ""
	hasMoved := false
	for _, c := range list {
		if hasMoved {
			c.dir = moved
		}
		calls, steps, dir := f.callsOf(c)
		for i := range out {
			if out[i].Target == c.target {
				out[i].then(steps...)
			}
		}
		if len(out) >= effort.AdoptCalls.N() {
			break
		}
		out = append(out, calls...)
		if keepsDir && dir != c.dir {
			moved, hasMoved = dir, true
		}
	}
	return out
}

// callsOf returns the calls in one command with its parts, and the parts behind the last one. dir is the directory
// after it, "" if that is not known.
func (f *file) callsOf(c command) (out []Call, steps []Step, dir string) {
	words, ok := split(c.text)
	if hasOutput := strings.Contains(c.text, "`"); !ok || hasOutput {
		why := "its quotes are not closed"
		if hasOutput {
			why = "it has the output of another command"
		}
		if mentions.MatchString(c.text) && strings.Contains(c.text, "paths=") {
			out = append(out, f.notUnderstood(c, why))
		}
		return out, nil, c.dir
	}
	dir = c.dir
	isBlock := false
	for len(words) > 0 {
		n := slices.IndexFunc(words, func(w word) bool { return w.isOperator && !w.isRedirection() })
		before, after := words, word{}
		if words = nil; n >= 0 {
			before, words, after = before[:n], before[n+1:], before[n]
		}
		if len(before) == 0 {
			continue
		}
		first := strings.TrimLeft(before[0].text, "@-+")
		isBlock = isBlock || slices.Contains(blockWords(), first)
		if first == "cd" || first == "pushd" {
			dir = c.moveTo(dir, before)
			continue
		}
		call, isCall := f.callOf(c, dir, before, after)
		if !isCall {
			for i := range out {
				out[i].then(f.step(c, before))
			}
			steps = append(steps, f.step(c, before))
			continue
		}
		switch {
		case isBlock:
			call.Why = "it is in a loop or a condition"
		case call.Why != "":
		case dir == "":
			call.Why = inDir
		}
		call.Dir, steps = dir, nil
		out = append(out, call)
	}
	return out, steps, dir
}

// blockWords begin the blocks of shells.
func blockWords() []string {
	return []string{"if", "then", "else", "elif", "for", "while", "until", "do", "case", "{"}
}

// moveTo returns the directory after cd, "" if it is not known.
func (c *command) moveTo(dir string, words []word) string {
	if len(words) != 2 || dir == "" {
		return ""
	}
	to, err := c.vars.expand(words[1].text)
	if to = c.local(unquoted(to), dir); err != nil || to == "" || path.IsAbs(to) || strings.ContainsAny(to, "~*$") {
		return ""
	}
	if to = path.Join(dir, to); to == ".." || strings.HasPrefix(to, "../") {
		return ""
	}
	return to
}

// then adds commands behind the call, up to the limit.
func (c *Call) then(steps ...Step) {
	c.After = append(c.After, steps[:min(len(steps), effort.AdoptCalls.N()-len(c.After))]...)
}

// step returns a command behind a call.
func (f *file) step(c command, words []word) Step {
	last := words[len(words)-1]
	text := c.text[words[0].at : last.at+len(last.text)]
	text = strings.TrimLeft(text, "@-+ \t")
	return Step{f.line(c.at + words[0].at), strings.Join(strings.Fields(strings.ReplaceAll(text, "\\\n", " ")), " ")}
}

// notUnderstood returns a call that the user has to edit.
func (f *file) notUnderstood(c command, why string) Call {
	at := max(0, indexOf(mentions, c.text))
	return Call{File: f.name, Line: f.line(c.at + at), Command: f.lineText(c.at + at), Why: why, Dir: c.dir,
		Target: c.target, kind: f.kind, file: f}
}

func indexOf(pattern *regexp.Regexp, text string) int {
	if at := pattern.FindStringIndex(text); at != nil {
		return at[0]
	}
	return -1
}

// callOf returns the call that a simple command is, with the operator behind it.
func (f *file) callOf(c command, dir string, words []word, after word) (Call, bool) {
	last := words[len(words)-1]
	text := c.text[words[0].at : last.at+len(last.text)]
	first, n, why := 0, 0, ""
	for first < len(words) && (isAssignment(words[first].text) || strings.Trim(words[first].text, "@-+") == "") {
		first++
	}
	if first < len(words) {
		n, why = commandWords(words[first:], c.vars)
	}
	takesOptions := strings.Contains(text, "paths=") || mayWrite.MatchString(text)
	switch {
	case n == 0 && mentions.MatchString(text) && strings.Contains(text, "paths="):
		return f.notUnderstood(c, "controller-gen is not the command of the line"), true
	case n == 0 || len(words) == first+n || !takesOptions && c.why == "":
		return Call{}, false
	}
	start := words[first].at
	start += len(words[first].text) - len(strings.TrimLeft(words[first].text, "@-+"))
	end := words[first+n-1].at + len(words[first+n-1].text)
	call := Call{File: f.name, Line: f.line(c.at + start), Command: c.text[start:end], Start: c.at + start,
		End: c.at + end, Target: c.target, Why: c.why, kind: f.kind, file: f}
	if call.Why == "" {
		call.Why = why
	}
	isFine := slices.Contains([]string{"", "&&", ";", ")"}, after.text) &&
		!slices.ContainsFunc(words, word.isRedirection)
	if call.Why == "" && !isFine {
		call.Why = "its output goes to another command or file"
	}
	options := c.text[end : last.at+len(last.text)]
	if names := mayWrite.FindString(options); names == "" || strings.Contains(names, "crd") || names == "_OPTIONS" ||
		strings.Contains(options, "crd") {
		var err error
		if options, err = c.vars.expand(options); err != nil && call.Why == "" {
			call.Why = err.Error()
		}
	}
	expanded, ok := split(options)
	for _, w := range expanded {
		ok = ok && !w.isOperator
		call.Words = append(call.Words, c.local(unquoted(w.text), dir))
	}
	switch {
	case call.Why != "":
	case !ok:
		call.Why = "its options are not plain words"
	case leaves(dir, call.Words):
		call.Why = "it names files outside of the repository"
	}
	return call, true
}

// local returns a text in which the directory of the main Makefile is relative to the one in which a command runs.
func (c *command) local(text, dir string) string {
	up, err := filepath.Rel(dir, c.main)
	if err != nil {
		up = "."
	}
	return strings.ReplaceAll(text, here, filepath.ToSlash(up))
}

// leaves reports whether words name files outside of the repository.
func leaves(dir string, words []string) bool {
	for _, w := range words {
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("=:,;{}\"", r) }) {
			if path.IsAbs(part) || !filepath.IsLocal(path.Join(dir, part)) {
				return true
			}
		}
	}
	return false
}

// changes matches a command that may edit files, and copies one that takes them elsewhere.
var (
	changes = regexp.MustCompile(`(?i)\b(?:g?sed|perl|awk|yq|jq|kustomize|kubectl|rm|mv|tail|python3?|patch)\b|` +
		`\.(?:sh|py|pl)\b|\bgo run\b`)
	copies = regexp.MustCompile(`\b(?:cp|cat|rsync|install)\b`)
)

// mayWrite matches a generator of controller-gen, or an option that a variable has.
var mayWrite = regexp.MustCompile(
	`(?:^|[\s"'])(?:crd|object|rbac|webhook|schemapatch|applyconfiguration)(?:[\s:"']|$)|_OPTIONS\b`)

// isAssignment reports whether a word sets a variable of a command.
func isAssignment(text string) bool {
	name, _, ok := strings.Cut(strings.TrimLeft(text, "@-+"), "=")
	return ok && isName(name)
}

// commandWords returns how many of the words are a command that starts controller-gen, and why it is not understood.
func commandWords(words []word, vars *variables) (n int, why string) {
	first := strings.Trim(strings.TrimLeft(words[0].text, "@-+"), `"'`)
	if isGo(first) {
		return goWords(words)
	}
	if name, ok := variableName(first); ok {
		switch upper := strings.ToUpper(name); {
		case upper == "CONTROLLER_GEN" || upper == "CONTROLLERGEN":
			return 1, ""
		case vars != nil:
			for _, d := range vars.defined[name] {
				if mentions.MatchString(d.value) {
					return 1, ""
				}
			}
		}
		return 0, ""
	}
	if base := path.Base(first); base == "controller-gen" || versioned.MatchString(base) {
		return 1, ""
	}
	return 0, ""
}

// versioned matches the name of the program with its version.
var versioned = regexp.MustCompile(`^controller-gen[-@_]v?\d[\w.]*$`)

// isGo reports whether a word starts the go command.
func isGo(text string) bool {
	name, ok := variableName(text)
	return text == "go" || ok && slices.Contains([]string{"GO", "GO_CMD", "GOCMD"}, name)
}

// variableName returns the name in a reference to a variable.
func variableName(text string) (string, bool) {
	for _, pair := range [][2]string{{"$(", ")"}, {"${", "}"}, {"{{.", "}}"}, {"$", ""}} {
		if rest, ok := strings.CutPrefix(text, pair[0]); ok && strings.HasSuffix(rest, pair[1]) {
			name := strings.TrimSuffix(rest, pair[1])
			return name, isName(name)
		}
	}
	return "", false
}

// goWords returns how many words of go run or go tool start controller-gen.
func goWords(words []word) (n int, why string) {
	for i, w := range words[1:] {
		text := unquoted(w.text)
		switch {
		case text == "-C":
			why = "go -C changes the directory"
		case i == 0 && why == "" && text != "run" && text != "tool" && !strings.HasPrefix(text, "-"):
			return 0, ""
		case path.Base(strings.SplitN(text, "@", 2)[0]) == "controller-gen":
			return i + 2, why
		}
	}
	return 0, ""
}
