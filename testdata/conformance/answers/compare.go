package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/testdata/conformance/exchange"
)

// Differences are what helpers say otherwise than the server, a line each. Errors are compared phase by phase, in which
// the server has no order of its own: it goes through maps.
func Differences(server, ours exchange.Answer) (out []string) {
	differ := func(what string, server, ours any) {
		if s, o := fmt.Sprint(server), fmt.Sprint(ours); s != o {
			out = append(out, fmt.Sprintf("%s\n  server:  %s\n  helpers: %s", what, s, o))
		}
	}
	if server.Panic != "" || ours.Panic != "" {
		if (server.Panic != "") != (ours.Panic != "") {
			differ("panic", server.Panic, ours.Panic)
		}
		return out
	}
	for _, c := range []struct {
		what         string
		server, ours exchange.Read
	}{{"", server.Object, ours.Object}, {"old ", server.Old, ours.Old}} {
		differ(c.what+"unknown fields", strings.Join(c.server.Unknown, ", "), strings.Join(c.ours.Unknown, ", "))
		differ(c.what+"pruned", string(c.server.Pruned), string(c.ours.Pruned))
		differ(c.what+"defaulted", string(c.server.Defaulted), string(c.ours.Defaulted))
	}
	out = append(out, errorDifferences(server, ours)...)
	missing, more := listDifferences(server.Warnings, ours.Warnings)
	for _, text := range missing {
		out = append(out, "warning missing: "+text)
	}
	for _, text := range more {
		out = append(out, "warning too much: "+text)
	}
	differ("the objects are changed", server.Changed, ours.Changed)
	return out
}

// errorDifferences compares errors. Those of the helpers are taken to be as many in each phase as the server has.
func errorDifferences(server, ours exchange.Answer) (out []string) {
	missing, more := listDifferences(texts(server.Errors), texts(ours.Errors))
	for _, text := range missing {
		out = append(out, "error missing: "+text)
	}
	for _, text := range more {
		out = append(out, "error too much: "+text)
	}
	if len(out) > 0 {
		return out
	}
	start := 0
	for phase, n := range server.Phases {
		missing, _ := listDifferences(texts(server.Errors[start:start+n]), texts(ours.Errors[start:start+n]))
		if len(missing) > 0 {
			out = append(out, fmt.Sprintf("among the errors of %s are others\n  missing: %s", phaseNames[phase],
				strings.Join(missing, "\n           ")))
		}
		start += n
	}
	return append(out, orderDifferences(server.Errors, ours.Errors)...)
}

// orderDifferences compares the order of errors about the same value, which is the server's own.
func orderDifferences(server, ours []exchange.Error) (out []string) {
	type order struct{ server, ours []string }
	values := map[string]order{}
	for i := range server {
		v := values[about(server[i])]
		v.server = append(v.server, server[i].Text)
		values[about(server[i])] = v
		v = values[about(ours[i])]
		v.ours = append(v.ours, ours[i].Text)
		values[about(ours[i])] = v
	}
	for _, v := range values {
		if !slices.Equal(v.server, v.ours) {
			out = append(out, "order\n  server:  "+strings.Join(v.server, "\n           ")+"\n  helpers: "+
				strings.Join(v.ours, "\n           "))
		}
	}
	slices.Sort(out)
	return out
}

// about is the value that an error is about. Some have no field: those of junctors name it anyway.
func about(e exchange.Error) string {
	if e.Field != "<nil>" {
		return e.Field
	}
	if _, rest, ok := strings.Cut(e.Detail, `"`); ok {
		name, _, _ := strings.Cut(rest, `"`)
		return name
	}
	return e.Detail
}

// texts are errors as text, with what the text does not tell.
func texts(list []exchange.Error) (out []string) {
	for _, e := range list {
		out = append(out, fmt.Sprintf("%s {%s, %s, %s, %s}", e.Text, e.Type, e.Field, e.Value, e.Detail))
	}
	return out
}

// listDifferences compares lists without regard to order.
func listDifferences(server, ours []string) (missing, more []string) {
	count := map[string]int{}
	for _, s := range server {
		count[s]++
	}
	for _, s := range ours {
		if count[s]--; count[s] < 0 {
			more = append(more, s)
		}
	}
	for _, s := range server {
		if count[s] > 0 {
			missing = append(missing, s)
			count[s]--
		}
	}
	return missing, more
}
