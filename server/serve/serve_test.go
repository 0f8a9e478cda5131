package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// crd is a CRD whose description of the field size is given.
func crd(description string) string {
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd]}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: self.size <= 10, message: a widget is at most 10 large}
            properties:
              size: {description: %q, type: integer, default: 3}
          status:
            type: object
            properties:
              ready: {type: boolean}
`, description)
}

// write writes a file into a directory, and returns its path.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A stream is what a command has written so far.
type stream struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data.Write(p)
}

func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data.String()
}

// await waits until a text is in the stream.
func (s *stream) await(t *testing.T, text string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for ; !strings.Contains(s.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after 30 seconds, %q is not in:\n%s", text, s)
		}
	}
}

// TestCommand runs a command while the server runs, and ends with it.
func TestCommand(t *testing.T) {
	var out, errs stream
	dir := t.TempDir()
	file := write(t, dir, "widgets.yaml", crd("Its size."))
	t.Chdir(dir)
	code := run(t.Context(), []string{file, "--kubeconfig", "kc", "--", "sh", "-c",
		"cd /; grep server: $KUBECONFIG; exit 7"}, strings.NewReader(""), &out, &errs)
	if code != 7 || !strings.Contains(out.String(), "server: https://127.0.0.1:") {
		t.Errorf("exit code %d, output %s", code, &out)
	}
	if !strings.HasPrefix(errs.String(), "serving widgets.example.com at https://127.0.0.1:") {
		t.Errorf("got %s", &errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "kc")); !os.IsNotExist(err) {
		t.Errorf("the kubeconfig remains: %v", err)
	}
}

// TestReload replaces CRDs when their files change, and survives mistakes.
func TestReload(t *testing.T) {
	var out, errs stream
	dir := t.TempDir()
	file := write(t, dir, "widgets.yaml", crd("Its size."))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() { done <- run(ctx, []string{dir}, strings.NewReader(""), &out, &errs) }()
	out.await(t, "export KUBECONFIG=")
	write(t, dir, "widgets.yaml", crd("Its size in inches."))
	errs.await(t, "reloaded: serving widgets.example.com")
	write(t, dir, "widgets.yaml", strings.Replace(crd("Its size."), "self.size", "self.syze", 1))
	errs.await(t, `undefined field "syze"`)
	errs.await(t, "the CRDs with errors are served as they were")
	write(t, dir, "gadgets.yaml", strings.NewReplacer("widget", "gadget", "Widget", "Gadget", "wd", "gd").
		Replace(crd("Its size.")))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	errs.await(t, "reloaded: serving gadgets.example.com")
	errs.await(t, "widgets.example.com was removed from the files, but is still served")
	cancel()
	if code := <-done; code != exitClean {
		t.Errorf("exit code %d", code)
	}
}

// TestMistakes are those that users make.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "config.yaml", "apiVersion: v1\nkind: Config\n")
	wrong := strings.Replace(crd("Its size."), "type: integer, default", "type: int, default", 1)
	bad := write(t, dir, "bad.yaml", wrong)
	write(t, dir, "cm.yaml", "apiVersion: v1\nkind: ConfigMap\n")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"config/crd/bases"}, exitUsage, "error: config/crd/bases does not exist"},
		{[]string{"bda.yaml"}, exitUsage, `did you mean "bad.yaml"?`},
		{[]string{bad}, exitFound, `bad.yaml:25:54: error: unknown type "int"`},
		{[]string{"cm.yaml"}, exitUsage, "no CustomResourceDefinition found in cm.yaml"},
		{[]string{"--kubeconfig", "config.yaml"}, exitUsage, "config.yaml exists, and was not written by this program"},
		{[]string{"--kubeconfig", "no/such/dir/k"}, exitUsage, "no/such/dir/k: open "},
		{[]string{"--address", "0.0.0.0:6443"}, exitUsage, "can be reached by others"},
		{[]string{"--address", "6443"}, exitUsage, "invalid address"},
		{[]string{"--port=6443"}, exitUsage, "unknown flag: --port\nrun `serve --help`"},
		{[]string{"-"}, exitUsage, "- is not supported here"},
		{[]string{"--"}, exitUsage, "expected a command after --"},
		{[]string{"--", "no-such-command"}, exitUsage, "no-such-command"},
		{[]string{"--", "true"}, exitClean, "no CRDs found; looked in "},
		{[]string{"--help"}, exitClean, "Usage:\n  serve [flags]"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			var out stream
			if code := run(t.Context(), test.args, strings.NewReader(""), &out, &out); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.Contains(out.String(), test.want) {
				t.Errorf("%q is not in:\n%s", test.want, &out)
			}
		})
	}
}
