package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/mod/semver"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/adopt"
	"github.com/crdproof/crdproof/internal/cli/release"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
)

// pinned returns the command that starts crdproof, and the files that pin its version.
func (a *adoption) pinned(ctx context.Context) (adopt.Tool, []emit.File, error) {
	if a.set.tool != "" {
		return adopt.Tool{Command: a.set.tool}, nil, nil
	}
	const modfile, sums = "tools.mod", "tools.sum"
	tool := adopt.Tool{Command: "GOTOOLCHAIN=go1.26.0+auto go tool -modfile=tools.mod crdproof", Modfile: modfile}
	switch {
	case input.Holds(a.root, "vendor"):
		tool.Command = "GOTOOLCHAIN=go1.26.0+auto GOWORK=off go run -mod=readonly -modfile=tools.mod " +
			release.Module + "/cmd/crdproof"
	case input.Holds(a.root, "go.work"):
		tool.Command = "GOTOOLCHAIN=go1.26.0+auto GOWORK=off go tool -modfile=tools.mod crdproof"
	}
	files := []emit.File{{Path: filepath.Join(a.root, modfile)}, {Path: filepath.Join(a.root, sums)}}
	held, err := os.ReadFile(files[0].Path)
	switch {
	case bytes.Contains(held, []byte(release.Module+"/cmd/crdproof")):
		return tool, nil, nil
	case !a.set.write:
		return tool, files, nil // only their names are printed
	}
	var sum []byte
	if err != nil {
		held = []byte("module tools\n\ngo 1.26\n")
	} else if sum, err = os.ReadFile(files[1].Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return tool, nil, err
	}
	files[0].Data, files[1].Data, err = withTool(ctx, held, sum)
	return tool, files, err
}

// withTool adds crdproof as a tool to a go.mod and its go.sum, with the go command, in a temporary directory.
func withTool(ctx context.Context, mod, sum []byte) (newMod, newSum []byte, err error) {
	temp, remove, err := stage.TempDir(ctx, "crdproof-adopt-")
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	modfile, sumfile := filepath.Join(temp, "go.mod"), filepath.Join(temp, "go.sum")
	if err := cmp.Or(os.WriteFile(modfile, mod, 0o600), os.WriteFile(sumfile, sum, 0o600)); err != nil {
		return nil, nil, err
	}
	wanted := "latest"
	if semver.IsValid(release.Version()) {
		wanted = release.Version()
	}
	get := exec.CommandContext(ctx, "go", "get", "-tool", release.Module+"/cmd/crdproof@"+wanted)
	get.Dir, get.Env = temp, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if text, err := get.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("tools.mod cannot be written: go get -tool: %s", printedLine(string(text)))
	}
	if newMod, err = os.ReadFile(modfile); err != nil {
		return nil, nil, err
	}
	newSum, err = os.ReadFile(sumfile)
	return newMod, newSum, err
}
