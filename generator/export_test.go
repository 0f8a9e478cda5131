package generator

import (
	"context"

	"golang.org/x/tools/go/packages"

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
	return run(context.Background(), listing, cfg)
}
