// Package input resolves the arguments of a command line to files and reads them: files, directories, trees, patterns
// and standard input, on disk or in a revision of the git repository.
package input

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// StandardInput is how standard input is named in findings.
const StandardInput = "<stdin>"

// IsFile reports whether a source was read from a file: its path is absolute then. Standard input and the files of a
// revision, which git keeps, are none.
func IsFile(src *diag.Source) bool { return filepath.IsAbs(src.Path) }

// A Choice is the files that directories and trees stand for. What an argument names itself is taken whatever it is.
type Choice struct {
	// Takes reports whether a file is one of them, by its absolute path, or the path in a revision.
	Takes func(path string) bool
	// Called is what messages call such a file.
	Called string
	// Lenient is set where a directory below a tree that cannot be read is a warning: in the tree of a whole
	// repository, other things lie about than such files.
	Lenient bool
}

// manifests are the files that hold objects: *.yaml, *.yml and *.json.
func manifests() Choice { return Choice{Takes: IsManifest, Called: "*.yaml, *.yml or *.json"} }

// Sources is Choice.Sources for the files that hold objects: *.yaml, *.yml and *.json.
func Sources(args []string, stdin io.Reader) ([]*diag.Source, []diag.Diagnostic) {
	return manifests().Sources(args, stdin)
}

// Sources reads the files that the arguments name, each once, in the order of the arguments. What is wrong with an
// argument is told with the check Option, without a position. stdin is nil where standard input is not to be read.
func (c Choice) Sources(args []string, stdin io.Reader) (out []*diag.Source, problems []diag.Diagnostic) {
	if len(args) == 0 {
		return nil, only(Errorf("no file is named").
			Help("name files or directories, such as config/crd/bases, or - for standard input"))
	}
	seen := map[string]bool{}
	for _, arg := range args {
		if r, ok := revisionOf(arg); ok {
			sources, problem := r.sources(c)
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
				Errorf("standard input is not read here").Help("name a file"))
			continue
		}
		paths, more := c.filesOf(arg)
		problems = append(problems, more...)
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
	if path == StandardInput {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(path)
}

// filesOf returns the absolute paths of the files that an argument stands for.
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
	// The shell has left a pattern as it is, where it stands in quotes or fits nothing.
	if matches, err := filepath.Glob(path); err == nil && len(matches) > 0 {
		return matches, nil
	}
	if strings.ContainsAny(arg, "*?[") {
		return nil, only(noneFits(arg))
	}
	d := Errorf("there is no file %s", arg)
	if !os.IsNotExist(err) {
		d = unreadableFile(err)
	}
	if near := Near(path, nil); near != "" {
		d.HelpText = diag.Meant(filepath.Join(filepath.Dir(arg), near))
	}
	return nil, only(d)
}

func noneFits(arg string) diag.Diagnostic {
	return Errorf("no file fits %s", arg)
}

func unreadableFile(err error) diag.Diagnostic {
	return Errorf("%s", Trouble(err))
}

func only(d diag.Diagnostic) []diag.Diagnostic { return []diag.Diagnostic{d} }

// IsManifest reports whether the name of a file is one of those that a directory stands for: *.yaml, *.yml and *.json.
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
	return Errorf("there is no %s in %s", c.Called, arg)
}

// filesBelow passes over directories whose name begins with a dot, such as that of git.
func (c Choice) filesBelow(arg, root string) (out []string, problems []diag.Diagnostic) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && c.Lenient && path != root:
			skipped := unreadableFile(err).Note("nothing below it is looked at")
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
