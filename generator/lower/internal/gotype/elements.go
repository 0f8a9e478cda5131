package gotype

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/generator/lower/internal/node"
	"github.com/crdproof/crdproof/generator/lower/internal/options"
	"github.com/crdproof/crdproof/schema"
)

// This file checks how Go encodes unset values that the API server then rejects or drops.

// What the API server does with null in a list and in a map.
const (
	rejectsNull = "rejects"
	dropsNull   = "drops together with its key"
)

// checkElement checks the elements of a list or a map that Go encodes as null. A nil slice means the same as an empty
// one, so its null is allowed; so is the null of a type whose own method writes it. A nil pointer is reported.
func (d Describer) checkElement(n *node.Node, does string) {
	if d.Opts.Compat {
		return
	}
	if n.IsBytes() {
		d.Warn(d.Reached(diag.Errorf(n.Own.At, checks.JSONEmpty,
			"an empty element is encoded as \"\", which the API server rejects: it is not valid base64").
			Help("make sure that no element is empty, or use strings instead")))
	}
	switch zero := d.flattener().ZeroOf(n); {
	case zero == nil || zero.Kind != schema.Null:
	case n.Sort == node.PointerSort && n.JSONType() == "" && !n.IsIntOrString() && does == rejectsNull:
		// Without a type, null is a value like any other.
	case n.Sort == node.PointerSort || n.NoNull() != "":
		d.Warn(d.Reached(diag.Errorf(n.Own.At, checks.JSONNullElement,
			"a nil element is encoded as null, which the API server %s", does).
			Help("use values instead of pointers, or make sure that no element is nil")))
	case d.Opts.With(options.NullElements):
		n.Own.Nullable = &schema.Flag{V: true}
	}
}

// checkMetadata reports an ObjectMeta whose fields are all pruned. The API server handles the metadata of the kind
// itself.
func (d Describer) checkMetadata(at diag.Span) {
	if described := d.meta == metaDescribed; described != d.Opts.GenerateEmbeddedObjectMeta {
		d.Deviate(options.ObjectMeta, at)
	}
	if d.meta != metaEmpty || d.preserves || d.Opts.Compat || d.InRootMetadata() {
		return
	}
	d.Report(d.Reached(diag.Warningf(at, checks.MetadataPruned,
		"the schema of this ObjectMeta is empty: the API server prunes its labels, annotations and all other fields").
		Help("add +crdproof:embeddedObjectMeta to the field, or run with crd:generateEmbeddedObjectMeta=true")))
}
