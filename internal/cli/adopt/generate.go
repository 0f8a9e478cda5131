package adopt

import (
	"bytes"
	"context"
	"path"
	"strings"
)

// directive begins the lines that go generate runs.
const directive = "//go:generate "

// generateCalls returns the calls in the directives of a Go file. They run in its directory.
func generateCalls(ctx context.Context, f *file, _ map[string]*file) (out []Call) {
	vars := newVariables(ctx, true)
	for at := 0; at < len(f.data); {
		end := bytes.IndexByte(f.data[at:], '\n')
		if end < 0 {
			end = len(f.data) - at
		}
		line := strings.TrimRight(string(f.data[at:at+end]), "\r")
		if rest, ok := strings.CutPrefix(line, directive); ok && mentions.MatchString(rest) {
			c := command{text: rest, at: at + len(directive), dir: path.Dir(f.name), main: path.Dir(f.name), vars: vars}
			out = append(out, f.callsIn([]command{c}, false)...)
		}
		at += end + 1
	}
	return out
}

// inGo starts crdproof, because go generate has no variables of its own.
func inGo(tool, _ string) string { return tool }
