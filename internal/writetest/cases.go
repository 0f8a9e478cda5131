// Package writetest reads and runs test cases of writes: a CRD, what a client sends for its objects one after the
// other, and what the API server answers. The files are in objects/write/testdata. A real API server writes the
// answers, in testdata/conformance, and objects/write must give the same ones.
//
// A case is a txtar archive. Its first file, crd, is the CRD. Then follow steps, each with the file answer after it:
//
//	create, update, status   a write of the object in the file
//	read                     the object as it is answered in a version
//	crd                      a replacement of the CRD
//
// The name may be followed by the version of the address and by how unknown fields are treated, as in "create v1
// Strict". An object in YAML gets the kind and the version of the address, unless it has its own. An object in JSON is
// sent unchanged. An update is about the object of the last create or update of the case.
package writetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/tools/txtar"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/objects/write"
)

// A Case is a sequence of writes.
type Case struct {
	// Name is that of the file, without the extension.
	Name    string
	CRD     *apiext.CustomResourceDefinition
	Steps   []Step
	archive *txtar.Archive
}

// A Step is a step of a case.
type Step struct {
	// Do is the first word of the name.
	Do string
	// Version is the version of the address, Validation the query parameter fieldValidation.
	Version, Validation string
	// Object is the object that is sent.
	Object []byte
	// Written is the object without what only a real server needs: the resource version that YAML may omit.
	Written []byte
	// CRD is the replacement of the CRD.
	CRD    *apiext.CustomResourceDefinition
	answer int
}

// Read reads the cases of a folder.
func Read(folder string) ([]*Case, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(err, fmt.Errorf("%s has %d cases", folder, len(paths)))
	}
	var out []*Case
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return nil, err
		}
		c, err := newCase(archive)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c.Name = strings.TrimSuffix(filepath.Base(path), ".txtar")
		out = append(out, c)
	}
	return out, nil
}

func newCase(a *txtar.Archive) (c *Case, err error) {
	if len(a.Files) == 0 || a.Files[0].Name != "crd" {
		return nil, errors.New("the first file is not the CRD")
	}
	c = &Case{}
	if c.CRD, err = readCRD(a.Files[0].Data); err != nil {
		return nil, err
	}
	var files []txtar.File
	for i, f := range a.Files {
		if files = append(files, f); i == 0 || f.Name == "answer" {
			continue
		}
		step, err := c.newStep(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if step.CRD == nil {
			if i+1 == len(a.Files) || a.Files[i+1].Name != "answer" {
				files = append(files, txtar.File{Name: "answer"})
				step.answer = len(files) - 1
			} else {
				step.answer = len(files)
			}
		}
		c.Steps = append(c.Steps, step)
	}
	c.archive = &txtar.Archive{Comment: a.Comment, Files: files}
	return c, nil
}

func readCRD(data []byte) (*apiext.CustomResourceDefinition, error) {
	crd := &apiext.CustomResourceDefinition{}
	return crd, yaml.UnmarshalStrict(data, crd)
}

func (c *Case) newStep(f txtar.File) (s Step, err error) {
	words := strings.Fields(f.Name)
	s.Do, s.Version = words[0], c.storage()
	for _, word := range words[1:] {
		if unicode.IsUpper(rune(word[0])) {
			s.Validation = word
		} else {
			s.Version = word
		}
	}
	switch s.Do {
	case "crd":
		s.CRD, err = readCRD(f.Data)
		return s, err
	case "read":
		return s, nil
	case "create", "update", "status":
	default:
		return s, errors.New("unknown step")
	}
	if strings.HasPrefix(string(f.Data), "{") {
		s.Object = []byte(strings.TrimSpace(string(f.Data)))
		s.Written = s.Object
		return s, nil
	}
	var object map[string]any
	if err := yaml.Unmarshal(f.Data, &object); err != nil {
		return s, err
	}
	for name, value := range map[string]string{"apiVersion": c.CRD.Spec.Group + "/" + s.Version,
		"kind": c.CRD.Spec.Names.Kind} {
		if _, ok := object[name]; !ok {
			object[name] = value
		}
	}
	if s.Written, err = json.Marshal(object); err != nil {
		return s, err
	}
	if meta, ok := object["metadata"].(map[string]any); ok && s.Do != "create" && meta["resourceVersion"] == nil {
		meta["resourceVersion"] = ResourceVersion
	}
	s.Object, err = json.Marshal(object)
	return s, err
}

// ResourceVersion and UID in objects are placeholders for those of the stored object.
const (
	ResourceVersion = "$resourceVersion"
	UID             = "$uid"
)

func (c *Case) storage() string {
	for _, v := range c.CRD.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// Want is the answer to a step in the file.
func (c *Case) Want(s Step) string { return string(c.archive.Files[s.answer].Data) }

// Set replaces the answer to a step.
func (c *Case) Set(s Step, answer string) { c.archive.Files[s.answer].Data = []byte(answer) }

// Write writes the case to a folder.
func (c *Case) Write(folder string) error {
	return os.WriteFile(filepath.Join(folder, c.Name+".txtar"), txtar.Format(c.archive), 0o644)
}

// A Library is the state of objects/write during a case.
type Library struct {
	Resource *write.Resource
	// Stored is the stored object.
	Stored map[string]any
}

// Use sets the CRD.
func (l *Library) Use(ctx context.Context, crd *apiext.CustomResourceDefinition) (err error) {
	l.Resource, err = write.New(ctx, crd)
	return err
}

// Do runs a step.
func (l *Library) Do(ctx context.Context, s Step) (write.Answer, error) {
	if s.Do == "read" {
		object, err := l.Resource.Read(l.Stored, s.Version)
		return write.Answer{Object: object}, err
	}
	request := write.Request{Object: s.Written, Version: s.Version, Status: s.Do == "status", Validation: s.Validation}
	if s.Do != "create" {
		if request.Old = l.Stored; l.Stored == nil {
			return write.Answer{}, errors.New("there is nothing to update")
		}
		meta := l.Stored["metadata"].(map[string]any)
		request.Object = Fill(request.Object, fmt.Sprint(meta["resourceVersion"]), fmt.Sprint(meta["uid"]))
	}
	answer, err := l.Resource.Write(ctx, request)
	if answer.Stored != nil {
		l.Stored = answer.Stored
	}
	return answer, err
}

// Fill replaces the placeholders in an object.
func Fill(object []byte, resourceVersion, uid string) []byte {
	return []byte(strings.NewReplacer(ResourceVersion, resourceVersion, UID, uid).Replace(string(object)))
}
