package write

import (
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/support"
	"github.com/crdproof/crdproof/rules/kube"
)

// Rejected says why an API server rejects a CRD.
type Rejected struct {
	// Name is the name of the CRD.
	Name    string
	Reasons []kube.Rejection
}

func (r *Rejected) Error() string {
	var reasons []string
	for _, reason := range r.Reasons {
		text := reason.Message
		if reason.Path != "" {
			text = reason.Path + ": " + text
		}
		reasons = append(reasons, text)
	}
	return fmt.Sprintf("the API server rejects the CRD %s: %s", r.Name, strings.Join(reasons, "; "))
}

// BlocksRules reports whether a server with kube.BlockingEnums evaluates no rules because of an error.
func BlocksRules(e *field.Error) bool { return support.Blocked(field.ErrorList{e}, false) != nil }

// IsUnchecked reports whether an error only says that rules were not evaluated because of other errors.
func IsUnchecked(e *field.Error) bool {
	return e.Detail == support.Blocked(field.ErrorList{field.Required(nil, "")}, false).Detail
}

var errNull = errors.New("expected a JSON object, got null")

// errOutdated is OptimisticLockErrorMsg of k8s.io/apiserver/pkg/registry/generic/registry/store.go.
var errOutdated = errors.New("the object has been modified; please apply your changes to the latest version and " +
	"try again")

// errTooLarge is the error of etcd (go.etcd.io/etcd/api/v3/v3rpc/rpctypes/error.go).
var errTooLarge = errors.New("etcdserver: request is too large")

// duplicateOwners is DuplicateOwnerReferencesWarningFormat of k8s.io/apiserver/pkg/endpoints/handlers/rest.go.
const duplicateOwners = ".metadata.ownerReferences contains duplicate entries; API server dedups owner references " +
	"in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %v"

// A WebhookError says that only a webhook, which is not available, could convert an object.
type WebhookError struct{ From, To schema.GroupVersion }

func (e *WebhookError) Error() string {
	return fmt.Sprintf("only the webhook of the CRD can convert from %s to %s; write objects of the storage version",
		e.From, e.To)
}

// reject fills in the rejection for an error, as k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/status.go
// does. It returns the error itself if it is not a rejection.
func (a *Answer) reject(err error) error {
	if webhook := (*WebhookError)(nil); errors.As(err, &webhook) {
		return err
	}
	said := metav1.Status{
		Status: metav1.StatusFailure, Code: 500, Reason: metav1.StatusReasonUnknown, Message: err.Error(),
	}
	if status, ok := err.(apierrors.APIStatus); ok {
		said = status.Status()
	}
	a.Rejection = &apierrors.StatusError{ErrStatus: said}
	return nil
}
