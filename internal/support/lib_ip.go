package support

import (
	"net/netip"
	"strconv"
	"strings"
)

// A IP is an IP address of CEL (k8s.io/apiserver/pkg/cel/library/ip.go). It has no zone and is not an IPv4-mapped
// IPv6 address.
type IP struct{ netip.Addr }

func (IP) opaqueNames() (inCEL, inGo string) { return "net.IP", "cel.IP" }

func (ip IP) opaqueEqual(other any) any {
	if other, ok := other.(IP); ok {
		return ip == other
	}
	return noEquality(other)
}

// bytes returns the size of an address.
func (ip IP) bytes() int { return ip.BitLen() / 8 }

// ParseIP reads an IP address.
func ParseIP(s string) Result[IP] {
	ip, err := netip.ParseAddr(s)
	switch {
	case err != nil:
		return failWith[IP]("IP Address " + strconv.Quote(s) + " parse error during conversion from string: " +
			err.Error())
	case ip.Zone() != "":
		return failWith[IP]("IP address " + strconv.Quote(s) + " with zone value is not allowed")
	case ip.Is4In6():
		return failWith[IP](mappedAddress(s))
	}
	return OK(IP{ip})
}

// IsIP reports whether a text is an IP address.
func IsIP(s string) bool {
	if !strings.Contains(s, ":") && strings.Trim(s, "0123456789.") != "" {
		return false // most strings that are not addresses need no error
	}
	ip, err := netip.ParseAddr(s)
	return err == nil && ip.Zone() == "" && !ip.Is4In6()
}

// IsCanonicalIP reports whether the address is written as it would be printed.
func IsCanonicalIP(s string) Result[bool] {
	ip := ParseIP(s)
	if ip.err != nil {
		return Result[bool]{err: ip.err}
	}
	return OK(ip.val.String() == s)
}

// IPFamily is the version of the protocol, 4 or 6.
func IPFamily(ip IP) int64 {
	if ip.Is4() {
		return 4
	}
	return 6
}

// IPString writes an IP address.
func IPString(ip IP) string { return ip.String() }

func (ip IP) opaqueText() string { return ip.String() }

// IPIsUnspecified reports whether an address is the unspecified one.
func IPIsUnspecified(ip IP) bool { return ip.IsUnspecified() }

// IPIsLoopback reports whether an address is one of the loopback.
func IPIsLoopback(ip IP) bool { return ip.IsLoopback() }

// IPIsLinkLocalMulticast reports whether an address is a link-local multicast address.
func IPIsLinkLocalMulticast(ip IP) bool { return ip.IsLinkLocalMulticast() }

// IPIsLinkLocalUnicast reports whether an address is a link-local unicast address.
func IPIsLinkLocalUnicast(ip IP) bool { return ip.IsLinkLocalUnicast() }

// IPIsGlobalUnicast reports whether an address is a global unicast address.
func IPIsGlobalUnicast(ip IP) bool { return ip.IsGlobalUnicast() }

// A CIDR is a range of IP addresses of CEL (k8s.io/apiserver/pkg/cel/library/cidr.go).
type CIDR struct{ netip.Prefix }

func (CIDR) opaqueNames() (inCEL, inGo string) { return "net.CIDR", "cel.CIDR" }

func (c CIDR) opaqueEqual(other any) any {
	if other, ok := other.(CIDR); ok {
		return c == other
	}
	return noEquality(other)
}

// bytes returns the size of the prefix.
func (c CIDR) bytes() int { return (c.Bits() + 7) / 8 }

// ParseCIDR reads a CIDR.
func ParseCIDR(s string) Result[CIDR] {
	const failed = "network address parse error during conversion from string: "
	cidr, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return failWith[CIDR](failed + failed + err.Error()) // the server repeats it
	case cidr.Addr().Is4In6():
		return failWith[CIDR](failed + mappedAddress(s))
	}
	return OK(CIDR{cidr})
}

// IsCIDR reports whether a text is a CIDR.
func IsCIDR(s string) bool {
	cidr, err := netip.ParsePrefix(s)
	return err == nil && !cidr.Addr().Is4In6()
}

// CIDRString writes a CIDR.
func CIDRString(c CIDR) string { return c.String() }

func (c CIDR) opaqueText() string { return c.String() }

// CIDRIP is the address of a CIDR.
func CIDRIP(c CIDR) IP { return IP{c.Addr()} }

// CIDRMasked is a CIDR with the first address of its range.
func CIDRMasked(c CIDR) CIDR { return CIDR{c.Masked()} }

// CIDRPrefixLength is the length of the prefix of a CIDR.
func CIDRPrefixLength(c CIDR) int64 { return int64(c.Bits()) }

// CIDRContainsIP reports whether a CIDR contains an address.
func CIDRContainsIP(c CIDR, ip IP) bool { return c.Contains(ip.Addr) }

// CIDRContainsIPString reports whether a CIDR contains an address, which it reads.
func CIDRContainsIPString(c CIDR, s string) Result[bool] {
	ip := ParseIP(s)
	if ip.err != nil {
		return Result[bool]{err: noSuchOverload}
	}
	return OK(c.Contains(ip.val.Addr))
}

// CIDRContainsCIDR reports whether a CIDR contains another one.
func CIDRContainsCIDR(c, other CIDR) bool {
	return c.Overlaps(other.Prefix) && c.Bits() <= other.Bits()
}

// CIDRContainsCIDRString reports whether a CIDR contains another one, which it reads.
func CIDRContainsCIDRString(c CIDR, s string) Result[bool] {
	other := ParseCIDR(s)
	if other.err != nil {
		return Result[bool]{err: other.err}
	}
	return OK(CIDRContainsCIDR(c, other.val))
}

func mappedAddress(s string) string {
	return "IPv4-mapped IPv6 address " + strconv.Quote(s) + " is not allowed"
}
