package support

import (
	"strings"

	"github.com/blang/semver/v4"
)

// A Semver is a semantic version of CEL (k8s.io/apiserver/pkg/cel/library/semverlib.go).
type Semver struct{ semver.Version }

func (Semver) opaqueNames() (inCEL, inGo string) { return "kubernetes.Semver", "cel.Semver" }

func (v Semver) opaqueEqual(other any) any {
	if other, ok := other.(Semver); ok {
		return v.EQ(other.Version)
	}
	return noEquality(other)
}

func (v Semver) opaqueOrder(other any) (order int64, ok bool) {
	if other, ok := other.(Semver); ok {
		return SemverCompare(v, other), true
	}
	return 0, false
}

// ParseSemver reads a semantic version.
func ParseSemver(s string) Result[Semver] {
	v, err := semver.Parse(s)
	if err != nil {
		return failWith[Semver](err.Error())
	}
	return OK(Semver{v})
}

// ParseSemverLoosely also reads v1, 1.2 and 01.2.3, if asked to.
func ParseSemverLoosely(s string, loosely bool) Result[Semver] {
	if loosely {
		var ok bool
		if s, ok = normalSemver(s); !ok {
			return failWith[Semver]("short version cannot contain PreRelease/Build meta data")
		}
	}
	return ParseSemver(s)
}

// IsSemver reports whether a text is a semantic version.
func IsSemver(s string) bool {
	_, err := semver.Parse(s)
	return err == nil
}

// IsSemverLoosely reports whether a text is a semantic version after normalization.
func IsSemverLoosely(s string, loosely bool) bool {
	return ParseSemverLoosely(s, loosely).err == nil
}

// normalSemver removes the v and leading zeros, and adds missing numbers. It returns false for a version that
// lacks numbers but has other parts.
func normalSemver(s string) (string, bool) {
	parts := strings.SplitN(strings.TrimPrefix(s, "v"), ".", 3)
	for i, part := range parts {
		if len(part) < 2 {
			continue
		}
		part = strings.TrimLeft(part, "0")
		if part == "" || part[0] < '0' || part[0] > '9' {
			part = "0" + part
		}
		parts[i] = part
	}
	if len(parts) < 3 && strings.ContainsAny(parts[len(parts)-1], "+-") {
		return "", false
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	return strings.Join(parts, "."), true
}

// SemverMajor is the major number of a version.
func SemverMajor(v Semver) int64 { return int64(v.Major) }

// SemverMinor is the minor number of a version.
func SemverMinor(v Semver) int64 { return int64(v.Minor) }

// SemverPatch is the patch number of a version.
func SemverPatch(v Semver) int64 { return int64(v.Patch) }

// SemverCompare is -1, 0 or 1 if the first version is less, equal or greater.
func SemverCompare(v, other Semver) int64 { return int64(v.Compare(other.Version)) }

// SemverLess reports whether the first version is less.
func SemverLess(v, other Semver) bool { return v.Compare(other.Version) < 0 }

// SemverGreater reports whether the first version is greater.
func SemverGreater(v, other Semver) bool { return v.Compare(other.Version) > 0 }
