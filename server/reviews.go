package server

import (
	"context"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// A review is a question: it is created and answered, but not stored.
type review struct {
	sample             runtime.Object
	resource, singular string
	// answer sets the status of a question by a user.
	answer func(ctx context.Context, asking user.Info, obj runtime.Object) error
}

// reviews returns the table of questions about users and what they may do. Only system:masters may do anything, and
// they may do everything: roles are stored, but not evaluated.
func reviews(tokens authenticator.Token) []review {
	return []review{
		{&authorizationv1.SelfSubjectAccessReview{}, "selfsubjectaccessreviews", "selfsubjectaccessreview",
			func(_ context.Context, asking user.Info, obj runtime.Object) error {
				obj.(*authorizationv1.SelfSubjectAccessReview).Status = access(asking.GetGroups())
				return nil
			}},
		{&authorizationv1.SubjectAccessReview{}, "subjectaccessreviews", "subjectaccessreview",
			func(_ context.Context, _ user.Info, obj runtime.Object) error {
				r := obj.(*authorizationv1.SubjectAccessReview)
				r.Status = access(r.Spec.Groups)
				return nil
			}},
		{&authenticationv1.SelfSubjectReview{}, "selfsubjectreviews", "selfsubjectreview",
			func(_ context.Context, asking user.Info, obj runtime.Object) error {
				obj.(*authenticationv1.SelfSubjectReview).Status.UserInfo = userInfo(asking)
				return nil
			}},
		{&authenticationv1.TokenReview{}, "tokenreviews", "tokenreview",
			func(ctx context.Context, _ user.Info, obj runtime.Object) error {
				r := obj.(*authenticationv1.TokenReview)
				found, ok, err := tokens.AuthenticateToken(ctx, r.Spec.Token)
				if r.Status = (authenticationv1.TokenReviewStatus{Authenticated: ok}); ok {
					r.Status.User = userInfo(found.User)
				}
				return err
			}},
	}
}

func access(groups []string) authorizationv1.SubjectAccessReviewStatus {
	if slices.Contains(groups, user.SystemPrivilegedGroup) {
		return authorizationv1.SubjectAccessReviewStatus{Allowed: true}
	}
	return authorizationv1.SubjectAccessReviewStatus{
		Reason: "crdproof's API server does not evaluate roles: only " + user.SystemPrivilegedGroup + " is allowed",
	}
}

func userInfo(u user.Info) authenticationv1.UserInfo {
	out := authenticationv1.UserInfo{Username: u.GetName(), UID: u.GetUID(), Groups: u.GetGroups()}
	for key, values := range u.GetExtra() {
		if out.Extra == nil {
			out.Extra = map[string]authenticationv1.ExtraValue{}
		}
		out.Extra[key] = values
	}
	return out
}

func (r review) New() runtime.Object     { return r.sample.DeepCopyObject() }
func (review) Destroy()                  {} // it has nothing
func (review) NamespaceScoped() bool     { return false }
func (r review) GetSingularName() string { return r.singular }

func (r review) Create(
	ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions,
) (runtime.Object, error) {
	if validate != nil {
		if err := validate(ctx, obj.DeepCopyObject()); err != nil {
			return nil, err
		}
	}
	asking, ok := request.UserFrom(ctx)
	if !ok {
		return nil, apierrors.NewBadRequest("no user is asking")
	}
	return obj, r.answer(ctx, asking, obj)
}
