package stale

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A history caches which API groups the Go packages of commits declare.
type history map[string][]string

// declared reports whether git shows that a file was generated here: the commit that last changed it has Go code, not
// vendored, that declares the group. Without git or without such a commit, as in a shallow clone, it returns false.
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

// gitAnswer runs git in a directory. It returns "" on errors: a failure shows as little as an empty answer.
func gitAnswer(ctx context.Context, dir string, args ...string) string {
	command := exec.CommandContext(ctx, "git", args...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
