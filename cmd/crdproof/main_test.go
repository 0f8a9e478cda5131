package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A broken stream panics where it is read, and fails where it is written.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("no such pipe") }

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A panic of any command is told as a finding, in the format that was asked for.
func TestBugIsTold(t *testing.T) {
	for _, args := range [][]string{
		{"check", "-"}, {"validate", "-"}, {"explain", "-"}, {"test", "-"}, {"check", "-", "--format=json"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), args, broken{}, &stdout, &stderr)
		if got := stdout.String() + stderr.String(); code != exitFound ||
			strings.Count(got, "crdproof has a bug: no such pipe") != 1 {
			t.Errorf("%v: exit code %d\n%s", args, code, got)
		}
		if isJSON := strings.HasPrefix(stdout.String(), "{"); isJSON != (len(args) > 2) {
			t.Errorf("%v writes\n%s", args, stdout.String())
		}
	}
}

// What cannot be written makes any command fail, help as well.
func TestUnwritable(t *testing.T) {
	crd := filepath.Join(root(t), "testdata", "quickstart", "crd", "operations.example.com_maintenancenightlyjobs.yaml")
	sample := filepath.Join(t.TempDir(), "sample.yaml")
	text := "apiVersion: operations.example.com/v1\nkind: MaintenanceNightlyJob\nmetadata: {name: a}\n" +
		"spec: {command: ls}\n"
	if err := os.WriteFile(sample, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"check", crd}, {"check", "--help"}, {"--help"}, {"--version"}, {"crd", "-w"}, {"explain", crd},
		{"validate", "--crds=" + crd, sample}, {"check", crd, "--format=sarif"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), args, nil, broken{}, &stderr); code != exitUsage ||
			!strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr.String())
		}
	}
}

// No text for people holds what a text that is formatted would have.
func TestHelpTexts(t *testing.T) {
	words := [][]string{{"--help"}, {"-hhh"}, {"-www"}}
	for _, c := range commands() {
		words = append(words, []string{c.name, "--help"})
	}
	for _, args := range words {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), args, nil, &stdout, &stderr); code != exitClean {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr.String())
		}
		for _, sign := range []string{"%%", "%!", "%s"} {
			if strings.Contains(stdout.String(), sign) {
				t.Errorf("%v prints %s", args, sign)
			}
		}
	}
}
