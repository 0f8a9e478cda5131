package unchanged

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/input"
)

// A collector collects the facts of a run.
type collector struct {
	dir   string
	env   environment
	seen  map[identity]bool
	facts []fact
	// visited are the files of modules and workspaces that were read.
	visited map[string]bool
	// modules are those with a directory that may change.
	modules map[module]bool
	// doubt names a reason for which the facts are not all known, "" if there is none.
	doubt string
}

// identity identifies a fact.
type identity struct {
	kind kind
	path string
}

// A module is a module with a directory.
type module struct{ path, dir string }

// collect returns the facts of a run in the directory dir, sorted, or why they are not all known.
func collect(request Request, dir string, read Read, env environment) ([]fact, string) {
	c := &collector{dir: dir, env: env, seen: map[identity]bool{}, visited: map[string]bool{},
		modules: map[module]bool{}}
	if c.doubt = env.doubt(); c.doubt != "" {
		return nil, c.doubt
	}
	for _, name := range env.programs() {
		c.add(program, name)
	}
	for _, path := range env.files() {
		c.add(file, path)
	}
	for _, path := range request.Files {
		c.add(file, absolute(dir, path))
	}
	c.above(dir)
	if work := env["GOWORK"]; filepath.IsAbs(work) {
		c.workspace(work)
	}
	paths := request.Paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, path := range paths {
		c.pattern(path)
	}
	for _, d := range read.Dirs {
		c.sources(absolute(dir, d))
	}
	for _, path := range paths {
		c.matching(path)
	}
	modules := c.known()
	for i := range read.Packages {
		c.listed(&read.Packages[i], modules)
	}
	slices.SortFunc(c.facts, func(a, b fact) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.kind, b.kind))
	})
	return c.facts, c.doubt
}

// add adds a fact, once.
func (c *collector) add(k kind, path string) bool {
	if id := (identity{k, path}); !c.seen[id] {
		c.seen[id] = true
		c.facts = append(c.facts, fact{kind: k, path: path})
		return true
	}
	return false
}

// doubts records a reason for which the facts are not all known.
func (c *collector) doubts(why string) { c.doubt = cmp.Or(c.doubt, why) }

// pattern adds the facts that a package pattern leads to, besides the packages.
func (c *collector) pattern(pattern string) {
	root, isTree := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
	switch {
	case strings.Contains(root, "...") || strings.HasSuffix(root, ".go"):
		c.doubts("the pattern " + pattern + " may match packages anywhere")
		return
	case slices.Contains([]string{"all", "cmd", "main", "std", "tool", "work"}, root):
		c.doubts("the pattern " + pattern + " matches packages anywhere")
		return
	case !isPath(pattern):
		return
	}
	root = absolute(c.dir, filepath.FromSlash(root))
	c.above(root)
	if isTree {
		c.tree(root, true)
	} else {
		c.sources(root)
	}
}

// isPath reports whether a pattern names directories, not import paths.
func isPath(pattern string) bool { return filepath.IsAbs(pattern) || strings.HasPrefix(pattern, ".") }

// matching adds the directories in which the go command searches for the import paths that a pattern matches. All
// modules must be known. Modules in the module cache do not change.
func (c *collector) matching(pattern string) {
	root, isTree := strings.CutSuffix(pattern, "/...")
	if !isTree || isPath(pattern) {
		return
	}
	for _, m := range c.known() {
		if strings.HasPrefix(m.path+"/", root+"/") {
			c.tree(m.dir, true)
		} else if d, ok := c.candidate(m, root); ok {
			c.tree(d, true)
		}
		c.tree(filepath.Join(m.dir, "vendor", filepath.FromSlash(root)), true)
	}
}

// known returns the modules that are known so far, sorted.
func (c *collector) known() []module {
	return slices.SortedFunc(maps.Keys(c.modules), func(a, b module) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.dir, b.dir))
	})
}

// above adds what the go command looks for in a directory and above it: the module and the workspace.
func (c *collector) above(dir string) {
	c.add(link, dir)
	isFound := false
	for d := range input.Upwards(dir) {
		if isFound = isFound || c.module(d); !isFound {
			c.add(file, filepath.Join(d, "go.mod"))
		}
		c.workspace(filepath.Join(d, "go.work"))
	}
}

// tree adds a directory and those below it, where the go command or crdproof search for packages and modules. visible
// is unset where the go command does not search.
func (c *collector) tree(root string, visible bool) {
	if c.module(root) {
		c.above(root)
		visible = true // modules are searched wherever they are
	}
	if visible {
		c.sources(root)
	}
	c.add(dir, root)
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.doubts("cannot read " + root)
	}
	for _, e := range entries {
		name := e.Name()
		isHidden := name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") ||
			strings.HasPrefix(name, "_")
		if e.IsDir() && name != ".git" {
			c.tree(filepath.Join(root, name), visible && !isHidden)
		}
	}
}

// sources adds a directory and its Go files. Build constraints may leave out a file, so that its head must be read.
func (c *collector) sources(root string) {
	c.add(dir, root)
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.doubts("cannot read " + root)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".go" && !e.IsDir() {
			c.add(file, filepath.Join(root, e.Name()))
		}
	}
}

// module adds the files of a module, and those of the modules that replace others. It returns false if the directory is
// not that of a module.
func (c *collector) module(root string) bool {
	path := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if c.visited[path] {
		return true
	}
	c.visited[path] = true
	c.add(file, path)
	c.add(file, filepath.Join(root, "go.sum"))
	c.add(link, root)
	c.vendored(root)
	mod, err := modfile.Parse(path, data, nil)
	if err != nil || mod.Module == nil {
		c.doubts("cannot read " + path)
		return true
	}
	c.modules[module{mod.Module.Mod.Path, root}] = true
	c.toolchains(mod.Go, mod.Toolchain)
	c.replaced(root, mod.Replace)
	return true
}

// vendored adds what decides whether imports are read from a directory vendor.
func (c *collector) vendored(root string) {
	c.add(file, filepath.Join(root, "vendor"))
	c.add(file, filepath.Join(root, "vendor", "modules.txt"))
}

// replaced adds modules in directories that replace others: their requirements count, even if no package of them is
// imported.
func (c *collector) replaced(root string, list []*modfile.Replace) {
	for _, r := range list {
		if r.New.Version == "" {
			d := absolute(root, filepath.FromSlash(r.New.Path))
			c.add(file, filepath.Join(d, "go.mod"))
			c.add(link, d)
			c.modules[module{r.Old.Path, d}] = true
		}
	}
}

// workspace adds a workspace and its modules, if there is one.
func (c *collector) workspace(path string) {
	if c.visited[path] {
		return
	}
	c.visited[path] = true
	c.add(file, path)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	root := filepath.Dir(path)
	c.add(file, path+".sum")
	c.vendored(root)
	work, err := modfile.ParseWork(path, data, nil)
	if err != nil {
		c.doubts("cannot read " + path)
		return
	}
	c.toolchains(work.Go, work.Toolchain)
	c.replaced(root, work.Replace)
	for _, use := range work.Use {
		c.module(absolute(root, filepath.FromSlash(use.Path)))
	}
}

// toolchains adds the go commands that the local one may start instead of itself: it first searches PATH for them.
func (c *collector) toolchains(version *modfile.Go, toolchain *modfile.Toolchain) {
	if version != nil {
		c.add(program, "go"+version.Version)
	}
	if toolchain != nil && strings.HasPrefix(toolchain.Name, "go") {
		c.add(program, toolchain.Name)
	}
}

// listed adds the facts of a package. Packages of the standard library and of the module cache do not change: there,
// the files that were read are enough.
func (c *collector) listed(pkg *load.Listed, modules []module) {
	for _, m := range modules {
		if d, ok := c.candidate(m, pkg.Path); ok {
			c.sources(d)
		}
	}
	isStandard := input.Within(pkg.Dir, c.env["GOROOT"])
	switch {
	case pkg.Path == "unsafe" || pkg.Path == "C":
		return
	case pkg.Failed:
		c.doubts("the go command reports an error in " + pkg.Path)
	case pkg.Dir == "":
		c.doubts(pkg.Path + " has no directory")
	case pkg.Cgo && !isStandard:
		c.doubts(pkg.Path + " needs cgo")
	case !isStandard && !input.Within(pkg.Dir, c.env["GOMODCACHE"]):
		c.sources(pkg.Dir)
		c.add(link, pkg.Dir)
	case !isStandard && pkg.ModuleDir != "":
		c.add(file, pkg.ModuleDir)
	}
	for _, path := range pkg.Files {
		if filepath.Dir(path) == pkg.Dir { // not what cgo wrote
			c.add(file, path)
		}
	}
}

// candidate returns where a module would have a package, if its path is one of the module: two modules must not provide
// it. It adds the files go.mod on the way, which make the package a part of another module.
func (c *collector) candidate(m module, pkg string) (string, bool) {
	rest, ok := strings.CutPrefix(pkg+"/", m.path+"/")
	if !ok {
		return "", false
	}
	d := m.dir
	for name := range strings.SplitSeq(strings.TrimSuffix(rest, "/"), "/") {
		if name != "" {
			d = filepath.Join(d, name)
			c.add(file, filepath.Join(d, "go.mod"))
		}
	}
	return d, true
}
