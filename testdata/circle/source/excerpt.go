package source

import (
	"fmt"
	"slices"
	"strings"
)

// Excerpt is what a kind's files say of a path in its objects: the fields with these keys, and all that the last of them is
// made of. It is empty where no field has any of the keys.
func (f *File) Excerpt(k Kind, path []string) string {
	var out strings.Builder
	var last field
	for i, key := range path {
		for _, fd := range f.fields {
			if i == 0 || !slices.Contains(f.keysOfField(fd, 0), key) || !f.IsKey(key, path[:i]) {
				continue
			}
			fmt.Fprintf(&out, "in %s:\n\t%s\n", fd.owner, fd.text(k))
			last = fd
		}
	}
	if last.name == "" {
		return ""
	}
	seen := map[string]bool{}
	var declare func(names []string)
	declare = func(names []string) {
		for _, d := range f.decls {
			if !slices.Contains(names, d.name) || seen[fmt.Sprint(d.area)] {
				continue
			}
			seen[fmt.Sprint(d.area)] = true
			fmt.Fprintln(&out, d.text(k))
			declare(d.mentions)
			for _, fd := range f.fields {
				if fd.owner == d.name {
					declare(fd.mentions)
				}
			}
		}
	}
	declare(last.mentions)
	return out.String()
}

// text is what stands in an area.
func (a area) text(k Kind) string {
	if a.start.Helper {
		return k.Helper[a.start.Offset:a.end]
	}
	return k.Source[a.start.Offset:a.end]
}
