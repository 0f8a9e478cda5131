package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
)

// A Job is one generator to run.
type Job struct {
	Tool
	// Place returns the path of a file that belongs to the Go package in a directory, "" if it belongs to none. The
	// file is dropped unless keep is set.
	Place func(packageDir, name string) (path string, keep bool)
}

// Run loads the packages as controller-tools does, and runs the jobs in order. The files of a job have its index. read
// are the packages that the go command listed, none if it failed.
func Run(
	ctx context.Context, jobs []Job, paths, buildTags []string, progress stage.Progress,
) (made [][]emit.File, read []load.Listed, found []diag.Diagnostic) {
	var gens genall.Generators
	for i := range jobs {
		gens = append(gens, &jobs[i].Generator)
	}
	files := token.NewFileSet()
	flags := []string{"-tags=" + strings.Join(buildTags, ",")}
	config := &packages.Config{Context: ctx, BuildFlags: flags, Fset: files}
	progress.Report("listing packages", 0, 0)
	if err := load.CheckText("", paths); err != nil {
		return nil, nil, []diag.Diagnostic{load.Problem(err)}
	}
	runtime, err := gens.ForRootsWithConfig(config, paths...)
	if err != nil {
		return nil, nil, []diag.Diagnostic{load.Problem(load.ListFailed(err, "", paths))}
	}
	if len(runtime.Roots) == 0 {
		return nil, nil, []diag.Diagnostic{load.NoMatch("", paths)}
	}
	made = make([][]emit.File, len(jobs))
	for i, job := range jobs {
		if ctx.Err() != nil {
			return made, nil, found
		}
		progress.Report("generating "+job.Name, 0, 0)
		genCtx := runtime.GenerationContext
		if _, ok := job.Generator.(applyconfiguration.Generator); ok {
			outside, kept := outsideProject(genCtx.Collector, runtime.Roots, files)
			found, genCtx.Roots = append(found, outside...), kept
		}
		out := &collector{job: job}
		genCtx.OutputRule = out
		if _, checks := job.Generator.(genall.NeedsTypeChecking); !checks {
			genCtx.Checker = nil
		}
		if err := out.run(ctx, &genCtx); err != nil {
			found = append(found, diag.Of(job.check(), err))
		} else {
			found = append(found, uncompiled(ctx, job.Tool, out.made, config, genCtx.Roots)...)
		}
		made[i] = out.made
	}
	known, err := table()
	if err != nil {
		return made, nil, append(found, diag.Of(ofPackage, err))
	}
	rejected := inOwnWords(known, packageErrors(runtime.Roots))
	found = append(found, rejected...)
	if slices.ContainsFunc(jobs, func(j Job) bool { return j.Name == "rbac" || j.Name == "webhook" }) {
		found = append(found, doubtful(known, runtime.Roots, files, rejected)...)
	}
	found = append(found, unread(jobs, runtime.Roots, files)...)
	return made, listed(runtime.Roots), found
}

// listed describes the packages that the go command listed. controller-tools parses those that it needs.
func listed(roots []*loader.Package) []load.Listed {
	return load.ListedOf(raw(roots), func(pkg *packages.Package) []string {
		if pkg.Syntax == nil {
			return nil
		}
		return pkg.CompiledGoFiles
	})
}

// raw returns packages as the go command listed them.
func raw(roots []*loader.Package) (out []*packages.Package) {
	for _, root := range roots {
		out = append(out, root.Package)
	}
	return out
}

// run runs one generator. A panic of controller-tools must not hide the errors of other generators.
func (c *collector) run(ctx context.Context, genCtx *genall.GenerationContext) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the generator %s of controller-tools panicked: %v", c.job.Name, p)
		}
	}()
	if _, ok := c.job.Generator.(applyconfiguration.Generator); ok {
		return c.redirected(ctx, genCtx)
	}
	return c.job.Generator.Generate(genCtx)
}

// redirected runs a generator that ignores output rules and writes below the directory of each package. It redirects
// the directories to a temporary one and collects the files there.
func (c *collector) redirected(ctx context.Context, genCtx *genall.GenerationContext) error {
	temp, remove, err := stage.TempDir(ctx, "crdproof-")
	if err != nil {
		return err
	}
	defer remove()
	volume := ""
	for _, root := range genCtx.Roots {
		real := root.Dir
		if real == "" {
			continue
		}
		// The whole path is kept, because the target of a package may be relative to its directory.
		volume = filepath.VolumeName(real)
		root.Dir = filepath.Join(temp, strings.TrimPrefix(real, volume))
		defer func() { root.Dir = real }()
	}
	if err := c.job.Generator.Generate(genCtx); err != nil {
		return err
	}
	return filepath.WalkDir(temp, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		final := volume + strings.TrimPrefix(path, temp)
		c.made = append(c.made, emit.File{Path: final, Data: data})
		return nil
	})
}

// A collector is an output rule of controller-tools that keeps everything in memory.
type collector struct {
	job  Job
	made []emit.File
}

// Open implements genall.OutputRule.
func (c *collector) Open(pkg *loader.Package, name string) (io.WriteCloser, error) {
	dir := ""
	if pkg != nil {
		if len(pkg.CompiledGoFiles) == 0 {
			return nil, errors.New("the package has no Go files, so its directory is unknown")
		}
		dir = pkg.Dir // with cgo, some of the files are in the build cache
	}
	path, keep := c.job.Place(dir, name)
	return &memoryFile{collector: c, path: path, keep: keep}, nil
}

// A memoryFile is added to the files of the collector when it is closed.
type memoryFile struct {
	bytes.Buffer
	*collector
	path string
	keep bool
}

// Close adds the file to the collector.
func (f *memoryFile) Close() error {
	if f.keep {
		f.made = append(f.made, emit.File{Path: f.path, Data: bytes.Clone(f.Bytes())})
	}
	return nil
}

// packageErrors collects what the generators attached to packages. Type errors are left out, as controller-gen does:
// it checks types only in part, so that most of them are of its own making.
func packageErrors(roots []*loader.Package) []diag.Diagnostic {
	sources := map[string]*diag.Source{}
	var found []diag.Diagnostic
	packages.Visit(raw(roots), nil, func(pkg *packages.Package) {
		for _, e := range pkg.Errors {
			if e.Kind == packages.TypeError {
				continue
			}
			d := diag.Of(ofPackage, errors.New(e.Msg))
			switch e.Kind {
			case packages.ListError:
				d = load.ListProblem("", e.Msg)
			case packages.ParseError: // which crdproof's own loader finds as well
				d.Check = load.Syntax.ID
			}
			if d.Span = spanOf(e.Pos, pkg.Dir, sources); !d.Span.IsValid() &&
				!slices.Contains([]string{"", "-"}, e.Pos) {
				d.Message = e.Pos + ": " + d.Message
			}
			found = append(found, d)
		}
	})
	return found
}

// spanOf finds a position that is written as file:line:column or file:line.
func spanOf(pos, packageDir string, sources map[string]*diag.Source) diag.Span {
	file, line, column := diag.SplitPosition(pos)
	if file == "" {
		return diag.Span{}
	}
	if !filepath.IsAbs(file) {
		// The go command shortens paths relative to where it ran, which is not known here.
		if name := filepath.Base(file); input.Holds(packageDir, name) {
			file = filepath.Join(packageDir, name)
		}
		file = input.Absolute(file)
	}
	if sources[file] == nil {
		sources[file] = &diag.Source{Path: file}
	}
	return sources[file].Point(line, column)
}
