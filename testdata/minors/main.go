// Command minors prints what the API server of one minor version of Kubernetes answers to the creation of CRDs, and to
// writes of their objects. It is
// built once for each minor, with the libraries of that minor (go build -modfile=1.34.mod).
//
// The input is CRDs in JSON, one on a line; the output is an Answer for each, one on a line, in the same order.
// A line may also be Writes (objects.go); the output is WriteAnswers.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/klog/v2"
)

// An Answer is what a server says about a CRD.
type Answer struct {
	// Errors are the reasons for which it is rejected; none means that it is accepted.
	Errors []Reason `json:"errors,omitempty"`
	// Undecodable says why the server cannot read the object, "" if it can. Panic is the text of a panic of its code.
	Undecodable string `json:"undecodable,omitempty"`
	Panic       string `json:"panic,omitempty"`
	// Costs are those of all rules that the server would look at, whatever else is wrong with the CRD.
	Costs []Cost `json:"costs,omitempty"`
}

// A Cost is what the server says of one rule.
type Cost struct {
	// Path is that of the rule, as in v1.
	Path string `json:"path"`
	// Rule and Message are why the rule or its messageExpression does not compile, "" if it does.
	Rule    string `json:"rule,omitempty"`
	Message string `json:"message,omitempty"`
	// Each and MessageCost are the estimated costs, for one value. Values is how many there can be, if nothing limits
	// them.
	Each        uint64 `json:"each"`
	MessageCost uint64 `json:"messageCost,omitempty"`
	Values      uint64 `json:"values"`
}

// A Reason is one error of a field of the internal version.
type Reason struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "minors:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard) // it is for the operators of servers
	debug.SetGCPercent(400)    // for the memory of one CRD at a time
	scheme := runtime.NewScheme()
	install.Install(scheme)
	decoder := serializer.NewCodecFactory(scheme).UniversalDecoder(apiextensions.SchemeGroupVersion)
	lines := bufio.NewReaderSize(in, 1<<20)
	w := bufio.NewWriter(out)
	encoder := json.NewEncoder(w)
	for {
		body, err := lines.ReadBytes('\n')
		if len(body) > 0 {
			if err := encoder.Encode(line(scheme, decoder, body)); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// answer does what the server does between reading the body of a creation and storing the object.
func answer(scheme *runtime.Scheme, decoder runtime.Decoder, body []byte) (out Answer) {
	defer func() {
		if p := recover(); p != nil {
			out = Answer{Panic: fmt.Sprint(p)}
		}
	}()
	object, _, err := decoder.Decode(body, nil, nil)
	if err != nil {
		return Answer{Undecodable: err.Error()}
	}
	crd, ok := object.(*apiextensions.CustomResourceDefinition)
	if !ok {
		return Answer{Undecodable: fmt.Sprintf("not a CRD: %T", object)}
	}
	rest.WipeObjectMetaSystemFields(crd)
	rest.FillObjectMetaSystemFields(crd)
	// The handler of creations drops managed fields that it cannot read (endpoints/handlers/create.go).
	if managedfields.ValidateManagedFields(crd.ManagedFields) != nil {
		crd.ManagedFields = nil
	}
	ctx := request.WithNamespace(context.Background(), "")
	err = rest.BeforeCreate(customresourcedefinition.NewStrategy(scheme), ctx, crd)
	out.Costs = costs(crd) // without the fields that the server drops
	var status *apierrors.StatusError
	switch {
	case err == nil:
	case errors.As(err, &status) && status.ErrStatus.Details != nil:
		for _, c := range status.ErrStatus.Details.Causes {
			out.Errors = append(out.Errors, Reason{string(c.Type), c.Field, c.Message})
		}
	default:
		out.Errors = []Reason{{Message: err.Error()}}
	}
	return out
}
