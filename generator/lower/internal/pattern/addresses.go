package pattern

// Patterns of what the decoders of known types accept.
const (
	// LevelPattern is what slog.Level decodes.
	LevelPattern = `^(?i:debug|info|warn|error)([+-][0-9]{1,9})?$`
	// ipv4Pattern and ipv6Pattern narrow the formats of addresses, which accept leading zeros.
	ipv4Octet   = `(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	ipv4Text    = `(` + ipv4Octet + `\.){3}` + ipv4Octet
	Ipv4Pattern = `^` + ipv4Text + `$`
	Ipv6Pattern = `^` + ipv6Text + `$`
	CidrPattern = `^(` + ipv4Text + `|` + ipv6Text + `)/(0|[1-9][0-9]{0,2})$`
	// ipv6Text is eight groups. One run of them may be omitted, and the last two may be an IPv4 address.
	ipv6Group = `[0-9a-fA-F]{1,4}`
	ipv6Left  = `(` + ipv6Group + `:)`
	ipv6Right = `(:` + ipv6Group + `)`
	ipv6Text  = `(` + ipv6Left + `{7}` + ipv6Group + `|` + ipv6Left + `{1,7}:|` + ipv6Left + `{1,6}:` + ipv6Group +
		`|` + ipv6Left + `{1,5}` + ipv6Right + `{1,2}|` + ipv6Left + `{1,4}` + ipv6Right + `{1,3}|` + ipv6Left +
		`{1,3}` + ipv6Right + `{1,4}|` + ipv6Left + `{1,2}` + ipv6Right + `{1,5}|` + ipv6Left + ipv6Right +
		`{1,6}|:(` + ipv6Right + `{1,7}|:)|(` + ipv6Left + `{6}|::` + ipv6Left + `{0,5}|` + ipv6Left + `:` +
		ipv6Left + `{0,4}|` + ipv6Left + `{2}:` + ipv6Left + `{0,3}|` + ipv6Left + `{3}:` + ipv6Left + `{0,2}|` +
		ipv6Left + `{4}:` + ipv6Left + `{0,1}|` + ipv6Left + `{5}:)` + ipv4Text + `)`
	// ZonedPattern is an IPv6 address with a zone, which no format knows.
	ZonedPattern = `^` + ipv6Text + `%.+$`
	// AddrPortPattern is what netip.AddrPort writes.
	portText        = `(0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])`
	AddrPortPattern = `^(` + ipv4Text + `|\[` + ipv6Text + `(%[^\]]+)?\]):` + portText + `$`
)
