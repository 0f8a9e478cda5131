package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// standardInput is how standard input is named in findings.
const standardInput = "<stdin>"

// sourcesOf reads the files that the arguments name, each once, in the order of the arguments.
func sourcesOf(args []string, stdin io.Reader) (out []*diag.Source, problems []diag.Diagnostic) {
	if len(args) == 0 {
		return nil, []diag.Diagnostic{noFiles()}
	}
	seen := map[string]bool{}
	for _, arg := range args {
		paths, problem := filesOf(arg)
		if problem != nil {
			problems = append(problems, *problem)
		}
		for _, path := range paths {
			if seen[path] {
				continue
			}
			seen[path] = true
			data, err := readFile(path, stdin)
			if err != nil {
				problems = append(problems, unreadableFile(err))
				continue
			}
			out = append(out, &diag.Source{Path: path, Data: data})
		}
	}
	return out, problems
}

func readFile(path string, stdin io.Reader) ([]byte, error) {
	if path == standardInput {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(path)
}

// filesOf returns the absolute paths of the files that an argument stands for.
func filesOf(arg string) ([]string, *diag.Diagnostic) {
	if arg == "-" {
		return []string{standardInput}, nil
	}
	path, err := filepath.Abs(arg)
	if err != nil {
		return nil, addressOf(unreadableFile(err))
	}
	if dir, isTree := strings.CutSuffix(path, string(filepath.Separator)+"..."); isTree {
		return filesBelow(arg, dir)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return filesIn(arg, path)
	case err == nil:
		return []string{path}, nil
	}
	// The shell has left a pattern as it is, where it stands in quotes or fits nothing.
	if matches, err := filepath.Glob(path); err == nil && len(matches) > 0 {
		return matches, nil
	}
	return nil, addressOf(noSuchFile(arg, path, err))
}

func addressOf(d diag.Diagnostic) *diag.Diagnostic { return &d }

// isManifest reports whether a file is one of those that a directory stands for.
func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

func filesIn(arg, dir string) (out []string, problem *diag.Diagnostic) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, addressOf(unreadableFile(err))
	}
	for _, e := range entries {
		if !e.IsDir() && isManifest(e.Name()) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	if len(out) == 0 {
		return nil, addressOf(noManifests(arg, filepath.Join(arg, "...")))
	}
	return out, nil
}

// filesBelow passes over directories whose name begins with a dot, such as that of git.
func filesBelow(arg, root string) (out []string, problem *diag.Diagnostic) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != root && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case !e.IsDir() && isManifest(e.Name()):
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		return nil, addressOf(unreadableFile(err))
	}
	if len(out) == 0 {
		return nil, addressOf(noManifests(arg, ""))
	}
	return out, nil
}
