package generator

import (
	"context"

	"github.com/crdproof/crdproof/generator/load"
)

// List is the part of Run that runs the go command. The tests make several runs of one listing.
func List(ctx context.Context, cfg Config) (*load.Listing, error) {
	return load.List(ctx, load.Config{
		Dir: cfg.Dir, Paths: cfg.Paths, Tags: cfg.BuildTags, Env: cfg.Env,
	})
}

// RunListed is the rest of Run.
func RunListed(listing *load.Listing, cfg Config) Result {
	return run(context.Background(), listing, cfg)
}
