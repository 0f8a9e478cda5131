package adopt

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/emit"
)

// A Tool is the command that starts crdproof.
type Tool struct {
	// Command is a line of shell. A file that it names is relative to the repository if Modfile is its name in it.
	Command, Modfile string
}

// In returns the command for a directory of the repository.
func (t Tool) In(dir string) string {
	up, err := filepath.Rel(dir, ".")
	if t.Modfile == "" || err != nil {
		return t.Command
	}
	return strings.ReplaceAll(t.Command, t.Modfile, path.Join(filepath.ToSlash(up), t.Modfile))
}

// plain returns a command that needs no shell: one that sets variables is started by env.
func plain(command string) string {
	if first, _, _ := strings.Cut(command, " "); isAssignment(first) {
		return "env " + command
	}
	return command
}

// An edit replaces a part of a file.
type edit struct {
	start, end int
	text       string
}

// Edited returns the files of calls as they start crdproof.
func Edited(root string, calls []Call, tool Tool) (out []emit.File) {
	byFile := map[*file][]Call{}
	var files []*file
	for _, c := range calls {
		if byFile[c.file] == nil {
			files = append(files, c.file)
		}
		byFile[c.file] = append(byFile[c.file], c)
	}
	for _, f := range files {
		list := byFile[f]
		end := "\n"
		if bytes.Contains(f.data, []byte("\r\n")) {
			end = "\r\n"
		}
		var edits []edit
		for _, c := range list {
			edits = append(edits, edit{c.Start, c.End, f.kind.invocation(plain(tool.In(c.Dir)), c.Command)})
		}
		switch f.kind.name {
		case "Makefile":
			edits = append(edits, definitionOf(f, list, tool, end))
		case "go:generate":
			for _, c := range list {
				start := bytes.LastIndexByte(f.data[:c.Start], '\n') + 1
				edits = append(edits, edit{start, start, "// To go back, write this command in the next line: " +
					c.Command + end})
			}
		}
		out = append(out, emit.File{Path: filepath.Join(root, filepath.FromSlash(f.name)), Data: apply(f.data, edits)})
	}
	return out
}

// definitionOf defines the variable of a Makefile, behind that of controller-gen or at the end.
func definitionOf(f *file, calls []Call, tool Tool, lineEnd string) edit {
	first := calls[0]
	command := tool.In(first.main)
	if slices.ContainsFunc(calls, func(c Call) bool { return c.Dir != first.main }) && tool.Modfile != "" {
		command = strings.ReplaceAll(tool.Command, tool.Modfile,
			"$(CURDIR)/"+strings.TrimPrefix(Tool{tool.Modfile, tool.Modfile}.In(first.main), "./"))
	}
	text := fmt.Sprintf("# crdproof writes the CRDs. To go back: %s%sCRDPROOF ?= %s%s", first.Back(), lineEnd, command,
		lineEnd)
	at := slices.MaxFunc(calls, func(a, b Call) int { return cmp.Compare(a.defined, b.defined) }).defined
	if at < 0 {
		at = len(f.data)
		text = lineEnd + text
		if !bytes.HasSuffix(f.data, []byte("\n")) {
			text = lineEnd + text
		}
	}
	return edit{at, at, text}
}

// Back returns how the call starts controller-gen again.
func (c *Call) Back() string {
	switch c.kind.name {
	case "Makefile":
		return "make " + c.Target + " CRDPROOF=" + quoted(c.Command)
	case "go:generate":
		return fmt.Sprintf("%s:%d: write the command of the comment: %s", c.File, c.Line, c.Command)
	}
	command := c.Command
	if _, isVariable := variableName(strings.Trim(command, `"`)); isVariable {
		command = "controller-gen" // the variable is known only in the file
	}
	if c.kind.name == "Taskfile" {
		return "CRDPROOF=" + quoted(command) + " task"
	}
	return "CRDPROOF=" + quoted(command) + " " + c.File
}

// apply applies edits to a text.
func apply(data []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(data[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(data[at:])
	return out.Bytes()
}

// SettingsOf returns a settings file with options of crd.
func SettingsOf(options [][2]string, comments ...string) []byte {
	var out bytes.Buffer
	out.WriteString("# yaml-language-server: $schema=" +
		"https://raw.githubusercontent.com/crdproof/crdproof/main/docs/crdproof.schema.json\n")
	for _, c := range comments {
		fmt.Fprintf(&out, "# %s\n", c)
	}
	out.WriteString("crd:\n")
	for _, o := range options {
		fmt.Fprintf(&out, "  %s: %s\n", o[0], o[1])
	}
	return out.Bytes()
}

// A Check is a command of the CI job.
type Check struct {
	Dir   string
	Words []string
}

// Workflow returns a workflow of GitHub that runs checks.
func Workflow(tool Tool, checks []Check, hasTools bool) []byte {
	var out bytes.Buffer
	out.WriteString(`name: crdproof
on: [push, pull_request]
permissions:
  contents: read
jobs:
  crds:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
      with:
        persist-credentials: false
    - uses: actions/setup-go@4a3601121dd01d1626a1e23e37211e3254c1c06c # v6.4.0
      with:
        go-version-file: go.mod
`)
	if hasTools {
		out.WriteString("        cache-dependency-path: |\n          go.sum\n          tools.sum\n")
	}
	for _, c := range checks {
		fmt.Fprintf(&out, "    - run: %s\n", inYAML(tool.In(c.Dir)+" "+quotedWords(c.Words)))
		if c.Dir != "." {
			fmt.Fprintf(&out, "      working-directory: %s\n", inYAML(c.Dir))
		}
	}
	return out.Bytes()
}

// inYAML returns a text as a plain scalar, or in quotes.
func inYAML(text string) string {
	if strings.Contains(text, ": ") || strings.Contains(text, " #") ||
		strings.ContainsAny(text[:1], "{}[]&*!|>'\"%@`#-?") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return text
}
