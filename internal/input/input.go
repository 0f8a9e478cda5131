// Package input finds and reads the files that the arguments of a command line name: files, directories, trees,
// patterns and standard input, and the same in a revision of the git repository.
package input

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// StandardInput is the name of standard input in findings.
const StandardInput = "<stdin>"

// IsFile reports whether a source was read from a file on disk: its path is absolute then. Standard input and files of
// a revision are not.
func IsFile(src *diag.Source) bool { return filepath.IsAbs(src.Path) }

// A Choice selects the files in directories and trees. A file that an argument names itself is always taken.
type Choice struct {
	// Takes reports whether a file is one of them, by its absolute path, or the path in a revision.
	Takes func(path string) bool
	// Called is the name of such a file in messages.
	Called string
	// Lenient makes an unreadable directory in a tree a warning: a whole repository may have other directories beside
	// those with such files.
	Lenient bool
}

// manifests selects the files with objects: *.yaml, *.yml and *.json.
func manifests() Choice { return Choice{Takes: IsManifest, Called: "*.yaml, *.yml or *.json"} }

// Sources is Choice.Sources for the files with objects: *.yaml, *.yml and *.json.
func Sources(ctx context.Context, args []string, stdin io.Reader) ([]*diag.Source, []diag.Diagnostic) {
	return manifests().Sources(ctx, args, stdin)
}

// Sources reads the files that the arguments name, each once, in the order of the arguments. Mistakes in an argument
// are findings of the check Option, without a position. stdin is nil if standard input must not be read.
func (c Choice) Sources(
	ctx context.Context, args []string, stdin io.Reader,
) (out []*diag.Source, problems []diag.Diagnostic) {
	if len(args) == 0 {
		return nil, only(Errorf("no files are named").
			Help("name files or directories, for example config/crd/bases, or - for standard input"))
	}
	seen := map[string]bool{}
	for _, arg := range args {
		if r, ok := revisionOf(arg); ok {
			sources, problem := r.sources(ctx, c)
			problems = append(problems, problem...)
			for _, src := range sources {
				if !seen[src.Path] {
					out = append(out, src)
				}
				seen[src.Path] = true
			}
			continue
		}
		if arg == "-" && stdin == nil {
			problems = append(problems,
				Errorf("- is not supported here: standard input cannot be read").Help("name a file"))
			continue
		}
		paths, more := c.filesOf(arg)
		problems = append(problems, more...)
		for _, path := range paths {
			if seen[path] {
				continue
			}
			seen[path] = true
			isNamed := path == StandardInput || path == Absolute(arg)
			data, err := readFile(path, isNamed, stdin)
			if err != nil {
				problems = append(problems, unreadableFile(err))
				continue
			}
			out = append(out, &diag.Source{Path: path, Data: data, IsFound: !isNamed})
		}
	}
	return out, problems
}

// readFile reads standard input or a file, which a user names themselves or a directory contains.
func readFile(path string, isNamed bool, stdin io.Reader) ([]byte, error) {
	switch {
	case path == StandardInput:
		return readLimited(stdin)
	case isNamed:
		return ReadNamed(path)
	}
	return ReadFile(path)
}

// filesOf returns the absolute paths of the files that an argument names.
func (c Choice) filesOf(arg string) ([]string, []diag.Diagnostic) {
	if arg == "-" {
		return []string{StandardInput}, nil
	}
	path, err := filepath.Abs(arg)
	if err != nil {
		return nil, only(unreadableFile(err))
	}
	if dir, isTree := strings.CutSuffix(path, string(filepath.Separator)+"..."); isTree {
		return c.filesBelow(arg, dir)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return c.filesIn(arg, path)
	case err == nil:
		return []string{path}, nil
	}
	// The shell leaves a pattern unchanged if it is quoted or matches nothing.
	if matches := filesMatching(path); len(matches) > 0 {
		return matches, nil
	}
	if strings.ContainsAny(arg, "*?[") {
		return nil, only(noMatch(arg))
	}
	d := NotFound(arg)
	if !os.IsNotExist(err) {
		d = unreadableFile(err)
	}
	if near := Near(path, nil); near != "" {
		d.HelpText = diag.Meant(filepath.Join(filepath.Dir(arg), near))
	}
	return nil, only(d)
}

// filesMatching returns the files that match a pattern, without directories, as in a revision.
func filesMatching(pattern string) []string {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(matches, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	})
}

func noMatch(arg string) diag.Diagnostic {
	return Errorf("no files match %s", arg)
}

func unreadableFile(err error) diag.Diagnostic {
	return Errorf("%s", Trouble(err))
}

func only(d diag.Diagnostic) []diag.Diagnostic { return []diag.Diagnostic{d} }

// IsManifest reports whether a file is one of those that are read from a directory: *.yaml, *.yml and *.json.
func IsManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

func (c Choice) filesIn(arg, dir string) (out []string, problems []diag.Diagnostic) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, only(unreadableFile(err))
	}
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); !e.IsDir() && c.Takes(path) {
			out = append(out, path)
		}
	}
	if len(out) == 0 {
		return nil, only(c.nothing(arg).Help("%s", allBelow(arg)))
	}
	return out, nil
}

func (c Choice) nothing(arg string) diag.Diagnostic {
	return Errorf("%s has no %s", arg, c.Called)
}

// filesBelow skips directories whose names begin with a dot, such as .git.
func (c Choice) filesBelow(arg, root string) (out []string, problems []diag.Diagnostic) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && c.Lenient && path != root:
			skipped := unreadableFile(err).Note("the directory is skipped")
			skipped.Severity = diag.Warning
			problems = append(problems, skipped)
			return filepath.SkipDir
		case err != nil:
			return err
		case e.IsDir() && path != root && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case !e.IsDir() && c.Takes(path):
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		return nil, only(unreadableFile(err))
	}
	if len(out) == 0 {
		return nil, append(problems, c.nothing(arg))
	}
	return out, problems
}
