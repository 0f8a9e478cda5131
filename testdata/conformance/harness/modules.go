package harness

import (
	"context"
	"fmt"
	"io"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/testdata/conformance/mutate"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// CRDs are those files as what mutations start from: fixed, so that all are accepted.
func CRDs(files []File) ([]mutate.CRD, error) {
	var out []mutate.CRD
	for _, f := range files {
		data, _, err := Fix(f.Data)
		if err != nil {
			return nil, err
		}
		crd, err := mutate.Read(f.Case+"/"+f.Name, data)
		if err != nil {
			return nil, err
		}
		out = append(out, crd)
	}
	return out, nil
}

// A ModuleReport is what came of the CRDs of modules.
type ModuleReport struct {
	// Accepted counts those that were accepted as they are, Fixed those that were rejected, and accepted once fixed.
	Accepted, Fixed int
	// Findings say which CRD is anything else, and why.
	Findings []string
}

// Details writes the findings.
func (r *ModuleReport) Details(w io.Writer) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "--- %s\n", f)
	}
}

// Modules asks for both verdicts on the CRDs of modules, as they are and fixed, and then has the server create them.
// The error is I/O.
func Modules(ctx context.Context, s *server.Server, files []File, judge Judge) (*ModuleReport, error) {
	r := &ModuleReport{}
	for _, f := range files {
		if err := r.add(ctx, s, f, judge); err != nil {
			return nil, fmt.Errorf("%s/%s: %w", f.Case, f.Name, err)
		}
	}
	// What is there cannot be judged any more: a name is given once.
	for _, f := range files {
		if f.Repeats {
			continue
		}
		crd, _, err := Fix(f.Data)
		if err != nil {
			return nil, err
		}
		v, err := s.Create(ctx, crd)
		if err != nil {
			return nil, err
		}
		if !v.Accepted {
			r.find(f, "not created: "+v.Message)
		}
	}
	return r, nil
}

func (r *ModuleReport) find(f File, says string) {
	r.Findings = append(r.Findings, f.Case+"/"+f.Name+": "+says)
}

// add judges one CRD: it is accepted where there is nothing to fix, and nowhere else; fixed, it is accepted.
func (r *ModuleReport) add(ctx context.Context, s *server.Server, f File, judge Judge) error {
	fixed, faults, err := Fix(f.Data)
	if err != nil {
		return err
	}
	accepted, err := r.judge(ctx, s, f, f.Data, judge)
	if err != nil {
		return err
	}
	switch {
	case accepted && faults == 0:
		r.Accepted++
	case accepted:
		r.find(f, "accepted, though there is something to fix")
	case faults == 0:
		r.find(f, "rejected")
	default:
		r.Fixed++
		if accepted, err = r.judge(ctx, s, f, fixed, judge); err == nil && !accepted {
			r.find(f, "rejected once it is fixed")
		}
	}
	return err
}

// judge asks for both verdicts, and returns whether the server accepts the CRD.
func (r *ModuleReport) judge(ctx context.Context, s *server.Server, f File, crd []byte, judge Judge) (bool, error) {
	v, err := s.Judge(ctx, crd)
	if err != nil {
		return false, err
	}
	ours, err := judge(ctx, crd)
	if err != nil {
		return false, err
	}
	if v.Accepted != (len(ours) == 0) {
		r.find(f, fmt.Sprintf("the verdicts differ\nthe server: %scrdproof:   %s", verdict(reasons(v)), verdict(ours)))
	}
	return v.Accepted, nil
}

// Fix does for a CRD what its authors do behind the generator's back or have forgotten, and returns how many things
// there were to do: groups of Kubernetes want an approval, and there can be but one version that is stored.
func Fix(data []byte) ([]byte, int, error) {
	var crd map[string]any
	if err := yaml.Unmarshal(data, &crd); err != nil {
		return nil, 0, err
	}
	faults := 0
	metadata, spec := crd["metadata"].(map[string]any), crd["spec"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if apihelpers.IsProtectedCommunityGroup(spec["group"].(string)) &&
		annotations["api-approved.kubernetes.io"] == nil {
		faults++
		if annotations == nil {
			annotations = map[string]any{}
			metadata["annotations"] = annotations
		}
		annotations["api-approved.kubernetes.io"] = "https://example.com/approved"
	}
	stored := false
	for _, v := range spec["versions"].([]any) {
		v := v.(map[string]any)
		if stored && v["storage"] == true {
			faults++
			v["storage"] = false
		}
		stored = stored || v["storage"] == true
	}
	if faults == 0 {
		return data, 0, nil
	}
	data, err := yaml.Marshal(crd)
	return data, faults, err
}
