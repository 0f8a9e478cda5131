package heap

import "testing"

// TestGrowth holds that more memory in use never means a smaller heap, and that the heap of a project of any size may
// grow.
func TestGrowth(t *testing.T) {
	for _, least := range []int{leastHeap, roomyHeap} {
		testGrowth(t, least)
	}
}

func testGrowth(t *testing.T, least int) {
	t.Helper()
	before := 0
	for use := 1 << 20; use < 4<<30; use += use / 8 {
		target := use + use/100*growth(use, least)
		if target < before || target < use+use/100*gcPercent {
			t.Errorf("with %d bytes in use the heap may grow to %d, with less to %d", use, target, before)
		}
		before = target - target/50 // percents are whole numbers
	}
}
