package crds

import (
	"cmp"
	"context"
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
)

// Validated is the result of validating the CRDs of files.
type Validated struct {
	// CRDs counts the CRDs, and Files the files that have CRDs.
	CRDs, Files int
	// Found are the findings about the files and their CRDs, sorted.
	Found []diag.Diagnostic
	// IsComplete is set if all files could be read, so that no CRDs are missing.
	IsComplete bool
	// Sessions are those of the CRDs, in the order of the files, if Validate was called with keep.
	Sessions []*session.Session
}

func (p Validated) String() string {
	return diag.Counted(p.CRDs, "CRD") + " in " + diag.Counted(p.Files, "file")
}

// Validate validates each CRD of files. It keeps the sessions if more is to be generated from the CRDs. Results are
// undefined after cancellation; check ctx.Err() first.
func Validate(
	ctx context.Context, sources []*diag.Source, opts session.Options, keep bool, progress stage.Progress,
) Validated {
	var out Validated
	docs := make([][]read.Document, len(sources))
	problems := make([][]diag.Diagnostic, len(sources))
	stage.Run(ctx, progress, "reading files", len(sources), func(i int) {
		defer stage.InFile(&problems[i], sources[i])
		docs[i], problems[i] = read.Documents(sources[i])
	})
	out.IsComplete = !diag.HasErrors(slices.Concat(problems...))
	for _, list := range docs {
		out.CRDs += len(list)
		out.Files += min(len(list), 1)
	}
	all := slices.Concat(docs...)
	if keep {
		out.Sessions = make([]*session.Session, len(all))
	}
	findings := make([][]diag.Diagnostic, len(all))
	stage.Run(ctx, progress, "validating CRDs", len(all), func(i int) {
		doc := all[i]
		defer stage.InFile(&findings[i], doc.CRD.At.Source)
		object, err := kube.Decode(doc.JSON)
		s := session.New(doc.CRD, object, opts)
		all[i] = read.Document{} // which may be large
		if keep {
			out.Sessions[i] = s
		}
		if err != nil {
			findings[i] = []diag.Diagnostic{Undecodable(doc.CRD.At, err)}
		} else {
			findings[i] = append(rules.Check(ctx, s), size.CheckJSON(doc.CRD, doc.File, doc.JSON)...)
		}
	})
	out.Found = diag.Sort(slices.Concat(slices.Concat(problems...), slices.Concat(findings...)))
	return out
}

// None reports that the files of the arguments have no CRD.
func None(args []string, sources []*diag.Source) diag.Diagnostic {
	where := diag.Counted(len(sources), "file")
	if len(sources) == 1 {
		where = input.Shown(sources[0].Path)
	}
	return input.Errorf("no CustomResourceDefinition found in %s", where).
		Help("%s", cmp.Or(input.AllBelow(args), "name the files of CRDs, for example: crdproof check config/crd/bases"))
}
