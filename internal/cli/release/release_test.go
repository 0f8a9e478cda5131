package release

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	own := func(version string) debug.Module { return debug.Module{Path: Module, Version: version} }
	dep := own("v1.2.3")
	for _, test := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{Main: own("v1.0.0")}, "v1.0.0"},
		{debug.BuildInfo{Main: own("")}, "(devel)"},
		{debug.BuildInfo{Main: debug.Module{Path: "example.com/op", Version: "v9.0.0"}, Deps: []*debug.Module{&dep}},
			"v1.2.3"},
		{debug.BuildInfo{Deps: []*debug.Module{{Path: Module, Version: "v1.0.0",
			Replace: &debug.Module{Path: "../x"}}}}, "(devel)"},
		{debug.BuildInfo{Main: debug.Module{Path: "example.com/op"}}, "(unknown)"},
	} {
		if got := versionOf(&test.info); got != test.want {
			t.Errorf("%v: %s, want %s", test.info.Main, got, test.want)
		}
	}
}

func TestCommitOf(t *testing.T) {
	own := func(version string) debug.Module { return debug.Module{Path: Module, Version: version} }
	clone := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123456789abcdef"},
			{Key: "vcs.modified", Value: modified}}
	}
	release, snapshot := own("v1.2.3"), own("v1.2.4-0.20260101000000-0123456789ab")
	other := debug.Module{Path: "example.com/op"}
	for _, test := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{Main: snapshot, Settings: clone("false")}, "0123456789abcdef"},
		{debug.BuildInfo{Main: own("v1.2.3+dirty"), Settings: clone("true")}, "0123456789abcdef, modified"},
		{debug.BuildInfo{Main: snapshot}, "0123456789ab"},
		{debug.BuildInfo{Main: release}, "tag v1.2.3"},
		{debug.BuildInfo{Main: own("(devel)")}, "unknown"},
		// The commit of a program that contains crdproof is not crdproof's.
		{debug.BuildInfo{Main: other, Deps: []*debug.Module{&release}, Settings: clone("false")}, "tag v1.2.3"},
		{debug.BuildInfo{Main: other, Settings: clone("false")}, "unknown"},
	} {
		if got := commitOf(&test.info); got != test.want {
			t.Errorf("%v: %s, want %s", test.info.Main, got, test.want)
		}
	}
}
