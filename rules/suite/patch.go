package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/server"
)

// patched is the CRD under which the object of a case of onUpdate is created.
func (o *Outcome) patched(ctx context.Context) (*server.Resource, bool) {
	if len(o.Case.Patches) == 0 {
		return o.target.resource, true
	}
	document := toJSON(o.target.crd.Object)
	for _, p := range o.Case.Patches {
		patched, err := apply(document, p)
		if err != nil {
			o.fail(wrongPatch(document, p, err))
			return nil, false
		}
		document = patched
	}
	object, err := kube.Decode(document)
	if err == nil {
		var resource *server.Resource
		if resource, err = server.New(ctx, o.target.reduced(object)); err == nil {
			return resource, true
		}
	}
	o.fail(badPatches(o.Case, err))
	return nil, false
}

// apply applies one operation to a JSON document.
func apply(document []byte, p Patch) ([]byte, error) {
	list, err := jsonpatch.DecodePatch([]byte("[" + string(p.JSON) + "]"))
	if err != nil {
		return nil, err
	}
	return list.Apply(document)
}

// wrongPatch says why a patch does not apply to a document.
func wrongPatch(document []byte, p Patch, err error) diag.Diagnostic {
	const prefix = "the patch does not apply to the CRD: "
	d := diag.Errorf(p.Path.At, badPatch, prefix+"%s %s: %v", p.Op.V, p.Path.V, err)
	for _, pointer := range []schema.Text{p.Path, p.From} {
		switch there, missing, known := follow(document, pointer.V); {
		case pointer.V == "":
		case !strings.HasPrefix(pointer.V, "/"):
			return diag.Errorf(pointer.At, badPatch, prefix+"%s is no JSON pointer", pointer.V).
				Help("begin it with a slash, as in /spec/versions/0/schema/openAPIV3Schema")
		case missing != "":
			return diag.Errorf(pointer.At, badPatch, prefix+"%s has no %q to %s", there, missing, p.Op.V).
				Help("%s", diag.DidYouMean(missing, known))
		}
	}
	if p.Op.V == "test" {
		d.Message = prefix + "it has another value at " + p.Path.V
	}
	return d
}

// follow goes along a JSON pointer, and returns where it gets to, what is missing there, and what there is instead.
func follow(document []byte, pointer string) (there, missing string, known []string) {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return "", "", nil
	}
	walked := ""
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		var next any
		ok := false
		switch v := value.(type) {
		case map[string]any:
			next, ok = v[name]
			known = sortedKeys(v)
		case []any:
			i, err := strconv.Atoi(name)
			if ok = err == nil && i >= 0 && i < len(v); ok {
				next = v[i]
			}
			known = nil
		}
		if !ok {
			return cmp.Or(walked, "the CRD"), name, known
		}
		value, walked = next, walked+"/"+token
	}
	return walked, "", nil
}

// badPatches says why what patches make of a CRD cannot be served.
func badPatches(c *Case, err error) diag.Diagnostic {
	d := diag.Errorf(c.node.Member(keyPatches).KeyAt, badPatch,
		"an API server cannot serve what the patches make of the CRD: %v", err)
	if refused := (*server.Refused)(nil); errors.As(err, &refused) {
		d.Message = "an API server refuses what the patches make of the CRD"
		for _, r := range refused.Reasons {
			d = d.Note("%s: %s", r.Path, r.Message)
		}
		slices.Sort(d.Notes)
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		d.Message = fmt.Sprintf("what the patches make of the CRD is none: %s cannot be of the type %s",
			wrong.Field, wrong.Value)
	}
	return d
}
