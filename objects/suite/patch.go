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

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// patched returns the CRD for the creation of the initial object of a case of onUpdate.
func (o *Outcome) patched(ctx context.Context) (*write.Resource, bool) {
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
		var resource *write.Resource
		if resource, err = write.New(ctx, o.target.reduced(object)); err == nil {
			return resource.For(o.target.minor), true
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

// wrongPatch reports why a patch does not apply to a document.
func wrongPatch(document []byte, p Patch, err error) diag.Diagnostic {
	const prefix = "cannot apply the patch: "
	for _, pointer := range []schema.Text{p.From, p.Path} {
		if pointer.V == "" {
			continue
		}
		if !strings.HasPrefix(pointer.V, "/") {
			return diag.Errorf(pointer.At, badPatch, prefix+"%q is not a JSON pointer", pointer.V).
				Help("write %s", asPointer(pointer.V))
		}
		needed := pointer.V
		if adds := []string{"add", "move", "copy"}; pointer == p.Path && slices.Contains(adds, p.Op.V) {
			needed = needed[:strings.LastIndexByte(needed, '/')] // the last token names what is new
		}
		if m := follow(document, needed); m != nil {
			at := pointer.At
			if i := strings.Index(at.Text(), pointer.V); i >= 0 && m.token != "" { // or it is written with escapes
				at = at.Sub(i+m.offset, i+m.offset+len(m.token))
			}
			return diag.Errorf(at, badPatch, prefix+"%s", m.text).Help("%s", diag.DidYouMean(m.token, m.known))
		}
	}
	if p.Op.V == "test" {
		return diag.Errorf(p.Path.At, badPatch, prefix+"%s has a different value", p.Path.V)
	}
	return diag.Errorf(p.Path.At, badPatch, prefix+"%s %s: %v", p.Op.V, p.Path.V, err)
}

// asPointer returns a JSON pointer for a path that is written in another notation, such as spec.versions[0].
func asPointer(path string) string {
	path = strings.TrimLeft(path, "$.")
	if !strings.Contains(path, "/") {
		path = strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(path)
	}
	return "/" + path
}

// A miss is the first token of a JSON pointer that a document does not have.
type miss struct {
	token  string
	offset int
	// text says what is wrong, known are the keys that exist there.
	text  string
	known []string
}

// follow walks along a JSON pointer. It returns nil if the document has all of it.
func follow(document []byte, pointer string) *miss {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return nil
	}
	offset := 0
	if pointer == "" {
		return nil // the whole document
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		there := cmp.Or(pointer[:offset], "the CRD")
		offset++
		m := &miss{token: token, offset: offset}
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[name]
			if !ok {
				m.text = fmt.Sprintf("%s has no key %q", there, name)
				for _, key := range sortedKeys(v) {
					m.known = append(m.known, strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
				}
				return m
			}
			value = next
		case []any:
			i, err := strconv.Atoi(name)
			switch {
			case err != nil:
				m.text = fmt.Sprintf("%s is a list: expected an index, got %q", there, name)
				return m
			case i < 0 || i >= len(v):
				m.text = fmt.Sprintf("index %d is out of range: %s has %s", i, there, diag.Counted(len(v), "item"))
				return m
			}
			value = v[i]
		default:
			m.text = fmt.Sprintf("%s is not an object or a list, so it has no key %q", there, name)
			return m
		}
		offset += len(token)
	}
	return nil
}

// badPatches reports why a patched CRD cannot be served.
func badPatches(c *Case, err error) diag.Diagnostic {
	d := diag.Errorf(c.node.Member(keyPatches).KeyAt, badPatch,
		"the API server cannot serve the patched CRD: %v", err)
	if rejected := (*write.Rejected)(nil); errors.As(err, &rejected) {
		d.Message = "the API server rejects the patched CRD"
		for _, r := range rejected.Reasons {
			d = d.Note("%s: %s", r.Path, r.Message)
		}
		slices.Sort(d.Notes)
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		d.Message = fmt.Sprintf("the API server cannot decode the patched CRD: %s cannot be a %s",
			wrong.Field, wrong.Value)
	}
	return d
}
