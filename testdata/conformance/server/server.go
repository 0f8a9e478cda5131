// Package server asks the real API server for CustomResourceDefinitions, which runs in this process. The input is a CRD
// as YAML, the output is the server's verdict.
package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/net/http2"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/server"
)

// A Server is a running API server.
type Server struct {
	client *http.Client
	host   string
	server *server.Server
}

// Config is how clients reach the server.
func (s *Server) Config() *rest.Config { return s.server.Config() }

// Start starts an API server, which is gone after Stop. What it logs is dropped, for the whole process: the loggers are
// global.
func Start() (*Server, error) {
	log.SetOutput(io.Discard)
	// The server's HTTP listener keeps the standard error that it finds when it starts, and writes panics to it.
	devNull, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	stderr := os.Stderr
	os.Stderr = devNull
	s, err := server.New(context.Background(), server.Options{AnyNamespace: true})
	os.Stderr = stderr
	if err != nil {
		return nil, err
	}
	client, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return &Server{client, s.Config().Host, s}, nil
}

// Stop ends the server and removes its files.
func (s *Server) Stop() {
	if err := s.server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// A Verdict is the server's answer to a CRD, or to another object.
type Verdict struct {
	// Accepted reports that the object is, or would be, created.
	Accepted bool
	// Reason is the class of the rejection, such as "Invalid", or "BadRequest" where the server could not read the
	// object.
	Reason string
	// Message is the rejection in one text.
	Message string
	// Causes are its parts, where the server tells them apart.
	Causes []Cause
	// Name is that of the object that is created, Object the object as it is stored.
	Name   string
	Object []byte
	// Warnings are what the server says beside.
	Warnings []string
}

// Panic is the reason where the server breaks off in place of an answer.
const Panic = "Panic"

// A Cause is one reason for a rejection.
type Cause struct {
	// Field is a path of the internal version, in which the parts that all versions share are above them.
	Field string
	// Message is the sentence without the path.
	Message string
}

// Judge returns the server's answer to a CRD, as YAML or JSON, without storing it.
func (s *Server) Judge(ctx context.Context, crd []byte) (Verdict, error) {
	return s.send(ctx, http.MethodPost, resource, crd, url.Values{"dryRun": {"All"}})
}

// Create creates a CRD, and waits until the server serves it.
func (s *Server) Create(ctx context.Context, crd []byte) (Verdict, error) {
	v, err := s.send(ctx, http.MethodPost, resource, crd, url.Values{})
	if err != nil || !v.Accepted {
		return v, err
	}
	return v, s.await(ctx, v.Name)
}

// CreateObject creates an object of a kind that is served, as YAML or JSON, in a collection such as
// /apis/example.com/v1/namespaces/default/widgets. Fields that its schema does not have are a reason to reject it.
func (s *Server) CreateObject(ctx context.Context, collection string, object []byte) (Verdict, error) {
	return s.send(ctx, http.MethodPost, collection, object,
		url.Values{"fieldValidation": {metav1.FieldValidationStrict}})
}

// UpdateObject replaces an object of a collection by another, which is read as CreateObject reads it and whose metadata
// are those of the first.
func (s *Server) UpdateObject(ctx context.Context, collection, name string, object []byte) (Verdict, error) {
	path := collection + "/" + name
	body, err := s.get(ctx, path)
	if err != nil {
		return Verdict{}, err
	}
	var stored, fields map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(body, &stored), yaml.Unmarshal(object, &fields)); err != nil {
		return Verdict{}, err
	}
	fields["metadata"] = stored["metadata"]
	if object, err = json.Marshal(fields); err != nil {
		return Verdict{}, err
	}
	return s.send(ctx, http.MethodPut, path, object, url.Values{"fieldValidation": {metav1.FieldValidationStrict}})
}

// Store creates an object of a kind that is served, as JSON, in a collection, or, where there is one of the name,
// replaces it. Fields that its schema does not have are dropped.
func (s *Server) Store(ctx context.Context, collection string, object []byte) (Verdict, error) {
	named, err := metadataOf(object)
	if err != nil {
		return Verdict{}, err
	}
	path := collection + "/" + named.Name
	body, err := s.get(ctx, path)
	if status := (*unexpected)(nil); errors.As(err, &status) && status.Code == http.StatusNotFound {
		return s.sendAs(ctx, "application/json", http.MethodPost, collection, object, url.Values{})
	} else if err != nil {
		return Verdict{}, err
	}
	var stored, fields map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(body, &stored), json.Unmarshal(object, &fields)); err != nil {
		return Verdict{}, err
	}
	fields["metadata"] = stored["metadata"]
	if object, err = json.Marshal(fields); err != nil {
		return Verdict{}, err
	}
	return s.sendAs(ctx, "application/json", http.MethodPut, path, object, url.Values{})
}

// An Answer is what the server says to a request, as it says it.
type Answer struct {
	// Object is what it returns, Status why it does not; one of the two is nil.
	Object []byte
	Status *metav1.Status
	// Warnings are what it says beside.
	Warnings []string
}

// Ask sends a request with a body of JSON, or none. Validation is the query parameter fieldValidation, which "" leaves
// out.
func (s *Server) Ask(ctx context.Context, method, path string, body []byte, validation string) (Answer, error) {
	if validation != "" {
		path += "?" + url.Values{"fieldValidation": {validation}}.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, s.host+path, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	code := http.StatusOK
	if method == http.MethodPost {
		code = http.StatusCreated
	}
	object, warnings, err := s.do(req, code)
	if stream := (http2.StreamError{}); errors.As(err, &stream) && stream.Code == http2.ErrCodeInternal {
		return Answer{Status: &metav1.Status{Reason: Panic}}, nil
	}
	var rejected *unexpected
	if errors.As(err, &rejected) {
		return Answer{Status: &rejected.Status, Warnings: warnings}, nil
	}
	return Answer{Object: object, Warnings: warnings}, err
}

// Collection is where CRDs are.
const Collection = resource

// Pruned reports whether objects of a collection lose a field that no schema knows. It creates none.
func (s *Server) Pruned(ctx context.Context, collection string, object []byte, name string) (bool, error) {
	v, err := s.sendAs(ctx, "application/json", http.MethodPost, collection, object, url.Values{"dryRun": {"All"}})
	if err != nil || !v.Accepted {
		return true, err
	}
	var stored map[string]json.RawMessage
	err = json.Unmarshal(v.Object, &stored)
	return stored[name] == nil, err
}

// await waits until a CRD is established.
func (s *Server) await(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		body, err := s.get(ctx, resource+"/"+name)
		if err != nil {
			return fmt.Errorf("%s is not served: %w", name, err)
		}
		var crd apiext.CustomResourceDefinition
		if err := json.Unmarshal(body, &crd); err != nil {
			return err
		}
		if apihelpers.IsCRDConditionTrue(&crd, apiext.Established) {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
}

const resource = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

func (s *Server) get(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.host+path, nil)
	if err != nil {
		return nil, err
	}
	body, _, err := s.do(req, http.StatusOK)
	return body, err
}

// send sends an object. Where the query asks for no strict reading, fields that the server does not know are dropped.
func (s *Server) send(ctx context.Context, method, path string, object []byte, query url.Values) (Verdict, error) {
	return s.sendAs(ctx, "application/yaml", method, path, object, query)
}

// sendAs sends an object in a format. YAML does not tell 2.0 from 2, JSON does.
func (s *Server) sendAs(ctx context.Context, format, method, path string, object []byte, query url.Values) (Verdict,
	error) {
	if !query.Has("fieldValidation") {
		query.Set("fieldValidation", metav1.FieldValidationIgnore)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.host+path+"?"+query.Encode(), bytes.NewReader(object))
	if err != nil {
		return Verdict{}, err
	}
	req.Header.Set("Content-Type", format)
	code := http.StatusCreated
	if method == http.MethodPut {
		code = http.StatusOK
	}
	body, warnings, err := s.do(req, code)
	var status *unexpected
	if stream := (http2.StreamError{}); errors.As(err, &stream) && stream.Code == http2.ErrCodeInternal {
		return Verdict{Reason: Panic, Message: "the server's code panics"}, nil
	} else if errors.As(err, &status) {
		v := rejection(status.Status)
		v.Warnings = warnings
		return v, nil
	} else if err != nil {
		return Verdict{}, err
	}
	created, err := metadataOf(body)
	return Verdict{Accepted: true, Name: created.Name, Object: body, Warnings: warnings}, err
}

// metadataOf reads the metadata of an object. encoding/json would take those of a field METADATA, too.
func metadataOf(object []byte) (metav1.PartialObjectMetadata, error) {
	var read metav1.PartialObjectMetadata
	err := utiljson.Unmarshal(object, &read)
	return read, err
}

// do sends a request and returns the body of the answer, and the warnings that come with it. An answer of another code
// is an error; it is *unexpected where the server says why.
func (s *Server) do(req *http.Request, code int) ([]byte, []string, error) {
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	parsed, _ := utilnet.ParseWarningHeaders(resp.Header["Warning"]) // those that cannot be parsed do not matter
	for _, w := range parsed {
		warnings = append(warnings, w.Text)
	}
	if resp.StatusCode == code {
		return body, warnings, nil
	}
	answer := &unexpected{}
	if err := json.Unmarshal(body, &answer.Status); err != nil || answer.Status.Status != metav1.StatusFailure {
		return nil, nil, fmt.Errorf("the server answers %s: %s", resp.Status, body)
	}
	return nil, warnings, answer
}

// unexpected is an answer that says why something is not done.
type unexpected struct{ metav1.Status }

func (u *unexpected) Error() string { return u.Message }

func rejection(status metav1.Status) Verdict {
	v := Verdict{Reason: string(status.Reason), Message: status.Message}
	if status.Details != nil {
		for _, c := range status.Details.Causes {
			v.Causes = append(v.Causes, Cause{Field: c.Field, Message: c.Message})
		}
	}
	return v
}
