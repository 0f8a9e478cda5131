package pattern

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestBetween checks all numbers with the patterns of all ranges with interesting limits.
func TestBetween(t *testing.T) {
	ends := []int64{0, 1, 2, 8, 9, 10, 11, 19, 20, 42, 89, 90, 99, 100, 101, 110, 150, 199, 200, 305, 999, 1000, 1024,
		2999}
	for _, least := range ends {
		for _, greatest := range ends {
			if least > greatest {
				continue
			}
			pattern := `^(` + strings.Join(Between(least, greatest), "|") + `)$`
			re := regexp.MustCompile(pattern)
			for i := int64(0); i < 3100; i++ {
				if want := least <= i && i <= greatest; re.MatchString(strconv.FormatInt(i, 10)) != want {
					t.Fatalf("%s: %d is in %d..%d: %t", pattern, i, least, greatest, want)
				}
			}
			if re.MatchString("007") || re.MatchString("") {
				t.Errorf("%s matches zeros in front, or nothing", pattern)
			}
		}
	}
}
