package source

import (
	"fmt"
	"slices"
	"strings"
)

// Excerpt is the part of a kind's files about a path in its objects: the fields with these keys, and all that the last
// of them is made of. It is empty where no field has any of the keys.
func (f *File) Excerpt(k Kind, path []string) string {
	var out strings.Builder
	seen := map[area]bool{}
	write := func(a area, format string, args ...any) bool {
		if seen[a] {
			return false
		}
		seen[a] = true
		fmt.Fprintf(&out, format, append(args, a.text(k))...)
		return true
	}
	var last field
	for i, key := range path {
		for _, fd := range f.fields {
			if i == 0 || !slices.Contains(f.keysOfField(fd, 0), key) || !f.IsKey(key, path[:i]) {
				continue
			}
			last = fd
			write(fd.area, "in %s:\n\t%s\n", fd.owner)
			for _, d := range f.decls { // other names for the type
				if !d.isStruct && d.mentions != nil && slices.Contains(fd.mentions, d.name) {
					write(d.area, "%s\n")
				}
			}
		}
	}
	var declare func(names []string)
	declare = func(names []string) {
		for _, d := range f.decls {
			if slices.Contains(names, d.name) && (write(d.area, "%s\n") || !d.isStruct && d.mentions != nil) {
				declare(slices.DeleteFunc(slices.Clone(d.mentions), func(name string) bool { return name == d.name }))
				for _, fd := range f.fields {
					if fd.owner == d.name {
						declare(fd.mentions)
					}
				}
			}
		}
	}
	declare(last.mentions)
	return out.String()
}

// text is the text of an area.
func (a area) text(k Kind) string {
	if a.start.Helper {
		return k.Helper[a.start.Offset:a.end]
	}
	return k.Source[a.start.Offset:a.end]
}
