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

// Extent is how much has been proved: CRDs, and the files that hold them.
type Extent struct{ CRDs, Files int }

func (e Extent) String() string {
	return diag.Counted(e.CRDs, "CRD") + " in " + diag.Counted(e.Files, "file")
}

// Prove proves each CRD of files, and says what speaks against them. What it returns means nothing where the context has ended.
func Prove(
	ctx context.Context, sources []*diag.Source, opts session.Options, progress stage.Progress,
) (proved Extent, found []diag.Diagnostic) {
	docs := make([][]read.Document, len(sources))
	problems := make([][]diag.Diagnostic, len(sources))
	stage.Run(ctx, progress, "reading files", len(sources), func(i int) {
		defer stage.InFile(&problems[i], sources[i])
		docs[i], problems[i] = read.Documents(sources[i])
	})
	for _, list := range docs {
		proved.CRDs += len(list)
		proved.Files += min(len(list), 1)
	}
	all := slices.Concat(docs...)
	proofs := make([][]diag.Diagnostic, len(all))
	stage.Run(ctx, progress, "proving CRDs", len(all), func(i int) {
		defer stage.InFile(&proofs[i], all[i].CRD.At.Source)
		proofs[i] = proof(ctx, all[i], opts)
		all[i] = read.Document{} // which may be large
	})
	return proved, diag.Sort(slices.Concat(slices.Concat(problems...), slices.Concat(proofs...)))
}

// proof is what speaks against one CRD.
func proof(ctx context.Context, doc read.Document, opts session.Options) []diag.Diagnostic {
	object, err := kube.Decode(doc.JSON)
	if err != nil {
		return []diag.Diagnostic{Undecodable(doc.CRD.At, err)}
	}
	found := rules.Check(ctx, session.New(doc.CRD, object, opts))
	return append(found, size.CheckJSON(doc.CRD, doc.File, doc.JSON)...)
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
