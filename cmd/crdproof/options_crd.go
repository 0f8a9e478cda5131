package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/size"
)

// crd reads the options of the crd generator.
func (r *planReader) crd(text string) {
	opts := &generator.Options{ToolVersion: version()}
	r.plan.generators = append(r.plan.generators, invocation{name: "crd", crd: opts})
	m, ok := r.parse(text)
	if !ok {
		return
	}
	var header headerOptions
	for i := range m.Args {
		value := &m.Args[i].Value
		isTrue := value.Text == "true"
		switch m.Args[i].Name {
		case "crdVersions":
			r.crdVersions(texts(value))
		case "maxDescLen":
			opts.MaxDescLen = r.length(text, value)
		case "deprecatedV1beta1CompatibilityPreserveUnknownFields":
			opts.PreserveUnknownFields = &isTrue
		case "omitToolVersion":
			if isTrue {
				opts.ToolVersion = ""
			}
		default:
			if !header.set(&m.Args[i]) && !r.model(text, &m.Args[i], opts) && !r.descriptions(text, &m.Args[i], &opts.Descriptions) {
				panic(fmt.Sprintf("the option %q of crd is in the table but has no meaning", m.Args[i].Name))
			}
		}
	}
	opts.Header = r.header(header)
}

// model reads an option about how CRDs are made of Go types and proved, and reports whether it is one.
func (r *planReader) model(text string, arg *markers.Arg, opts *generator.Options) bool {
	value := &arg.Value
	isTrue := value.Text == "true"
	switch arg.Name {
	case "allowDangerousTypes":
		opts.AllowDangerousTypes = isTrue
	case "ignoreUnexportedFields":
		opts.IgnoreUnexportedFields = isTrue
	case "generateEmbeddedObjectMeta":
		opts.GenerateEmbeddedObjectMeta = isTrue
	case "compat":
		opts.Compat = true
		r.oneOf(arg.Name, value.Text, "controller-gen")
	case "mistakes":
		opts.Tolerate = value.Text == "warn"
		r.oneOf(arg.Name, value.Text, "error", "warn")
	case "kube":
		opts.Proof.Kube = r.kube(value.Text)
	case "unproved":
		opts.Unproved = isTrue
	case "ignore":
		opts.Ignored = r.checks("ignore", texts(value), true)
	case "fail":
		opts.Raised = r.checks("fail", texts(value), false)
	case "costShare":
		if n := r.length(text, value); n != nil {
			opts.Proof.Share = *n
			if err := validShare(*n); err != nil {
				r.fail(input.Errorf("option costShare: %v", err))
			}
		}
	default:
		return false
	}
	return true
}

// descriptions reads an option about which descriptions are left out, and reports whether it is one.
func (r *planReader) descriptions(text string, arg *markers.Arg, opts *describe.Options) bool {
	switch arg.Name {
	case "dropDescriptions":
		opts.Packages = texts(&arg.Value)
		for _, pattern := range opts.Packages {
			if strings.HasPrefix(pattern, ".") || filepath.IsAbs(pattern) {
				r.fail(input.Errorf("option dropDescriptions: %q is a place in the file system", pattern).
					Help("write import paths, as in k8s.io/api/..."))
			}
		}
	case "descDepth":
		if opts.MaxDepth = r.length(text, &arg.Value); opts.MaxDepth != nil && *opts.MaxDepth < 0 {
			r.fail(input.Errorf("option descDepth: %d is no level", *opts.MaxDepth))
		}
	case "maxSize":
		opts.Budget = r.budget(arg.Value.Text)
	default:
		return false
	}
	return true
}

// budget reads how many bytes a CRD may have.
func (r *planReader) budget(text string) describe.Budget {
	if text == "apply" {
		return describe.Budget{Annotations: size.AnnotationLimit}
	}
	quantity, err := resource.ParseQuantity(text)
	n, exact := quantity.AsInt64()
	if err != nil || !exact || n < 1 || n > math.MaxInt32 {
		r.fail(input.Errorf("option maxSize: %q is no number of bytes", text).
			Help("write bytes, as 262144 or 256Ki, or apply for what kubectl apply can keep"))
		return describe.Budget{}
	}
	return describe.Budget{File: int(n), Annotations: int(n)}
}

// headerOptions say what is written before each file.
type headerOptions struct{ file, year string }

// set reads an option, and reports whether it is one of these.
func (h *headerOptions) set(arg *markers.Arg) bool {
	switch arg.Name {
	case "headerFile":
		h.file = arg.Value.Text
	case "year":
		h.year = arg.Value.Text
	default:
		return false
	}
	return true
}

// header is the text of the header file, with the year in it.
func (r *planReader) header(h headerOptions) []byte {
	if h.file == "" {
		return nil
	}
	text, err := os.ReadFile(h.file)
	if err != nil {
		r.fail(input.Errorf("headerFile: %s", input.Trouble(err)).Help("headerFile is relative to the working directory"))
	}
	return []byte(strings.ReplaceAll(string(text), " YEAR", " "+h.year))
}

// kube reads the versions to prove for.
func (r *planReader) kube(text string) kube.Range {
	versions, err := kube.ParseRange(text)
	if err != nil {
		r.fail(input.Errorf("option kube: %v", err))
	}
	return versions
}

// checks accepts the ids of checks.
func (r *planReader) checks(option string, ids []string, silencing bool) []string {
	for _, d := range generator.Checks().Usable("option "+option, ids, silencing) {
		d.Check = input.Option.ID
		r.fail(d)
	}
	return ids
}

// crdVersions accepts the one version of the CRD API that is left.
func (r *planReader) crdVersions(versions []string) {
	for _, v := range versions {
		if v == "v1" {
			continue
		}
		d := input.Errorf("crdVersions may only be v1, not %q", v)
		if v == "v1beta1" {
			d = d.Help("Kubernetes serves v1 alone since 1.22; leave crdVersions out")
		}
		r.fail(d)
	}
}

func (r *planReader) length(option string, v *markers.Value) *int {
	n, err := strconv.Atoi(v.Text)
	if err != nil {
		r.fail(input.Errorf("option %q: %q is no number that fits", option, v.Text))
		return nil
	}
	return &n
}

// oneOf reports an option whose value is none of those permitted.
func (r *planReader) oneOf(option, value string, permitted ...string) {
	if !slices.Contains(permitted, value) {
		r.fail(input.Errorf("%s may only be %s, not %q", option, strings.Join(permitted, " or "), value).
			Help("%s", diag.DidYouMean(value, permitted)))
	}
}
