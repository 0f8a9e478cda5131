package harness

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

// A Judge returns the reasons to reject a CRD, given as YAML; none means that it is accepted. The error is I/O.
type Judge func(ctx context.Context, crd []byte) ([]string, error)

// Crdproof is crdproof's verdict, that of `crdproof check`: the errors in what it finds.
func Crdproof(ctx context.Context, crd []byte) ([]string, error) {
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: crd})
	for _, doc := range docs {
		object, err := kube.Decode(doc.JSON)
		if err != nil {
			return []string{err.Error()}, nil
		}
		opts := session.Options{Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}, ByVerdict: true}
		found = append(found, rules.Check(ctx, session.New(doc.CRD, object, opts))...)
	}
	var reasons []string
	for _, d := range found {
		if d.Severity == diag.Error {
			reasons = append(reasons, d.Path+": "+d.Message+" ["+d.Check+"]")
		}
	}
	return reasons, nil
}

// Library is the verdict of the API server's own code as crdproof calls it. Its reasons are the server's, verbatim.
func Library(ctx context.Context, crd []byte) ([]string, error) {
	sent, err := yaml.YAMLToJSON(crd)
	if err != nil {
		return []string{err.Error()}, nil
	}
	object, err := kube.Decode(sent)
	if err != nil {
		return []string{err.Error()}, nil
	}
	rejections, err := kube.Verdict(ctx, object)
	if err != nil {
		return []string{err.Error()}, nil
	}
	var reasons []string
	for _, r := range rejections {
		reasons = append(reasons, reason(r.Path, r.Message))
	}
	return reasons, nil
}

// reasons are those of the server, in the form of Library's.
func reasons(v server.Verdict) []string {
	if len(v.Causes) == 0 && !v.Accepted {
		return []string{v.Message}
	}
	var out []string
	for _, c := range v.Causes {
		// The server picks these at random where rules cost the same, and crdproof leaves them out.
		if strings.Contains(c.Message, "contributed to estimated rule cost total") {
			continue
		}
		out = append(out, reason(c.Field, c.Message))
	}
	return out
}

// reason joins path and message. What all versions have in common stands above them where the server looks at it, and
// in the first version where crdproof shows it: such a path begins with the field that may have been moved.
func reason(path, message string) string {
	for _, moved := range [...]string{"openAPIV3Schema", "subresources", "additionalPrinterColumns",
		"selectableFields"} {
		if _, below, ok := strings.Cut(path, moved); ok {
			path = moved + below
			break
		}
	}
	return path + ": " + message
}

// sameReasons reports whether both lists are the same but for their order. A rejection without causes has one text, of
// which the server's has more around it.
func sameReasons(v server.Verdict, ours []string) bool {
	if v.Accepted || len(v.Causes) > 0 {
		return slices.EqualFunc(sorted(reasons(v)), sorted(ours), says)
	}
	return len(ours) == 1 && (v.Reason == server.Panic || strings.Contains(v.Message, ours[0]))
}

// says reports whether a reason of crdproof's is that of the server, of which a long value in the middle is left out,
// and the number that CEL gives to the type of self.
func says(server, ours string) bool {
	server = selfType.ReplaceAllString(server, "self")
	if i := strings.Index(ours, " value: "); i >= 0 && server != ours {
		return strings.HasPrefix(server, ours[:i]) && strings.HasSuffix(server, ours[i+len(" value: "):])
	}
	return server == ours
}

var selfType = regexp.MustCompile(`selfType\d+`)

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
