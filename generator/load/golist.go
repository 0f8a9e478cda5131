package load

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// listMode is what the go command is asked for. Compiled files and type sizes are left out on purpose: they would
// double the time, and only cgo and unsafe.Sizeof need them.
const listMode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule

// A Listing is what the go command reports about the packages that the paths name, and about all their imports.
type Listing struct {
	config  Config
	queries []query
	// results are the answers to the queries, one each.
	results [][]*packages.Package
	// read are the files that Load has read.
	read map[string]bool
}

// List runs the go command for all paths. The error is one of running it.
func List(ctx context.Context, cfg Config) (*Listing, error) {
	queries, err := cfg.queries()
	if err != nil {
		return nil, err
	}
	if err := CheckText(cfg.Dir, cfg.Paths); err != nil {
		return nil, err
	}
	ask := cfg.Packages
	if ask == nil {
		ask = packages.Load
	}
	cfg.Progress.Report("listing packages", 0, 0)
	results := make([][]*packages.Package, len(queries))
	errs := make([]error, len(queries))
	var wg sync.WaitGroup
	for i, q := range queries {
		wg.Go(func() {
			results[i], errs[i] = ask(&packages.Config{
				Context:    ctx,
				Mode:       listMode,
				Dir:        q.dir,
				Env:        cfg.Env,
				BuildFlags: []string{"-tags=" + strings.Join(cfg.Tags, ",")},
			}, q.patterns...)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, ListFailed(err, queries[i].dir, queries[i].paths)
		}
	}
	return &Listing{config: cfg, queries: queries, results: results}, nil
}

// CheckText returns an error if the path of a directory, or one of the paths from there, is not valid UTF-8: the go
// command prints paths in JSON, which replaces such bytes.
func CheckText(dir string, paths []string) error {
	for _, path := range append([]string{"."}, paths...) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if !utf8.ValidString(path) {
			return fmt.Errorf("the path %q is not valid UTF-8: the go command cannot list packages there", path)
		}
	}
	return nil
}

// Dirs returns the directories of all packages of the listing that are part of a module, sorted.
func (l *Listing) Dirs() (out []string) {
	for _, result := range l.results {
		packages.Visit(result, nil, func(pkg *packages.Package) {
			if pkg.Module != nil && len(pkg.GoFiles) > 0 {
				out = append(out, filepath.Dir(pkg.GoFiles[0]))
			}
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Over returns the listing for other contents of files: see Config.Overlay.
func (l *Listing) Over(overlay map[string][]byte) *Listing {
	out := *l
	out.config.Overlay = overlay
	return &out
}

// MainFiles returns the paths of the Go files of packages in main modules, which are those that the user works on.
func (l *Listing) MainFiles() map[string]bool {
	out := map[string]bool{}
	for _, result := range l.results {
		packages.Visit(result, nil, func(pkg *packages.Package) {
			if pkg.Module != nil && pkg.Module.Main {
				for _, name := range pkg.GoFiles {
					out[name] = true
				}
			}
		})
	}
	return out
}

// query is one call of the go command.
type query struct {
	dir      string
	patterns []string
	paths    []string // what the user wrote
}

// queries sorts the paths into calls of the go command: one for the package patterns, and one for each module that
// contains file-system paths.
func (cfg Config) queries() ([]query, error) {
	base, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	paths := cfg.Paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var out []query
	byModule := map[string]int{}
	add := func(module, dir, pattern, path string) {
		i, ok := byModule[module]
		if !ok {
			i = len(out)
			byModule[module] = i
			out = append(out, query{dir: dir})
		}
		out[i].patterns = append(out[i].patterns, pattern)
		out[i].paths = append(out[i].paths, path)
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) && !strings.HasPrefix(path, ".") {
			add("", base, path, path)
			continue
		}
		dir, rest := path, ""
		if filepath.Base(path) == "..." {
			dir, rest = filepath.Dir(path), "/..."
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(base, dir)
		}
		dir = filepath.Clean(dir)
		dirs := []string{dir}
		if rest != "" {
			nested, err := nestedModules(dir)
			if err != nil {
				return nil, err
			}
			if len(nested) > 0 && !input.Holds(moduleRoot(dir), "go.mod") {
				dirs = nil // such as that of a go.work: no package is in it, only modules
			}
			dirs = append(dirs, nested...)
		}
		for _, d := range dirs {
			module := moduleRoot(d)
			rel, err := filepath.Rel(module, d)
			if err != nil {
				return nil, err
			}
			add(module, module, "./"+filepath.ToSlash(rel)+rest, path)
		}
	}
	return out, nil
}

// nestedModules returns the directories below dir that hold a go.mod.
func nestedModules(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case !d.IsDir() && d.Name() == "go.mod" && filepath.Dir(path) != dir:
			out = append(out, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for nested modules: %w", err)
	}
	return out, nil
}

// moduleRoot returns the nearest directory at or above dir that holds a go.mod, or dir itself.
func moduleRoot(dir string) string {
	for d := range input.Upwards(dir) {
		if input.Holds(d, "go.mod") {
			return d
		}
	}
	return dir
}

// unmatched reports the paths without packages. One that names several modules needs some in only one of them: a module
// of tools often has no packages without build tags.
func (l *Listing) unmatched() (out []diag.Diagnostic) {
	done := map[string]bool{}
	for i, result := range l.results {
		for _, path := range l.queries[i].paths {
			done[path] = done[path] || len(result) > 0
		}
	}
	for i, result := range l.results {
		rest := slices.DeleteFunc(slices.Clone(l.queries[i].paths), func(path string) bool { return done[path] })
		if len(result) == 0 && len(rest) > 0 {
			out = append(out, NoMatch(l.queries[i].dir, rest))
			for _, path := range rest {
				done[path] = true
			}
		}
	}
	return out
}

// graph turns the go command's answers into Packages. A package that is a root of any answer is used for its import
// path in all of them, so that nested modules see each other's sources.
func (p *Program) graph(l *Listing) {
	roots := map[string]*Package{}
	seen := map[*packages.Package]*Package{}
	p.Diagnostics = append(p.Diagnostics, l.unmatched()...)
	for i, result := range l.results {
		for _, raw := range result {
			if roots[raw.ID] != nil {
				continue
			}
			pkg := p.newPackage(raw)
			pkg.Root, pkg.Own = true, true
			roots[raw.ID] = pkg
			seen[raw] = pkg
			p.Roots = append(p.Roots, pkg)
			p.rootProblems(l.queries[i].dir, raw)
		}
	}
	p.all = append(p.all, p.Roots...)
	var visit func(raw *packages.Package) *Package
	visit = func(raw *packages.Package) *Package {
		if root := roots[raw.ID]; root != nil {
			return root
		}
		if pkg := seen[raw]; pkg != nil {
			return pkg
		}
		pkg := p.newPackage(raw)
		seen[raw] = pkg
		p.all = append(p.all, pkg)
		pkg.Imports = imports(raw, visit)
		return pkg
	}
	for _, result := range l.results {
		for _, raw := range result {
			if pkg := roots[raw.ID]; pkg.Imports == nil {
				pkg.Imports = imports(raw, visit)
			}
		}
	}
	slices.SortStableFunc(p.all[len(p.Roots):], func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
}

func imports(raw *packages.Package, visit func(*packages.Package) *Package) map[string]*Package {
	out := make(map[string]*Package, len(raw.Imports))
	for _, path := range slices.Sorted(maps.Keys(raw.Imports)) {
		out[path] = visit(raw.Imports[path])
	}
	return out
}

// Dir returns the directory of the package's Go files, "" if it has no files.
func (pkg *Package) Dir() string {
	if len(pkg.goFiles) == 0 {
		return ""
	}
	return filepath.Dir(pkg.goFiles[0])
}

func (p *Program) newPackage(raw *packages.Package) *Package {
	path := raw.PkgPath
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	pkg := &Package{
		Path: path,
		// a package that was not found has no name
		Name:    cmp.Or(raw.Name, path[strings.LastIndexByte(path, '/')+1:]),
		program: p,
		goFiles: raw.GoFiles,
		byName:  map[string]*TypeDecl{},
		opaque:  map[string]Opaque{},
	}
	if m := raw.Module; m != nil {
		pkg.Own = m.Main || m.Replace != nil && m.Replace.Version == ""
		pkg.GoVersion = m.GoVersion
	}
	for _, e := range raw.Errors {
		pkg.listed = append(pkg.listed, strings.TrimSpace(e.Msg))
		// If not even the imports parse, the parser reports why, whatever the file holds.
		pkg.broken = pkg.broken || e.Kind == packages.ParseError
	}
	return pkg
}

// rootProblems reports the errors of the go command about a package that the user named. The parser reports syntax
// errors, since it sees all of them.
func (p *Program) rootProblems(dir string, raw *packages.Package) {
	for _, e := range raw.Errors {
		if e.Kind == packages.ParseError || e.Kind == packages.TypeError {
			continue
		}
		d := ListProblem(dir, e.Msg)
		d.Span = p.listed(e.Pos)
		p.Diagnostics = append(p.Diagnostics, d)
	}
}

// listed turns a position of the go command's into a Span.
func (p *Program) listed(pos string) diag.Span {
	file, line, column := diag.SplitPosition(pos)
	if file == "" {
		return diag.Span{}
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(p.config.Dir, file) // in which the go command runs
	}
	return p.source(file).Point(line, column)
}
