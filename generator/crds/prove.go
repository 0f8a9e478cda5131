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

// Proved is what came of the CRDs of files.
type Proved struct {
	// CRDs is how many there are, and Files how many files hold them.
	CRDs, Files int
	// Found is what is wrong with the files and their CRDs, sorted.
	Found []diag.Diagnostic
	// IsComplete is set if all files could be read, so that no CRDs are missing.
	IsComplete bool
	// Sessions are those of the CRDs, in the order of the files; none unless they are to be kept.
	Sessions []*session.Session
}

func (p Proved) String() string {
	return diag.Counted(p.CRDs, "CRD") + " in " + diag.Counted(p.Files, "file")
}

// Prove validates each CRD of files. Sessions are kept for what is made of the CRDs afterwards. Results are undefined
// after cancellation; check ctx.Err() first.
func Prove(
	ctx context.Context, sources []*diag.Source, opts session.Options, keep bool, progress stage.Progress,
) Proved {
	var out Proved
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
	proofs := make([][]diag.Diagnostic, len(all))
	stage.Run(ctx, progress, "proving CRDs", len(all), func(i int) {
		doc := all[i]
		defer stage.InFile(&proofs[i], doc.CRD.At.Source)
		object, err := kube.Decode(doc.JSON)
		s := session.New(doc.CRD, object, opts)
		all[i] = read.Document{} // which may be large
		if keep {
			out.Sessions[i] = s
		}
		if err != nil {
			proofs[i] = []diag.Diagnostic{Undecodable(doc.CRD.At, err)}
		} else {
			proofs[i] = append(rules.Check(ctx, s), size.CheckJSON(doc.CRD, doc.File, doc.JSON)...)
		}
	})
	out.Found = diag.Sort(slices.Concat(slices.Concat(problems...), slices.Concat(proofs...)))
	return out
}

// None says that the files that arguments name hold no CRD.
func None(args []string, sources []*diag.Source) diag.Diagnostic {
	where := diag.Counted(len(sources), "file")
	if len(sources) == 1 {
		where = input.Shown(sources[0].Path)
	}
	return input.Errorf("there is no CustomResourceDefinition in %s", where).
		Help("%s", cmp.Or(input.AllBelow(args), "name the files of CRDs, as in: crdproof check config/crd/bases"))
}
