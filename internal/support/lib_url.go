package support

import (
	"maps"
	"net/url"
	"slices"
)

// A crdURL is a URL of CEL (k8s.io/apiserver/pkg/cel/library/urls.go).
type crdURL struct{ *url.URL }

func (crdURL) opaqueNames() (inCEL, inGo string) { return "kubernetes.URL", "cel.URL" }

func (u crdURL) opaqueEqual(other any) any {
	if other, ok := other.(crdURL); ok {
		return u.String() == other.String()
	}
	return crdNoEquality(other)
}

// crdParseURL reads an absolute URL or path, as the format uri does.
func crdParseURL(s string) crdResult[crdURL] {
	_, err := url.ParseRequestURI(s)
	var parsed *url.URL
	if err == nil {
		parsed, err = url.Parse(s) // the other function does not support fragments
	}
	if err != nil {
		return crdFailed[crdURL]("URL parse error during conversion from string: " + err.Error())
	}
	return crdOK(crdURL{parsed})
}

func crdIsURL(s string) bool {
	_, err := url.ParseRequestURI(s)
	return err == nil
}

func crdURLScheme(u crdURL) string { return u.Scheme }

func crdURLHost(u crdURL) string { return u.Host }

func crdURLHostname(u crdURL) string { return u.Hostname() }

func crdURLPort(u crdURL) string { return u.Port() }

func crdURLEscapedPath(u crdURL) string { return u.EscapedPath() }

// crdURLQuery is the parameters of the query: a map from names to lists of strings.
func crdURLQuery(u crdURL) any {
	query := u.Query()
	m := &crdMap{index: make(map[any]int, len(query))}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		m.put(name, crdStrings(query[name]))
	}
	return m
}
