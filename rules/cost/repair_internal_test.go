package cost

import "testing"

func TestFriendly(t *testing.T) {
	for n, want := range map[int64]int64{
		1: 1, 19: 19, 23: 20, 64: 64, 70: 64, 86: 85, 99: 95, 100: 100, 227: 220, 999: 990, 1083: 1024, 1580: 1500,
		4000:   4000,
		99_999: 99_000, 1 << 40: 1 << 40, 1<<63 - 1: 9_200_000_000_000_000_000,
	} {
		if got := friendly(n); got != want {
			t.Errorf("friendly(%d) = %d, want %d", n, got, want)
		}
	}
}

// The number found fits, and its successor does not, whatever lies between.
func TestLargest(t *testing.T) {
	for limit := int64(1); limit < 40; limit++ {
		fits := func(n int64) bool { return n <= limit }
		if got := largest(1, 30, fits); got != min(limit, 30) {
			t.Errorf("up to %d: %d", limit, got)
		}
	}
	uneven := func(n int64) bool { return n < 7 || n == 20 }
	if got := largest(1, 30, uneven); !uneven(got) || uneven(got+1) {
		t.Errorf("%d does not fit, or its successor does", got)
	}
}

func TestShare(t *testing.T) {
	for _, test := range []struct {
		cost, of uint64
		want     string
	}{
		{0, RuleBudget, "0.0 %"}, {1, RuleBudget, "<0.1 %"}, {5_040_000, RuleBudget, "50.4 %"},
		{9_999_999, RuleBudget, "99.9 %"}, {RuleBudget, RuleBudget, "100.0 %"},
		{RuleBudget * 5000, RuleBudget, "500,000 %"},
		{unlimited, RuleBudget, "∞"}, {1 << 60, VersionBudget, "∞"},
	} {
		if got := Share(test.cost, test.of); got != test.want {
			t.Errorf("%d of %d: %s, want %s", test.cost, test.of, got, test.want)
		}
	}
}
