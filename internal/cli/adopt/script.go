package adopt

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
)

// shellAssignment matches an assignment that is a line of a script.
var shellAssignment = regexp.MustCompile(`^(?:export |readonly |local |declare )?(\w+)=((?s:.*))$`)

// scriptCalls returns the calls in a script. It runs in the root of the repository, unless it changes the directory.
func scriptCalls(ctx context.Context, f *file, _ map[string]*file) []Call {
	if !mentions.Match(f.data) {
		return nil
	}
	vars := newVariables(ctx, true)
	var list []command
	depth := 0
	text := string(f.data)
	for at := 0; at < len(text); {
		n := lineEnd(text[at:])
		line := strings.TrimRight(text[at:at+n], "\r\n")
		trimmed := strings.TrimSpace(line)
		word, _, _ := strings.Cut(trimmed, " ")
		word = strings.TrimSuffix(word, ";")
		c := command{text: line, at: at, dir: ".", main: ".", vars: vars}
		at += n
		switch {
		case strings.HasPrefix(trimmed, "#") || trimmed == "":
			continue
		case slices.Contains([]string{"fi", "done", "esac", "}"}, word):
			depth = max(0, depth-1)
			continue
		case slices.Contains([]string{"if", "for", "while", "until", "case"}, word) && !closes(trimmed),
			strings.HasSuffix(trimmed, "{"):
			depth++
		}
		if depth > 0 {
			c.why = "it is in a loop, a condition or a function"
		}
		if groups := shellAssignment.FindStringSubmatch(trimmed); groups != nil {
			if words, ok := split(groups[1] + "=" + groups[2]); ok && len(words) == 1 {
				vars.define(groups[1], definition{"=", strings.Trim(groups[2], `"'`), depth > 0})
				continue
			}
		}
		list = append(list, c)
	}
	return f.callsIn(list, true)
}

// closes reports whether a line has the end of the block that it begins.
func closes(line string) bool {
	return strings.HasSuffix(line, "fi") || strings.HasSuffix(line, "done") || strings.HasSuffix(line, "esac")
}

// taskCommand matches a command of a Taskfile in one line.
var taskCommand = regexp.MustCompile(`(?m)^[ \t]*(?:- )?(?:cmd: )?(.*controller.gen.*)$`)

// taskfileCalls returns the calls in a Taskfile: of commands that are a line each. They run beside the file.
func taskfileCalls(ctx context.Context, f *file, _ map[string]*file) (out []Call) {
	text := string(f.data)
	for _, at := range taskCommand.FindAllStringSubmatchIndex(text, -1) {
		line := strings.TrimRight(text[at[2]:at[3]], "\r")
		if strings.HasPrefix(line, "#") || !strings.Contains(line, "paths=") {
			continue
		}
		dir := path.Dir(f.name)
		c := command{text: line, at: at[2], dir: dir, main: dir, vars: newVariables(ctx, true)}
		switch {
		case strings.ContainsAny(line[:1], `"'|>`) || strings.Contains(line, ": "):
			c.why = "the command is not a plain text of one line"
		case strings.Contains(text, "\n    dir:") || strings.Contains(text, "\n  dir:"):
			c.why = inDir
		}
		out = append(out, f.callsIn([]command{c}, false)...)
	}
	return out
}

// inShell starts crdproof unless the environment names another program.
func inShell(tool, _ string) string { return "${CRDPROOF:-" + tool + "}" }
