package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/internal/cli/release"
)

// A workflow is the part of a GitHub Actions workflow that is run.
type workflow struct {
	Jobs map[string]struct {
		Steps []struct {
			Run  string         `json:"run"`
			Uses string         `json:"uses"`
			With map[string]any `json:"with"`
		} `json:"steps"`
	} `json:"jobs"`
}

// preCommit is the part of a .pre-commit-config.yaml that is run.
type preCommit struct {
	Repos []struct {
		Repo  string `json:"repo"`
		Hooks []hook `json:"hooks"`
	} `json:"repos"`
}

// A hook is a program that pre-commit runs, with the names of the changed files unless it does not want them.
type hook struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Description   string   `json:"description"`
	Language      string   `json:"language"`
	Entry         string   `json:"entry"`
	Args          []string `json:"args"`
	Files         string   `json:"files"`
	PassFilenames *bool    `json:"pass_filenames"`
}

// commandsOf are the commands that other programs run in a file of the documentation, in their order. dir is its
// directory, and source the root of crdproof's own repository.
func commandsOf(name string, data []byte, dir, source string) ([]string, error) {
	switch {
	case strings.HasPrefix(name, ".github/workflows/"):
		return workflowCommands(data, source)
	case name == ".gitlab-ci.yml":
		return gitlabCommands(data)
	case name == ".pre-commit-config.yaml":
		return hookCommands(data, dir, source)
	}
	return nil, nil
}

// onlyPulls matches workflows that run for pull requests alone.
var onlyPulls = regexp.MustCompile(`(?m)^on:( pull_request$|\n  pull_request:$)`)

func workflowCommands(data []byte, source string) (out []string, err error) {
	var w workflow
	if err := yaml.Unmarshal(data, &w); err != nil {
		return nil, err
	}
	if len(w.Jobs) != 1 {
		return nil, fmt.Errorf("%d jobs; which comes first?", len(w.Jobs))
	}
	for _, job := range w.Jobs {
		for _, s := range job.Steps {
			if strings.Contains(s.Run, "${{") {
				return nil, fmt.Errorf("only GitHub knows what it runs: %s", s.Run)
			}
			if s.Run != "" {
				out = append(out, s.Run)
			}
			if isOwnAction(s.Uses) {
				commands, err := actionCommands(source, s.With, newEvent(onlyPulls.Match(data)))
				if err != nil {
					return nil, err
				}
				out = append(out, commands...)
			}
		}
	}
	return out, nil
}

func gitlabCommands(data []byte) (out []string, err error) {
	var jobs map[string]struct {
		Script []string `json:"script"`
	}
	if err := yaml.Unmarshal(data, &jobs); err != nil {
		return nil, err
	}
	if len(jobs) != 1 {
		return nil, fmt.Errorf("%d jobs; which comes first?", len(jobs))
	}
	for _, job := range jobs {
		out = append(out, job.Script...)
	}
	return out, nil
}

func hookCommands(data []byte, dir, source string) (out []string, err error) {
	var config preCommit
	if err := yaml.Unmarshal(data, &config); err != nil {
		return nil, err
	}
	for _, repo := range config.Repos {
		for _, h := range repo.Hooks {
			if repo.Repo == "https://"+release.Module {
				if h, err = ownHook(h, source); err != nil {
					return nil, err
				}
			}
			command := strings.Join(append([]string{h.Entry}, h.Args...), " ")
			files, err := filesOf(h, dir)
			if err != nil {
				return nil, err
			}
			if h.PassFilenames == nil || *h.PassFilenames {
				command += " " + strings.Join(files, " ")
			}
			out = append(out, command)
		}
	}
	return out, nil
}

// ownHook is a hook of crdproof's own .pre-commit-hooks.yaml, with the arguments of its user.
func ownHook(asked hook, source string) (hook, error) {
	data, err := os.ReadFile(filepath.Join(source, ".pre-commit-hooks.yaml"))
	if err != nil {
		return hook{}, err
	}
	var hooks []hook
	if err := yaml.Unmarshal(data, &hooks); err != nil {
		return hook{}, err
	}
	for _, h := range hooks {
		if h.ID == asked.ID {
			if asked.Args != nil {
				h.Args = asked.Args
			}
			if asked.Files != "" {
				h.Files = asked.Files
			}
			return h, nil
		}
	}
	return hook{}, fmt.Errorf("crdproof has no hook %s", asked.ID)
}

// filesOf are the files for which a hook is run. There must be at least one, or the documentation shows a hook that
// never runs.
func filesOf(h hook, dir string) (out []string, err error) {
	pattern, err := regexp.Compile(h.Files)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if pattern.MatchString(filepath.ToSlash(rel)) {
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("no file is called %s", h.Files)
	}
	return out, err
}
