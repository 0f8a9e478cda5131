package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/discovery"
)

// A front answers the requests that neither the kinds of the table nor CRDs answer: the list of all groups, and what
// this server does not have.
type front struct {
	// builtIn are the resources that are not from CRDs.
	builtIn map[schema.GroupVersion]map[string]rest.Storage
	// discovery answers with all groups and their resources.
	discovery http.Handler
}

// wrap returns a handler of authorized requests.
func (f *front) wrap(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, ok := request.RequestInfoFrom(r.Context())
		switch {
		case ok && info.IsResourceRequest && f.lacks(info):
			f.notFound(w, r)
		case strings.TrimSuffix(r.URL.Path, "/") != "/apis":
			api.ServeHTTP(w, r)
		case strings.Contains(r.Header.Get("Accept"), "apidiscovery"):
			f.discovery.ServeHTTP(w, r)
		default:
			f.groups(w, r)
		}
	})
}

// lacks reports whether a request is about a resource of a built-in group that clusters may have and this server does
// not have. A kind that has no status or scale here has none elsewhere.
func (f *front) lacks(info *request.RequestInfo) bool {
	name := info.Resource
	if info.Subresource != "" && info.Subresource != "status" && info.Subresource != "scale" {
		name += "/" + info.Subresource
	}
	isBuiltIn := false
	for version, resources := range f.builtIn {
		if version.Group != info.APIGroup {
			continue
		}
		isBuiltIn = true
		if version.Version == info.APIVersion && resources[name] != nil {
			return false
		}
	}
	return isBuiltIn
}

// notFound answers that the server does not have what is asked for. For a resource that it has, the path is wrong, for
// example because it lacks the namespace: the answer is then that of every API server.
func (f *front) notFound(w http.ResponseWriter, r *http.Request) {
	what := r.URL.Path
	if info, ok := request.RequestInfoFrom(r.Context()); ok && info.IsResourceRequest {
		if f.has(r, info) {
			http.NotFound(w, r)
			return
		}
		what = info.Resource
		if info.Subresource != "" {
			what += "/" + info.Subresource
		}
		version := info.APIVersion
		if info.APIGroup != "" {
			version = info.APIGroup + "/" + version
		}
		what += " of " + version
	}
	writeJSON(w, http.StatusNotFound, metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound,
		Message: fmt.Sprintf("the server could not find the requested resource: crdproof's API server does not have "+
			"%s. It has CRDs and some built-in kinds; kubectl api-resources lists them", what),
	})
}

// has reports whether discovery lists the resource that a request is about.
func (f *front) has(r *http.Request, info *request.RequestInfo) bool {
	all, err := f.listed(r)
	if err != nil {
		return false
	}
	for _, g := range all.Items {
		for _, v := range g.Versions {
			for _, resource := range v.Resources {
				if g.Name == info.APIGroup && v.Version == info.APIVersion && resource.Resource == info.Resource {
					return info.Subresource == ""
				}
			}
		}
	}
	return false
}

// listed returns all groups and their resources.
func (f *front) listed(r *http.Request) (all apidiscovery.APIGroupDiscoveryList, err error) {
	r = r.Clone(r.Context())
	r.Method, r.Body = http.MethodGet, http.NoBody
	r.Header = http.Header{"Accept": {discovery.AcceptV2}}
	answer := &recorder{header: http.Header{}}
	f.discovery.ServeHTTP(answer, r)
	err = json.Unmarshal(answer.Bytes(), &all)
	return all, err
}

// groups answers with the names and versions of all groups, in the form that clients without aggregated discovery read.
func (f *front) groups(w http.ResponseWriter, r *http.Request) {
	all, err := f.listed(r)
	if err != nil {
		http.Error(w, fmt.Sprintf("the list of groups cannot be read: %v", err), http.StatusInternalServerError)
		return
	}
	list := metav1.APIGroupList{
		TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: []metav1.APIGroup{},
	}
	for _, g := range all.Items {
		group := metav1.APIGroup{Name: g.Name}
		for _, v := range g.Versions {
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{
				GroupVersion: g.Name + "/" + v.Version, Version: v.Version,
			})
		}
		if len(group.Versions) > 0 {
			group.PreferredVersion = group.Versions[0]
			list.Groups = append(list.Groups, group)
		}
	}
	writeJSON(w, http.StatusOK, list)
}

// A recorder keeps an answer.
type recorder struct {
	bytes.Buffer
	header http.Header
}

func (r *recorder) Header() http.Header { return r.header }
func (*recorder) WriteHeader(int)       {}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value) // the client has gone
}
