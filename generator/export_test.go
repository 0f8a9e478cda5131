package generator

import (
	"context"

	"golang.org/x/tools/go/packages"

	"github.com/crdproof/crdproof/generator/load"
)

// AskGo is what asks the go command for packages.
type AskGo = func(cfg *packages.Config, patterns ...string) ([]*packages.Package, error)

// List is the part of Run that runs the go command, or asks something else for the packages. The tests make several
// runs of one listing.
func List(ctx context.Context, cfg Config, ask AskGo) (*load.Listing, error) {
	return load.List(ctx, load.Config{
		Dir: cfg.Dir, Paths: cfg.Paths, Tags: cfg.BuildTags, Env: cfg.Env, Packages: ask,
	})
}

// RunListed is the rest of Run.
func RunListed(listing *load.Listing, cfg Config) Result {
	return run(context.Background(), listing, cfg)
}
