// Package config finds and reads the settings file of a repository, .crdproof.yaml: what all commands do by default.
//
// The input is a directory, the output is the settings with their positions, as the packages take them that carry them
// out: presets of options (internal/cli/arguments) and a policy (rules/check). The files:
//
//  1. config.go finds the file
//  2. parse.go reads it with the table of keys (keys.go), and reports every mistake at its position
//  3. diff.go reads the severities of changes
//  4. profiles.go reads profiles of outputs
//  5. paths.go matches files with the patterns of paths
//  6. jsonschema.go describes the file for editors
package config

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/profile"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// Name is the name of settings files.
const Name = ".crdproof.yaml"

// None in place of a file means that there are no settings.
const None = "none"

// Settings are those of a file. The zero value sets nothing.
type Settings struct {
	// Source is the file, nil without one.
	Source *diag.Source
	// Dir is the directory of the file, also if it is one in a revision.
	Dir string
	// IsNone is set if the command line asks for no settings.
	IsNone bool
	// Presets are the options of generators. The settings for all commands are presets of crd and helpers too.
	Presets []arguments.Preset
	// Flags are the values of flags, by their names.
	Flags []Flag
	// CRDs are files, directories, trees and patterns of CRDs, by their absolute paths, for commands that search for
	// CRDs.
	CRDs []schema.Text
	// Policy is what the file ignores and raises.
	Policy check.Policy
	// Profiles are the outputs of crd that the command line can name.
	Profiles []profile.Profile
	// Severities are those of changes, for crdproof diff.
	Severities []diff.Severity
	// Shown are the settings for all commands, for `crdproof config`.
	Shown []arguments.Setting
}

// A Flag is the value of a flag of the commands.
type Flag struct {
	Name, Value string
	At          diag.Span
}

// Mistake is the check of settings files.
var Mistake = &diag.Check{ID: "settings", Mistake: true}

// Checks returns the table of findings about settings.
func Checks() []*diag.Check { return []*diag.Check{Mistake} }

// Find returns the path of the nearest settings file in a directory or above it, up to the root of the repository, or
// of the module outside of repositories. It is "" if there is none.
func Find(dir string) (string, []diag.Diagnostic) {
	root := rootOf(dir)
	for d := range input.Upwards(dir) {
		if input.Holds(d, Name) {
			return filepath.Join(d, Name), nil
		}
		if other := filepath.Join(d, ".crdproof.yml"); input.Holds(d, ".crdproof.yml") {
			return "", []diag.Diagnostic{diag.Errorf(diag.Span{}, Mistake,
				"settings are read from %s, not from %s", Name,
				input.Shown(other)).Help("rename the file to %s", Name)}
		}
		if d == root {
			break
		}
	}
	return "", nil
}

// rootOf returns the directory in which the search ends.
func rootOf(dir string) string {
	if root := input.Repository(dir); root != "" {
		return root
	}
	for d := range input.Upwards(dir) {
		if input.Holds(d, "go.mod") {
			return d
		}
	}
	return dir
}

// Load reads the settings that a command line names: a file, a file in a git revision, None, or "" for the nearest
// file. checks are the checks that the file may name.
func Load(ctx context.Context, name string, checks check.Table) (Settings, []diag.Diagnostic) {
	if name == None {
		return Settings{IsNone: true}, nil
	}
	if input.IsRevision(name) {
		return loadRevision(ctx, name, checks)
	}
	if name == "" {
		dir, err := os.Getwd()
		if err != nil {
			return Settings{}, nil // without a working directory, there is nothing to search
		}
		found, problems := Find(dir)
		if found == "" {
			return Settings{}, problems
		}
		name = found
	}
	data, err := input.ReadFile(name)
	if err != nil {
		d := diag.Errorf(diag.Span{}, Mistake, "%s", input.Trouble(err))
		if errors.Is(err, fs.ErrNotExist) {
			d = d.Help("name a settings file, or write --config=%s to use no settings", None)
		}
		return Settings{}, []diag.Diagnostic{d}
	}
	return Read(&diag.Source{Path: input.Absolute(name), Data: data, Syntax: diag.YAML}, checks)
}

// loadRevision reads a settings file in a git revision. Paths in it mean files on disk, as if the file were there.
func loadRevision(ctx context.Context, name string, checks check.Table) (Settings, []diag.Diagnostic) {
	sources, problems := input.Sources(ctx, []string{name}, nil)
	if len(problems) > 0 {
		return Settings{}, problems
	}
	commit, path, _ := input.Revision(sources[0].Path)
	if len(sources) != 1 {
		return Settings{}, []diag.Diagnostic{diag.Errorf(diag.Span{}, Mistake,
			"--config: expected one file in the revision %s, got %d", commit, len(sources))}
	}
	src := &diag.Source{Path: sources[0].Path, Data: sources[0].Data, Syntax: diag.YAML}
	root := input.Repository(input.Absolute("."))
	return readIn(src, filepath.Join(root, filepath.FromSlash(filepath.Dir(path))), checks)
}

// Read reads a settings file on disk. If a finding is an error, the settings are incomplete.
func Read(src *diag.Source, checks check.Table) (Settings, []diag.Diagnostic) {
	return readIn(src, filepath.Dir(src.Path), checks)
}

// readIn reads a settings file as if it were in a directory.
func readIn(src *diag.Source, dir string, checks check.Table) (Settings, []diag.Diagnostic) {
	p := &parser{src: src, dir: dir, checks: checks}
	p.settings.Source, p.settings.Dir = src, dir
	p.settings.Policy.Checks = checks
	if root := p.root(); root != nil {
		p.members(root, "the settings", keys())
		p.checkPolicy()
	}
	return p.settings, diag.Sort(p.found)
}

// At returns the position of a setting that sets a flag; it is invalid for a flag that no setting sets.
func (s *Settings) At(flag string) diag.Span {
	for _, f := range s.Flags {
		if f.Name == flag {
			return f.At
		}
	}
	return diag.Span{}
}

// show records a setting for all commands.
func (p *parser) show(name string, v schema.Value) {
	p.settings.Shown = append(p.settings.Shown, arguments.Setting{Name: name, Value: arguments.Plain(v), At: v.At})
}
