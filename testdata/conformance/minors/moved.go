package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// From 1.38 on, the types of CRDs and their client are in a module of their own. Until it is published, it is written
// from the module of 1.37, in which they were before.
const (
	typesModule  = "k8s.io/apiextensions-api"
	formerModule = "k8s.io/apiextensions-apiserver"
	formerAt     = "v0.37.2"
)

// moved are the directories that are in the new module.
var moved = []string{"pkg/apis/apiextensions/v1", "pkg/apis/apiextensions/v1beta1", "pkg/client"}

// null is what files that move need of one that does not.
const null = "package %s\n\nvar nullLiteral = []byte(`null`)\n"

// writeTypes writes the new module into a directory. The conversions of the types remain where they were.
func writeTypes(ctx context.Context, to string) error {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", formerModule+"@"+formerAt)
	download.Dir = sources
	out, err := download.Output()
	if err != nil {
		return fmt.Errorf("go mod download %s@%s: %w\n%s", formerModule, formerAt, err, out)
	}
	var former struct{ Dir string }
	if err := json.Unmarshal(out, &former); err != nil {
		return err
	}
	for _, dir := range moved {
		if err := writePackages(former.Dir, to, dir); err != nil {
			return err
		}
	}
	for _, dir := range moved[:2] {
		text := fmt.Sprintf(null, filepath.Base(dir))
		if err := os.WriteFile(filepath.Join(to, dir, "null.go"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("module %s\n\ngo 1.26.0\n\nrequire k8s.io/apimachinery %s\n", typesModule, formerAt)
	return os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o666)
}

// writePackages writes the packages in a directory of a module without their tests and conversions, and with the new
// paths of those that they import.
func writePackages(from, to, dir string) error {
	paths := []string{"sigs.k8s.io/structured-merge-diff/v6", "sigs.k8s.io/structured-merge-diff/v7"}
	for _, m := range moved {
		paths = append(paths, `"`+formerModule+"/"+m, `"`+typesModule+"/"+m)
	}
	renamed := strings.NewReplacer(paths...)
	return filepath.WalkDir(filepath.Join(from, dir), func(path string, entry fs.DirEntry, err error) error {
		isLeft := !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, "conversion.go")
		if err != nil || entry.IsDir() || isLeft {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(to, filepath.Dir(name)), 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), []byte(renamed.Replace(string(data))), 0o666)
	})
}
