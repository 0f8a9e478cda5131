package stale

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A history remembers which API groups the Go packages of commits declared.
type history map[string][]string

// declared reports whether git shows that a file was made here: that the commit which last changed it has Go of its
// own, not vendored, that declares the group. Where there is no git, no commit of the file, or none in a shallow clone,
// nothing shows it.
func (h history) declared(ctx context.Context, path, group string) bool {
	dir := filepath.Dir(path)
	commit := gitAnswer(ctx, dir, "log", "-1", "--format=%H", "--", filepath.Base(path))
	if commit == "" {
		return false
	}
	if _, ok := h[commit]; !ok {
		lines := gitAnswer(ctx, dir, "grep", "-h", "-F", "+groupName=", commit, "--", ":(top)*.go",
			":(top,exclude,glob)**/vendor/**")
		h[commit] = []string{}
		for _, m := range groupMarker.FindAllStringSubmatch(lines, -1) {
			h[commit] = append(h[commit], m[1])
		}
	}
	return slices.Contains(h[commit], group)
}

// gitAnswer runs git in a directory. What it cannot answer is "", as what there is not: both show nothing.
func gitAnswer(ctx context.Context, dir string, args ...string) string {
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
