package generator

import (
	"context"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/load"
)

// AskGo lists packages with the go command.
type AskGo = func(cfg *packages.Config, patterns ...string) ([]*packages.Package, error)

// List is the part of Run that lists packages, with the go command or another function. The tests use one listing for
// several runs.
func List(ctx context.Context, cfg Config, ask AskGo) (*load.Listing, error) {
	return load.List(ctx, load.Config{
		Dir: cfg.Dir, Paths: cfg.Paths, Tags: cfg.BuildTags, Env: cfg.Env, Packages: ask,
	})
}

// RunListed is the rest of Run, after the listing.
func RunListed(listing *load.Listing, cfg Config) Result {
	return RunMeasured(context.Background(), listing, cfg)
}

// RunMeasured is RunListed with a context, whose budgets a test may sum.
func RunMeasured(ctx context.Context, listing *load.Listing, cfg Config) Result {
	result, err := runListed(ctx, listing, cfg)
	if err != nil {
		panic(err) // only a temporary file can fail, which small packages do not need
	}
	return result
}

// Kept puts files into a spill that has already taken so many bytes, and takes them out again in the reverse order. It
// reports how many were written to a temporary file.
func Kept(before int64, files []emit.File) (out []emit.File, written int, err error) {
	kept := spill{all: before}
	defer kept.close()
	var list []*spilled
	for _, f := range files {
		list = append(list, kept.put(f.Path, f.Data))
	}
	for _, f := range slices.Backward(list) {
		file, err := kept.take(f)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, file)
		if f.data == nil {
			written++
		}
	}
	return out, written, nil
}

// FewBytes is how many bytes are kept in memory.
const FewBytes = fewBytes
