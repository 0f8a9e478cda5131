package server

import (
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdproof/crdproof/rules/kube"
)

// Refused says why an API server does not accept a CRD.
type Refused struct {
	// Name is that of the CRD.
	Name    string
	Reasons []kube.Rejection
}

func (r *Refused) Error() string {
	var reasons []string
	for _, reason := range r.Reasons {
		text := reason.Message
		if reason.Path != "" {
			text = reason.Path + ": " + text
		}
		reasons = append(reasons, text)
	}
	return fmt.Sprintf("an API server refuses the CRD %s: %s", r.Name, strings.Join(reasons, "; "))
}

var errNull = errors.New("the object is no JSON object, but null")

// errOutdated is OptimisticLockErrorMsg of k8s.io/apiserver/pkg/registry/generic/registry/store.go.
var errOutdated = errors.New("the object has been modified; please apply your changes to the latest version and " +
	"try again")

// errTooLarge is etcd's (go.etcd.io/etcd/api/v3/v3rpc/rpctypes/error.go).
var errTooLarge = errors.New("etcdserver: request is too large")

// duplicateOwners is DuplicateOwnerReferencesWarningFormat of k8s.io/apiserver/pkg/endpoints/handlers/rest.go.
const duplicateOwners = ".metadata.ownerReferences contains duplicate entries; API server dedups owner references " +
	"in 1.20+, " +
	"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %v"

// A WebhookError says that an object would have to be converted by a webhook, which is not here to be asked.
type WebhookError struct{ From, To schema.GroupVersion }

func (e *WebhookError) Error() string {
	return fmt.Sprintf("only the webhook of the CRD can convert from %s to %s: write objects of the storage version",
		e.From, e.To)
}

// refuse fills in a refusal, as k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/status.go makes one of an
// error. It returns the error itself where that is no refusal.
func (a *Answer) refuse(err error) error {
	if webhook := (*WebhookError)(nil); errors.As(err, &webhook) {
		return err
	}
	said := metav1.Status{
		Status: metav1.StatusFailure, Code: 500, Reason: metav1.StatusReasonUnknown, Message: err.Error(),
	}
	if status, ok := err.(apierrors.APIStatus); ok {
		said = status.Status()
	}
	a.Refusal = &apierrors.StatusError{ErrStatus: said}
	return nil
}
