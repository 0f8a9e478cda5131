package support

import (
	"net/netip"
	"strconv"
	"strings"
)

// A crdIP is an IP address of CEL (k8s.io/apiserver/pkg/cel/library/ip.go). It has no zone and is not an IPv4-mapped
// IPv6 address.
type crdIP struct{ netip.Addr }

func (crdIP) opaqueNames() (inCEL, inGo string) { return "net.IP", "cel.IP" }

func (ip crdIP) opaqueEqual(other any) any {
	if other, ok := other.(crdIP); ok {
		return ip == other
	}
	return crdNoEquality(other)
}

func crdParseIP(s string) crdResult[crdIP] {
	ip, err := netip.ParseAddr(s)
	switch {
	case err != nil:
		return crdFailed[crdIP]("IP Address " + strconv.Quote(s) + " parse error during conversion from string: " +
			err.Error())
	case ip.Zone() != "":
		return crdFailed[crdIP]("IP address " + strconv.Quote(s) + " with zone value is not allowed")
	case ip.Is4In6():
		return crdFailed[crdIP](crdMappedAddress(s))
	}
	return crdOK(crdIP{ip})
}

func crdIsIP(s string) bool {
	if !strings.Contains(s, ":") && strings.Trim(s, "0123456789.") != "" {
		return false // most strings that are not addresses need no error
	}
	ip, err := netip.ParseAddr(s)
	return err == nil && ip.Zone() == "" && !ip.Is4In6()
}

// crdIsCanonicalIP reports whether the address is written as it would be printed.
func crdIsCanonicalIP(s string) crdResult[bool] {
	ip := crdParseIP(s)
	if ip.err != nil {
		return crdResult[bool]{err: ip.err}
	}
	return crdOK(ip.val.String() == s)
}

// crdIPFamily is the version of the protocol, 4 or 6.
func crdIPFamily(ip crdIP) int64 {
	if ip.Is4() {
		return 4
	}
	return 6
}

func crdIPString(ip crdIP) string { return ip.String() }

func (ip crdIP) opaqueText() string { return ip.String() }

func crdIPIsUnspecified(ip crdIP) bool { return ip.IsUnspecified() }

func crdIPIsLoopback(ip crdIP) bool { return ip.IsLoopback() }

func crdIPIsLinkLocalMulticast(ip crdIP) bool { return ip.IsLinkLocalMulticast() }

func crdIPIsLinkLocalUnicast(ip crdIP) bool { return ip.IsLinkLocalUnicast() }

func crdIPIsGlobalUnicast(ip crdIP) bool { return ip.IsGlobalUnicast() }

// A crdCIDR is a range of IP addresses of CEL (k8s.io/apiserver/pkg/cel/library/cidr.go).
type crdCIDR struct{ netip.Prefix }

func (crdCIDR) opaqueNames() (inCEL, inGo string) { return "net.CIDR", "cel.CIDR" }

func (c crdCIDR) opaqueEqual(other any) any {
	if other, ok := other.(crdCIDR); ok {
		return c == other
	}
	return crdNoEquality(other)
}

func crdParseCIDR(s string) crdResult[crdCIDR] {
	const failed = "network address parse error during conversion from string: "
	cidr, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return crdFailed[crdCIDR](failed + failed + err.Error()) // the server repeats it
	case cidr.Addr().Is4In6():
		return crdFailed[crdCIDR](failed + crdMappedAddress(s))
	}
	return crdOK(crdCIDR{cidr})
}

func crdIsCIDR(s string) bool {
	cidr, err := netip.ParsePrefix(s)
	return err == nil && !cidr.Addr().Is4In6()
}

func crdCIDRString(c crdCIDR) string { return c.String() }

func (c crdCIDR) opaqueText() string { return c.String() }

func crdCIDRIP(c crdCIDR) crdIP { return crdIP{c.Addr()} }

func crdCIDRMasked(c crdCIDR) crdCIDR { return crdCIDR{c.Masked()} }

func crdCIDRPrefixLength(c crdCIDR) int64 { return int64(c.Bits()) }

func crdCIDRContainsIP(c crdCIDR, ip crdIP) bool { return c.Contains(ip.Addr) }

func crdCIDRContainsIPString(c crdCIDR, s string) crdResult[bool] {
	ip := crdParseIP(s)
	if ip.err != nil {
		return crdResult[bool]{err: crdNoSuchOverload}
	}
	return crdOK(c.Contains(ip.val.Addr))
}

func crdCIDRContainsCIDR(c, other crdCIDR) bool {
	return c.Overlaps(other.Prefix) && c.Bits() <= other.Bits()
}

func crdCIDRContainsCIDRString(c crdCIDR, s string) crdResult[bool] {
	other := crdParseCIDR(s)
	if other.err != nil {
		return crdResult[bool]{err: other.err}
	}
	return crdOK(crdCIDRContainsCIDR(c, other.val))
}

func crdMappedAddress(s string) string {
	return "IPv4-mapped IPv6 address " + strconv.Quote(s) + " is not allowed"
}
