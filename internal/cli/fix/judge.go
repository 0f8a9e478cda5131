package fix

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/rules/kube"
)

// A verdict says why fixes are not as promised, "" if they are.
type verdict struct {
	state State
	why   string
	// at is where fixes are at fault, as far as that is known.
	at []baseline.Place
	// isBug is set if that is a mistake in crdproof.
	isBug bool
}

// judge validates the files after fixes.
func (f *fixer) judge(fixes []Fix, overlay map[string][]byte) verdict {
	for _, path := range slices.Sorted(maps.Keys(overlay)) {
		if why := f.damage(fixes, path, overlay[path]); why != "" {
			return verdict{why: why, isBug: true}
		}
	}
	state, err := f.Run(f.ctx, overlay)
	if err = cmp.Or(f.ctx.Err(), err); err != nil {
		f.err = err
		return verdict{}
	}
	if out := f.compareFindings(fixes, newVersion(overlay, state)); out.why != "" {
		return out
	}
	out, err := f.compareCRDs(fixes, state)
	f.err = cmp.Or(f.ctx.Err(), err)
	out.state = state
	return out
}

// damage returns what is wrong with a file of Go: it has other code than before, apart from comments and tags.
func (f *fixer) damage(fixes []Fix, path string, data []byte) string {
	for i := range fixes {
		for _, e := range fixes[i].Help.Edits {
			src := e.Span.Source
			if src.Path != path || src.Syntax != diag.Go {
				continue
			}
			before, err := code(src.Bytes())
			if err != nil {
				return "" // a file with mistakes gets no edits
			}
			after, err := code(data)
			switch {
			case err != nil:
				return fmt.Sprintf("%s does not parse: %v", path, err)
			case !bytes.Equal(before, after):
				return path + " has other code"
			}
			return ""
		}
	}
	return ""
}

// code returns a file of Go without its comments and the tags of its fields.
func code(data []byte) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok {
			field.Tag = nil
		}
		return true
	})
	var out bytes.Buffer
	// Without the positions of lines, the layout depends on the code alone.
	err = (&printer.Config{Mode: printer.RawFormat}).Fprint(&out, token.NewFileSet(), file)
	return out.Bytes(), err
}

// formatted returns a file as gofmt writes it, if it was written so before. Line ends stay.
func formatted(src *diag.Source, data []byte) []byte {
	if src.Syntax != diag.Go {
		return data
	}
	before, isWindows := withoutCR(src.Bytes())
	if was, err := format.Source(before); err != nil || !bytes.Equal(was, before) {
		return data
	}
	now, _ := withoutCR(data)
	out, err := format.Source(now)
	switch {
	case err != nil:
		return data // judge reports it
	case isWindows:
		return bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	return out
}

// withoutCR returns a file with lines that end in LF, and whether all ended in CRLF.
func withoutCR(data []byte) ([]byte, bool) {
	lines := bytes.Count(data, []byte("\n"))
	if lines == 0 || bytes.Count(data, []byte("\r\n")) != lines {
		return data, false
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), true
}

// compareFindings returns which findings of fixes are still there, or which are new. What an error has hidden is not
// new, unless it is an error, too.
func (f *fixer) compareFindings(fixes []Fix, now version) (out verdict) {
	before, after := count(f.now.state.Found), count(now.state.Found)
	var fixed []diag.Diagnostic
	for i := range fixes {
		fixed = append(fixed, fixes[i].Found...)
	}
	gone, repaired := count(fixed), diag.HasErrors(fixed)
	for i := range fixed {
		if d := &fixed[i]; after[key(d)] > before[key(d)]-gone[key(d)] {
			out.why = "the finding is still there"
			out.at = append(out.at, f.now.place(d).Place)
		}
	}
	for i := range now.state.Found {
		d := &now.state.Found[i]
		if after[key(d)] > before[key(d)] && (d.Severity == diag.Error || d.Severity == diag.Warning && !repaired) {
			out.why = cmp.Or(out.why, fmt.Sprintf("it leads to another finding: %s [%s]", d.Message, d.Check))
			out.at = append(out.at, now.place(d).Place)
		}
	}
	return out
}

func count(list []diag.Diagnostic) map[string]int {
	out := map[string]int{}
	for i := range list {
		out[key(&list[i])]++
	}
	return out
}

// compareCRDs returns what API servers do with objects although no effect of the fixes says so. Only CRDs that they
// accept before and after are compared. The fix of an error may have any effect: the helps for errors are for CRDs that
// are not written yet. Without effects, it is left then.
func (f *fixer) compareCRDs(fixes []Fix, now State) (verdict, error) {
	allowed, ofRules, ofError := diag.NoEffect, false, false
	for i := range fixes {
		allowed = both(allowed, fixes[i].Help.Effect.Kind)
		ofRules = ofRules || rewrites(fixes[i].Help)
		ofError = ofError || fixes[i].Found[0].Severity == diag.Error
	}
	if allowed == diag.AcceptsOther || ofError && f.effects {
		return verdict{}, nil
	}
	for _, old := range f.now.state.CRDs {
		i := slices.IndexFunc(now.CRDs, func(c crds.CRD) bool { return c.Object.Name == old.Object.Name })
		if i < 0 {
			return verdict{why: "the CRD " + old.Object.Name + " is missing", isBug: !ofError}, nil
		}
		if isSame(old, now.CRDs[i]) || !isValid(f, old) || !isValid(f, now.CRDs[i]) {
			continue
		}
		// What is unknown keeps a fix from being made. Only what is known is a mistake in crdproof.
		for _, known := range []bool{true, false} {
			if !known && ofRules {
				break
			}
			shift, err := diff.Observe(f.ctx, old, now.CRDs[i], known)
			if err != nil {
				return verdict{}, err
			}
			if beyond := shift.Beyond(allowed); len(beyond) > 0 {
				return verdict{why: fmt.Sprintf("%s %s", old.Object.Name, beyond[0]), isBug: known && !ofError}, nil
			}
		}
	}
	return verdict{}, nil
}

func isValid(f *fixer, c crds.CRD) bool {
	reasons, err := kube.Verdict(f.ctx, c.Object)
	return err == nil && len(reasons) == 0
}

func isSame(a, b crds.CRD) bool {
	x, errX := json.Marshal(a.Object)
	y, errY := json.Marshal(b.Object)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
