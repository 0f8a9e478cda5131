package answers

import (
	"context"
	"fmt"
	"strings"
	"sync"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/testdata/conformance/crds"
	"github.com/crdproof/crdproof/testdata/conformance/exchange"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// A File is a CRD as YAML, and which others its helpers share a package with.
type File struct {
	// Name is unique; Package is the same for all CRDs of a package of helpers.
	Name, Package string
	Data          []byte
	// calm asks for objects that are right but for what rules say.
	calm bool
}

// A Kind is a version of a CRD with both of its judges.
type Kind struct {
	// Name is for reports, key for the program of helpers.
	Name, key string
	file      File
	crd       *apiext.CustomResourceDefinition
	version   string
	prepare   func() (*prepared, error)
	// served is the version for all that a server does with a write.
	served func() (*write.Resource, error)
}

// prepared is what takes a while.
type prepared struct {
	resource *Resource
	maker    *objects.Maker
}

// A Rejection is a CRD for which no helpers can be written.
type Rejection struct {
	File   string
	Reason []string
}

// Compile writes and builds a program of helpers for all versions of CRDs, in an empty directory. Root is crdproof's
// own.
func Compile(ctx context.Context, dir, root string, files []File) (*Program, []*Kind, []Rejection, error) {
	p, err := NewProgram(dir, root)
	if err != nil {
		return nil, nil, nil, err
	}
	var kinds []*Kind
	var rejections []Rejection
	for start := 0; start < len(files); {
		end := start + 1
		for end < len(files) && files[end].Package == files[start].Package {
			end++
		}
		added, rejected, err := p.addFiles(files[start:end])
		if err != nil {
			return nil, nil, nil, err
		}
		kinds, rejections = append(kinds, added...), append(rejections, rejected...)
		start = end
	}
	for {
		broken, err := p.Build(ctx)
		if err != nil || len(broken) == 0 {
			return p, kinds, rejections, err
		}
		var rest []*Kind
		for _, k := range kinds {
			pkg, _, _ := strings.Cut(k.key, ".")
			output, isBroken := broken[pkg]
			switch {
			case !isBroken:
				rest = append(rest, k)
			case output != "":
				broken[pkg] = "" // its other kinds are added with it
				added, more, err := p.replace(k.file, output)
				if err != nil {
					return nil, nil, nil, err
				}
				rest, rejections = append(rest, added...), append(rejections, more...)
			}
		}
		kinds = rest
	}
}

// replace adds a CRD whose helpers do not compile without the rules that are the reason.
func (p *Program) replace(f File, output string) ([]*Kind, []Rejection, error) {
	paths, err := p.uncompiled(f, output)
	if err != nil {
		return nil, nil, err
	}
	return p.addWithout(f, paths, Rejection{File: f.Name, Reason: strings.Split(output, "\n")})
}

// addFiles adds the CRDs of a package, or, where one is rejected, each as a package of its own.
func (p *Program) addFiles(files []File) ([]*Kind, []Rejection, error) {
	var crds []*schema.CRD
	for _, f := range files {
		crds = append(crds, Read(f.Name, f.Data)...)
	}
	keys, found, err := p.generate(crds)
	switch {
	case err != nil:
		return nil, nil, err
	case keys != nil:
		kinds, err := newKinds(files, keys)
		return kinds, nil, err
	case len(files) == 1:
		return p.addRest(files[0], found)
	}
	var kinds []*Kind
	var rejections []Rejection
	for i := range files {
		k, r, err := p.addFiles(files[i : i+1])
		if err != nil {
			return nil, nil, err
		}
		kinds, rejections = append(kinds, k...), append(rejections, r...)
	}
	return kinds, rejections, nil
}

// addRest adds a CRD without the rules that were rejected.
func (p *Program) addRest(f File, found []diag.Diagnostic) ([]*Kind, []Rejection, error) {
	var paths []string
	for _, d := range found {
		if d.Severity == diag.Error && d.Path != "" {
			paths = append(paths, d.Path)
		}
	}
	if len(paths) == 0 {
		var err error
		if paths, err = p.culprits(f); err != nil {
			return nil, nil, err
		}
	}
	r := Rejection{File: f.Name}
	for _, d := range found {
		if d.Severity == diag.Error {
			r.Reason = append(r.Reason, d.Path+": "+d.Message)
		}
	}
	return p.addWithout(f, paths, r)
}

// addWithout adds a CRD without some rules, which are reported with the rejection.
func (p *Program) addWithout(f File, paths []string, r Rejection) ([]*Kind, []Rejection, error) {
	var crd map[string]any
	if err := yaml.Unmarshal(f.Data, &crd); err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		if rulePath.MatchString(path) {
			rule := ruleAt(crd, path)
			r.Reason = append(r.Reason, fmt.Sprintf("%s: %v; %v", path, rule["rule"], rule["messageExpression"]))
		}
	}
	rest, removed, err := withoutRules(f.Data, paths)
	if err != nil || removed == 0 {
		return nil, []Rejection{r}, err
	}
	kinds, more, err := p.addFiles([]File{{Name: f.Name, Package: f.Package, Data: rest, calm: f.calm}})
	return kinds, append([]Rejection{r}, more...), err
}

// newKinds are the versions of CRDs, whose keys are in the same order.
func newKinds(files []File, keys []string) (kinds []*Kind, err error) {
	for _, f := range files {
		crd, err := decode(f.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		for _, v := range crd.Spec.Versions {
			if len(kinds) == len(keys) {
				return nil, fmt.Errorf("%s: there are no helpers for version %s", f.Name, v.Name)
			}
			kinds = append(kinds, newKind(f, crd, v.Name, keys[len(kinds)]))
		}
	}
	if len(kinds) != len(keys) {
		return nil, fmt.Errorf("helpers for %d versions, of %d", len(keys), len(kinds))
	}
	return kinds, nil
}

// Kinds are the versions of CRDs without a program: only the server's library can be asked.
func Kinds(files []File) ([]*Kind, error) {
	var kinds []*Kind
	for _, f := range files {
		crd, err := decode(f.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		for _, v := range crd.Spec.Versions {
			kinds = append(kinds, newKind(f, crd, v.Name, ""))
		}
	}
	return kinds, nil
}

// Try makes an object and asks the server's library.
func (k *Kind) Try(seed, number uint64) (objects.Case, exchange.Answer, error) {
	prepared, err := k.prepare()
	if err != nil {
		return objects.Case{}, exchange.Answer{}, err
	}
	c := prepared.maker.Make(seed, number)
	return c, prepared.resource.Answer(requestOf("", c)), nil
}

func newKind(f File, crd *apiext.CustomResourceDefinition, version, key string) *Kind {
	k := &Kind{Name: f.Name + "/" + version, key: key, file: f, crd: crd, version: version}
	k.prepare, k.served = sync.OnceValues(k.prepared), sync.OnceValues(k.newServed)
	return k
}

func decode(data []byte) (*apiext.CustomResourceDefinition, error) {
	sent, err := yaml.YAMLToJSON(data)
	if err != nil {
		return nil, err
	}
	return kube.Decode(sent)
}

func (k *Kind) prepared() (*prepared, error) {
	r, err := NewResource(k.crd, k.version)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	return &prepared{r, objects.NewMaker(r.Schema, r.Kind.GroupVersion().String(), r.Kind.Kind, k.file.calm)}, nil
}

// SmallFiles are the CRDs of the folder crds.
func SmallFiles() ([]File, error) {
	entries, err := crds.Files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		data, err := crds.Files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: "crds/" + e.Name(), Package: "crds/" + e.Name(), Data: data})
	}
	return files, nil
}
