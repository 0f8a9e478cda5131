package fakes

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// An answer is what a side answers to a call.
type answer struct {
	err      error
	object   map[string]any
	warnings []string
	// hasVersion is set if the object has a resource version, isNew if it is another one than before.
	hasVersion, isNew bool
}

// read keeps the object that a call returns.
func (a *answer) read(obj client.Object) {
	data, err := json.Marshal(obj)
	if err == nil {
		err = utiljson.Unmarshal(data, &a.object)
	}
	if err != nil {
		a.err = fmt.Errorf("the result cannot be read: %w", err)
	}
}

// reason is the class of an answer.
func (a *answer) reason() string {
	if a.err == nil {
		return "accepted"
	}
	if reason := apierrors.ReasonForError(a.err); reason != "" {
		return string(reason)
	}
	if _, ok := a.err.(apierrors.APIStatus); ok {
		return "unknown"
	}
	return "refused by the client"
}

// made up values, which differ from side to side
var (
	uid     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	version = regexp.MustCompile(`"resourceVersion":"[0-9]+"|ResourceVersion in (record|the precondition) \([0-9]+\)`)
	moment  = regexp.MustCompile(`(1970|20[2-9][0-9])-[0-9]{2}-[0-9]{2}(T[0-9:.]+Z| [0-9:.]+ \+0000 UTC)`)
	random  = regexp.MustCompile(generated + "[0-9]+-[a-z0-9]{5}")
	managed = regexp.MustCompile(`"managedFields":\[.*?\}\],`)
)

// plain replaces made up values.
func plain(text string) string {
	text = managed.ReplaceAllString(text, "")
	text = strings.ReplaceAll(strings.ReplaceAll(text, `\"`, `"`), `\\`, `\`)
	text = managed.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "/registry/apiextensions.kubernetes.io/", "/registry/") // as a whole API server has it
	text = random.ReplaceAllString(text, generated+"RANDOM")
	text = uid.ReplaceAllString(text, "UID")
	text = version.ReplaceAllString(text, "VERSION")
	return moment.ReplaceAllString(text, "TIME")
}

// render is an answer as text. Only the number of resource versions counts, and causes are sorted: a server finds them
// in the random order of maps.
func (a *answer) render() []string {
	var out []string
	var status apierrors.APIStatus
	switch {
	case a.err == nil:
		out = append(out, "accepted")
	case errors.As(a.err, &status):
		s := status.Status()
		out = append(out, fmt.Sprintf("%d %s", s.Code, s.Reason))
		causes := 0
		if d := s.Details; d != nil {
			causes = len(d.Causes)
			out = append(out, plain(fmt.Sprintf("of %s %s %s, retry after %d", d.Group, d.Kind, d.Name, d.RetryAfterSeconds)))
			var texts []string
			for _, c := range d.Causes {
				texts = append(texts, plain(fmt.Sprintf("cause: %s %s %s", c.Type, c.Field, c.Message)))
			}
			slices.Sort(texts)
			out = append(out, texts...)
		}
		if causes < 2 {
			// Which fields cannot be applied is found in random order, and not always completely.
			text := plain(s.Message)
			if start, _, ok := strings.Cut(text, "): "); ok && strings.HasPrefix(text, "failed to create typed patch") {
				text = start
			}
			lines := strings.Split(text, "\n")
			slices.Sort(lines)
			text = strings.Join(lines, "\n")
			out = append(out, "message: "+text)
		}
	default:
		out = append(out, "client: "+a.err.Error())
	}
	warnings := slices.Clone(a.warnings)
	if apierrors.IsNotFound(a.err) {
		// A server whose watch cache is late patches the object that was deleted, and warns, before it finds out.
		warnings = nil
	}
	slices.Sort(warnings)
	for _, text := range warnings {
		out = append(out, "warning: "+plain(text))
	}
	if a.object != nil {
		out = append(out, "object: "+a.text(), fmt.Sprintf("resource version: %t, new: %t", a.hasVersion, a.isNew))
	}
	return out
}

// text is the object without what differs from side to side.
func (a *answer) text() string {
	object, _ := utiljson.Marshal(a.object)
	copied := map[string]any{}
	_ = json.Unmarshal(object, &copied)
	if fields, ok := copied["metadata"].(map[string]any); ok {
		delete(fields, "managedFields")
		delete(fields, "resourceVersion")
	}
	text, _ := json.Marshal(copied)
	return plain(string(text))
}

// differences are the lines that one answer has and the other lacks.
func differences(want, got answer) string {
	left, right := want.render(), got.render()
	var out []string
	for _, line := range left {
		if !slices.Contains(right, line) {
			out = append(out, "  server: "+line)
		}
	}
	for _, line := range right {
		if !slices.Contains(left, line) {
			out = append(out, "  fake:   "+line)
		}
	}
	return strings.Join(out, "\n")
}
