package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Tools are the two binaries side by side.
type Tools struct {
	ControllerGen string
	Crdproof      string
}

// Build makes both binaries in binDir with the same compiler and the same flags: controller-gen at the version that
// parityDir's go.mod pins, crdproof from the repository around it. A crdproof that is not "" is used as it is.
func Build(ctx context.Context, parityDir, binDir, crdproof string) (Tools, error) {
	t := Tools{
		ControllerGen: filepath.Join(binDir, "controller-gen"),
		Crdproof:      crdproof,
	}
	if err := build(ctx, parityDir, t.ControllerGen, "sigs.k8s.io/controller-tools/cmd/controller-gen"); err != nil {
		return Tools{}, err
	}
	if crdproof != "" {
		abs, err := filepath.Abs(crdproof)
		t.Crdproof = abs
		return t, err
	}
	t.Crdproof = filepath.Join(binDir, "crdproof")
	return t, build(ctx, RepoDir(parityDir), t.Crdproof, "./cmd/crdproof")
}

// RepoDir is the root of the repository that parityDir lies in.
func RepoDir(parityDir string) string { return filepath.Join(parityDir, "..", "..") }

// build leaves version control stamps out, which a checkout owned by another user would make fail.
func build(ctx context.Context, dir, output, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", output, pkg)
	cmd.Dir = dir
	cmd.Env = environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// environ is the environment of all children: no workspace and no flags of the caller's change what is loaded.
func environ() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "CRDPROOF_CACHE=off")
}
