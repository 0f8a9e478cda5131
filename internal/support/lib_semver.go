package support

import (
	"strings"

	"github.com/blang/semver/v4"
)

// A crdSemver is a semantic version of CEL (k8s.io/apiserver/pkg/cel/library/semverlib.go).
type crdSemver struct{ semver.Version }

func (crdSemver) opaqueNames() (inCEL, inGo string) { return "kubernetes.Semver", "cel.Semver" }

func (v crdSemver) opaqueEqual(other any) any {
	if other, ok := other.(crdSemver); ok {
		return v.EQ(other.Version)
	}
	return crdNoEquality(other)
}

func (v crdSemver) opaqueOrder(other any) (order int64, ok bool) {
	if other, ok := other.(crdSemver); ok {
		return crdSemverCompare(v, other), true
	}
	return 0, false
}

func crdParseSemver(s string) crdResult[crdSemver] {
	v, err := semver.Parse(s)
	if err != nil {
		return crdFailed[crdSemver](err.Error())
	}
	return crdOK(crdSemver{v})
}

// crdParseSemverLoosely also reads v1, 1.2 and 01.2.3, if asked to.
func crdParseSemverLoosely(s string, loosely bool) crdResult[crdSemver] {
	if loosely {
		var ok bool
		if s, ok = crdNormalSemver(s); !ok {
			return crdFailed[crdSemver]("short version cannot contain PreRelease/Build meta data")
		}
	}
	return crdParseSemver(s)
}

func crdIsSemver(s string) bool {
	_, err := semver.Parse(s)
	return err == nil
}

func crdIsSemverLoosely(s string, loosely bool) bool {
	return crdParseSemverLoosely(s, loosely).err == nil
}

// crdNormalSemver removes the v and leading zeros, and adds missing numbers. It returns false for a version that
// lacks numbers but has other parts.
func crdNormalSemver(s string) (string, bool) {
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

func crdSemverMajor(v crdSemver) int64 { return int64(v.Major) }

func crdSemverMinor(v crdSemver) int64 { return int64(v.Minor) }

func crdSemverPatch(v crdSemver) int64 { return int64(v.Patch) }

func crdSemverCompare(v, other crdSemver) int64 { return int64(v.Compare(other.Version)) }

func crdSemverLess(v, other crdSemver) bool { return v.Compare(other.Version) < 0 }

func crdSemverGreater(v, other crdSemver) bool { return v.Compare(other.Version) > 0 }
