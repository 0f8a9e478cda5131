package crd

import (
	"cmp"
	"unicode"
	"unicode/utf8"
)

// compareKeys orders the keys of a mapping as go.yaml.in/yaml/v2 does (sorter.go): at the first character that
// differs, letters come after everything else and by code point among themselves; where numbers begin, the smaller
// number comes first.
//
// The order is not transitive: v2 < v12 < v1beta1 < v2. For such keys controller-gen's own output varies from run to
// run; here it depends on the order of the input alone.
func compareKeys(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return cmp.Compare(len(a), len(b))
	}
	for i > 0 && !utf8.RuneStart(a[i]) {
		i--
	}
	ra, _ := utf8.DecodeRuneInString(a[i:])
	rb, _ := utf8.DecodeRuneInString(b[i:])
	la, lb := isLetter(ra), isLetter(rb)
	switch {
	case la && lb:
		return cmp.Compare(ra, rb)
	case la:
		return 1
	case lb:
		return -1
	}
	var seed int64
	if (ra == '0' || rb == '0') && afterNumber(a[:i]) {
		seed = 1
	}
	na, da := leadingNumber(a[i:], seed)
	nb, db := leadingNumber(b[i:], seed)
	return cmp.Or(cmp.Compare(na, nb), cmp.Compare(da, db), cmp.Compare(ra, rb))
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r)
}

// afterNumber reports whether s ends in digits that are not all zeros: a zero that follows is then not a leading one.
func afterNumber(s string) bool {
	for s != "" {
		r, w := utf8.DecodeLastRuneInString(s)
		if !unicode.IsDigit(r) {
			return false
		}
		if r != '0' {
			return true
		}
		s = s[:len(s)-w]
	}
	return false
}

// leadingNumber returns the number that s begins with, continued from seed, and the count of its digits. It overflows
// silently, and takes the digits of other scripts by their code points, as the original does.
func leadingNumber(s string, seed int64) (n int64, digits int) {
	n = seed
	for _, r := range s {
		if !unicode.IsDigit(r) {
			break
		}
		n = n*10 + int64(r-'0')
		digits++
	}
	return n, digits
}
