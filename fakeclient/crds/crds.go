// Package crds gives a fake client the rules of CRDs that are read at run time: from files, or from Go packages. An API
// server's own code validates the CRDs and the objects, as in crdproof validate.
package crds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/fakeclient"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/write"
)

// WithCRDs enforces the rules of the CRDs in a folder and all folders below it:
//
//	fakeclient.New(builder, crds.WithCRDs(os.DirFS("../config/crd/bases")))
//
// Files that are not YAML or JSON, and objects that are not CRDs, are ignored. An API server must accept the CRDs.
func WithCRDs(folder fs.FS) fakeclient.Option {
	sources, err := read(folder)
	if err != nil {
		return fakeclient.Invalid(err)
	}
	list, found := crds.Read(context.Background(), sources, nil)
	if len(list) == 0 && !diag.HasErrors(found) {
		return fakeclient.Invalid(errors.New("there are no CRDs in the folder of WithCRDs: name the folder with the " +
			`CRDs, such as os.DirFS("../config/crd/bases"); the path begins at the folder of the test`))
	}
	return with(list, found)
}

// FromPackages enforces the rules of the CRDs that crdproof crd would write for Go packages:
//
//	fakeclient.New(builder, crds.FromPackages("../api/..."))
//
// It runs the go command.
func FromPackages(patterns ...string) fakeclient.Option {
	if len(patterns) == 0 {
		return fakeclient.Invalid(errors.New(`FromPackages expects patterns of Go packages, such as "../api/..."`))
	}
	return with(crds.Find(context.Background(), crds.Where{Paths: patterns}))
}

// read reads the manifests of a folder.
func read(folder fs.FS) (out []*diag.Source, err error) {
	err = fs.WalkDir(folder, ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == ".":
			return fmt.Errorf("the folder of WithCRDs does not exist: the path begins at the folder of the test, as "+
				`in os.DirFS("../config/crd/bases"): %w`, err)
		case err != nil || e.IsDir() || !input.IsManifest(path):
			return err
		}
		data, err := fs.ReadFile(folder, path)
		out = append(out, &diag.Source{Path: path, Data: data, Syntax: diag.YAML})
		return err
	})
	return out, err
}

// with serves CRDs, each on demand of none: all mistakes are reported at once.
func with(list []crds.CRD, found []diag.Diagnostic) fakeclient.Option {
	kinds := make([][]fakeclient.Kind, len(list))
	problems := make([][]diag.Diagnostic, len(list))
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, crd := range list {
		all.Go(func() {
			var resource *write.Resource
			if resource, problems[i] = crd.Serve(context.Background(), crd.Object); resource != nil {
				kinds[i], errs[i] = serve(resource)
			}
		})
	}
	all.Wait()
	found = diag.Errors(append(found, slices.Concat(problems...)...))
	if err := errors.Join(append(errs, report(found))...); err != nil {
		return fakeclient.Invalid(err)
	}
	return fakeclient.With(slices.Concat(kinds...)...)
}

// report returns the findings as one error, as crdproof prints them.
func report(found []diag.Diagnostic) error {
	if len(found) == 0 {
		return nil
	}
	var text bytes.Buffer
	if err := diag.Text(&text, diag.Sort(found), diag.TextOptions{}); err != nil {
		return err
	}
	return fmt.Errorf("an API server rejects the CRDs:\n%s", text.String())
}

// serve returns the versions of a CRD.
func serve(resource *write.Resource) (out []fakeclient.Kind, err error) {
	versions, err := resource.Steps()
	if err != nil {
		return nil, err
	}
	for i := range versions {
		v := &versions[i]
		validate := func(statusOnly bool) func(obj, old map[string]any) (field.ErrorList, []string) {
			return func(obj, old map[string]any) (field.ErrorList, []string) {
				return v.ValidateUpdate(obj, old, statusOnly)
			}
		}
		out = append(out, fakeclient.Kind{
			GVK: v.Kind, Resource: v.Resource, Namespaced: v.Namespaced, HasStatus: v.HasStatus, HasRules: v.HasRules,
			Warning: v.Warning, Prune: v.Prune, Default: v.Default, Validate: v.Validate,
			ValidateUpdate: validate(false), ValidateStatus: validate(true), Types: &lists{steps: v},
		})
	}
	return out, nil
}

// lists know the types of a version, for server-side apply. They are made when they are first needed.
type lists struct {
	steps *write.Steps
	once  sync.Once
	known managedfields.TypeConverter
	err   error
}

func (l *lists) types() (managedfields.TypeConverter, error) {
	l.once.Do(func() {
		crd := l.steps.CRD()
		models, err := builder.BuildOpenAPIV3(crd, l.steps.Kind.Version, builder.Options{})
		if err != nil {
			l.err = err
			return
		}
		l.known, l.err = managedfields.NewTypeConverter(models.Components.Schemas, crd.Spec.PreserveUnknownFields)
	})
	return l.known, l.err
}

func (l *lists) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	types, err := l.types()
	if err != nil {
		return nil, err
	}
	return types.ObjectToTyped(obj, opts...)
}

func (l *lists) TypedToObject(v *typed.TypedValue) (runtime.Object, error) {
	types, err := l.types()
	if err != nil {
		return nil, err
	}
	return types.TypedToObject(v)
}
