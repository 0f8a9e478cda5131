package main

import "runtime/debug"

// modulePath is the module whose version is crdproof's.
const modulePath = "github.com/crdproof/crdproof"

// version is crdproof's own version from the build information: also where it was built as a part of another program,
// whose version is not meant.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != modulePath {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version == "" {
			return "(devel)"
		}
		return m.Version
	}
	return "(unknown)"
}
