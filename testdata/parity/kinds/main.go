// Kinds writes a Go module with any number of API kinds, to see how time and memory grow. The same number always
// gives the same tree.
//
//	go run ./kinds number directory
package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strconv"
	"text/template"
)

//go:embed templates module
var files embed.FS

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: kinds number directory")
		os.Exit(2)
	}
	n, err := strconv.Atoi(os.Args[1])
	if err == nil {
		err = write(n, os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kinds:", err)
		os.Exit(1)
	}
}

// write makes the module with n kinds in dir, which may not exist yet.
func write(n int, dir string) error {
	tmpl, err := template.ParseFS(files, "templates/*.tmpl")
	if err != nil {
		return err
	}
	// The files of the embedded module cannot have their own names: they would make it one.
	for embedded, name := range map[string]string{"module/go.mod.txt": "go.mod", "module/go.sum.txt": "go.sum"} {
		data, err := files.ReadFile(embedded)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	if err := writeGo(filepath.Join(dir, "api", "shared", "shared.go"), tmpl, "shared.go.tmpl", nil); err != nil {
		return err
	}
	for i := range n {
		for _, k := range kindVersions(i) {
			if err := writeKind(dir, tmpl, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeKind writes one version of a kind, and its package's documentation over and over: that is simpler than to
// remember which packages have theirs.
func writeKind(dir string, tmpl *template.Template, k kind) error {
	for i := range k.Blocks {
		var body bytes.Buffer
		if err := tmpl.ExecuteTemplate(&body, k.Blocks[i].Name, k.Kind); err != nil {
			return err
		}
		k.Blocks[i].Body = body.String()
	}
	pkg := filepath.Join(dir, "api", k.Area, k.Version)
	doc := fmt.Sprintf("// Package %s is an API group.\n//\n// +kubebuilder:object:generate=true\n// +groupName=%s\n"+
		"package %s\n",
		k.Version, k.Group, k.Version)
	if err := writeFile(filepath.Join(pkg, "doc.go"), []byte(doc)); err != nil {
		return err
	}
	return writeGo(filepath.Join(pkg, k.File), tmpl, "kind.go.tmpl", k)
}

func writeGo(path string, tmpl *template.Template, name string, data any) error {
	var b bytes.Buffer
	if err := tmpl.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return writeFile(path, source)
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
