// Package release knows which version of crdproof the program has, also one of another module that contains crdproof.
//
// The input is the build information of the program, the output are texts.
package release

import (
	"runtime/debug"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Module is the module whose version is crdproof's.
const Module = "github.com/crdproof/crdproof"

// Version returns crdproof's version from the build information, even if another program was built with crdproof as a
// dependency.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	m := ownModule(info)
	switch {
	case m == nil:
		return "(unknown)"
	case m.Version == "":
		return "(devel)"
	}
	return m.Version
}

// ownModule returns the module that crdproof's code comes from, nil if the build does not name it, or is not known.
func ownModule(info *debug.BuildInfo) *debug.Module {
	if info == nil {
		return nil
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != Module {
			continue
		}
		if m.Replace != nil {
			return m.Replace
		}
		return m
	}
	return nil
}

// Commit returns the git commit that crdproof was built from, as --version prints it.
func Commit() string {
	info, _ := debug.ReadBuildInfo()
	return commitOf(info)
}

const unknownCommit = "unknown"

// commitOf looks for the commit in three places. A build in a clone records it, and the pseudo-version of a commit
// contains it. A release from a module proxy has only its tag.
func commitOf(info *debug.BuildInfo) string {
	m := ownModule(info)
	if m == nil {
		return unknownCommit
	}
	if m == &info.Main {
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if revision := settings["vcs.revision"]; revision != "" {
			if settings["vcs.modified"] == "true" {
				revision += ", modified"
			}
			return revision
		}
	}
	switch {
	case module.IsPseudoVersion(m.Version):
		rev, err := module.PseudoVersionRev(m.Version)
		if err != nil {
			return unknownCommit
		}
		return rev
	case semver.IsValid(m.Version):
		return "tag " + m.Version
	}
	return unknownCommit
}
