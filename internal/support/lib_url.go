package support

import (
	"maps"
	"net/url"
	"slices"
)

// A URL is a URL of CEL (k8s.io/apiserver/pkg/cel/library/urls.go).
type URL struct{ *url.URL }

func (URL) opaqueNames() (inCEL, inGo string) { return "kubernetes.URL", "cel.URL" }

func (u URL) opaqueEqual(other any) any {
	if other, ok := other.(URL); ok {
		return u.String() == other.String()
	}
	return noEquality(other)
}

// ParseURL reads an absolute URL or path, as the format uri does.
func ParseURL(s string) Result[URL] {
	_, err := url.ParseRequestURI(s)
	var parsed *url.URL
	if err == nil {
		parsed, err = url.Parse(s) // the other function does not support fragments
	}
	if err != nil {
		return failWith[URL]("URL parse error during conversion from string: " + err.Error())
	}
	return OK(URL{parsed})
}

// IsURL reports whether a text is a URL.
func IsURL(s string) bool {
	_, err := url.ParseRequestURI(s)
	return err == nil
}

// URLScheme is the scheme of a URL.
func URLScheme(u URL) string { return u.Scheme }

// URLHost is the host of a URL, with the port.
func URLHost(u URL) string { return u.Host }

// URLHostname is the host of a URL, without the port.
func URLHostname(u URL) string { return u.Hostname() }

// URLPort is the port of a URL.
func URLPort(u URL) string { return u.Port() }

// URLEscapedPath is the path of a URL.
func URLEscapedPath(u URL) string { return u.EscapedPath() }

// URLQuery is the parameters of the query: a map from names to lists of strings.
func URLQuery(u URL) any {
	query := u.Query()
	m := &celMap{index: make(map[any]int, len(query))}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		m.put(name, stringList(query[name]))
	}
	return m
}
