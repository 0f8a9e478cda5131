package session

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A Rejection is a reason for which the API server rejects the CRD, or would reject it if it looked at all of it
// (kube.Beyond).
type Rejection struct {
	kube.Rejection
	// Field is the field that it is about. In a schema that is the keyword, such as "type" or
	// "x-kubernetes-validations[].rule", and "" for the schema itself; elsewhere it is the whole path, such as
	// "spec.versions[].name". Brackets are empty.
	Field string
	// Index is the position in the first brackets of a keyword or of a field of a version or of the CRD, -1 if there is
	// none.
	Index int
	// All are the other reasons too.
	All []kube.Rejection
}

// inBrackets matches a position or a key in a path.
var inBrackets = regexp.MustCompile(`\[[^\]]*\]`)

// rejections returns the passes for the reasons for which the CRD is rejected. A reason that cannot be distinguished
// from another is left out.
func (s *Session) rejections(ctx context.Context) []*Pass {
	rejections, err := s.Verdict(ctx)
	if err != nil || len(rejections) == 0 {
		return nil
	}
	var out []*Pass
	seen := map[string]bool{}
	all := append(rejections[:len(rejections):len(rejections)], kube.Beyond(ctx, s.CRD, s.Object(), rejections)...)
	all = all[:min(len(all), int(effort.Rejections.Most))]
	for _, r := range all {
		if r.Err == nil || seen[r.Err.Error()] {
			continue
		}
		seen[r.Err.Error()] = true
		i, place, rest := s.Find(r.Path)
		if rest == "" && place != nil && (place.Step == schema.InItems || place.Step == schema.InValues) {
			place, rest = place.Above, place.OwnPath() // it is about the keyword
		}
		p := &Pass{Place: place, Rejection: &Rejection{Rejection: r, Index: -1, All: all}}
		if number := strings.Trim(inBrackets.FindString(rest), "[]"); number != "" {
			if n, err := strconv.Atoi(number); err == nil {
				p.Rejection.Index = n
			}
		}
		p.Rejection.Field = inBrackets.ReplaceAllString(strings.TrimPrefix(rest, "."), "[]")
		if i >= 0 {
			p.Version = s.Versions[i]
		}
		if i >= 0 && place == nil {
			p.Rejection.Field = "spec.versions[]." + p.Rejection.Field
		}
		out = append(out, p)
	}
	return out
}
