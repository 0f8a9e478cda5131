package input_test

import (
	"testing"

	"github.com/crdproof/crdproof/internal/input"
)

func TestIsRevision(t *testing.T) {
	for arg, want := range map[string]bool{
		"HEAD~1:config/crd/bases": true,
		"v1.2.0:...":              true,
		"HEAD:":                   true,
		"release/1:./x":           true,
		"HEAD^{/fix: the}:x":      true,
		"HEAD^{/fix: the}":        false,
		"config/crd":              false,
		"-":                       false,
		":config":                 false,
		"./a:b":                   false,
		"/a:b":                    false,
		`c:\crds`:                 false,
		"c:/crds":                 false,
		"https://example.com/x":   false,
	} {
		if got := input.IsRevision(arg); got != want {
			t.Errorf("%s: %v, want %v", arg, got, want)
		}
	}
}

func TestRevisionWithoutGit(t *testing.T) {
	t.Setenv("PATH", "")
	_, problems := input.Sources(t.Context(), []string{"v1.0.0:crds"}, nil)
	if len(problems) != 1 || problems[0].Message != "cannot read v1.0.0:crds: git is not installed" {
		t.Errorf("%+v", problems)
	}
}
