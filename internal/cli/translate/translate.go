// Package translate finds what CRDs that ship have, and the CRDs of their Go types lack, and turns it into an overlay
// file.
//
// The CRDs of files and those that a run of the generator has made enter. A file leaves, with what it cannot express,
// and then the comparison of what the generator makes with that file. The steps:
//
//  1. translate.go reads the CRDs that ship, and pairs them with the generated ones, which generator/overlay translates
//  2. compare.go compares what is generated with what ships
//  3. report.go prints the result
//  4. settings.go names the file in the settings
package translate

import (
	"context"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A Shipped is a CRD in a file.
type Shipped struct {
	CRD    *schema.CRD
	Source *diag.Source
	// IsAlone is set if the file has no other CRD.
	IsAlone bool
}

// A Generated is the CRD of a Go type. Header is what its file begins with.
type Generated struct {
	CRD    *schema.CRD
	Header []byte
}

// Read reads the CRDs that ship from files and directories.
func Read(ctx context.Context, args []string) (out []Shipped, problems []diag.Diagnostic) {
	sources, problems := input.Sources(ctx, args, nil)
	var skipped read.Skipped
	for _, src := range sources {
		more, found := read.EachDocument(src, func(d read.Document) {
			out = append(out, Shipped{CRD: d.CRD, Source: src, IsAlone: d.File > 0})
		}, nil)
		skipped.Add(more)
		problems = append(problems, diag.Errors(found)...)
	}
	for i, s := range out {
		first := slices.IndexFunc(out, func(o Shipped) bool { return o.CRD.ObjectName() == s.CRD.ObjectName() })
		if first < i {
			problems = append(problems, diag.Errorf(s.CRD.At, input.File, "two files have the CRD %s",
				s.CRD.ObjectName()).See(out[first].CRD.At, "the other one").Help("name only the files that ship"))
		}
	}
	if len(problems) > 0 || len(out) > 0 {
		return out, problems
	}
	d := input.Errorf("no CRDs in %s", diag.And(args)).Help("name the files or the directories of the CRDs that ship")
	if skipped.Templates > 0 {
		d = d.Note("skipped: %s", skipped).Help("render the templates first: helm template . >crds.yaml")
	}
	return nil, []diag.Diagnostic{d}
}

// Pairs returns the generated CRDs with those that ship: one that does not ship stays as it is. It also returns the
// files without a Go type.
func Pairs(generated []Generated, shipped []Shipped) (pairs []overlay.Pair, left []Shipped) {
	for _, g := range generated {
		pair := overlay.Pair{Generated: g.CRD, Shipped: g.CRD}
		if s := shippedOf(g.CRD, shipped); s != nil {
			pair.Shipped = s.CRD
		}
		pairs = append(pairs, pair)
	}
	for _, s := range shipped {
		if !slices.ContainsFunc(generated, func(g Generated) bool { return g.CRD.ObjectName() == s.CRD.ObjectName() }) {
			left = append(left, s)
		}
	}
	return pairs, left
}

// shippedOf returns the CRD that ships with the name of a generated one, nil without one.
func shippedOf(c *schema.CRD, shipped []Shipped) *Shipped {
	i := slices.IndexFunc(shipped, func(s Shipped) bool { return s.CRD.ObjectName() == c.ObjectName() })
	if i < 0 {
		return nil
	}
	return &shipped[i]
}
