// Package heap trades memory for time: it decides how far the heap may grow before Go collects garbage. It does so when
// it is initialized. Go initializes packages in the order of their paths, once what they import is initialized, so this
// one comes before most of the linked libraries, whose tables would otherwise be collected.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// leastHeap is how many bytes the heap may hold before garbage is collected for the first time, and the least that
	// it may grow to between collections. Go's own 4 MiB would be collected dozens of times while it grows.
	leastHeap = 16 << 20
	// gcPercent is by how much the heap may grow between collections, in percent of what is in use.
	gcPercent = 60
	// largeHeap is how far the heap of a large project may grow in any case, such as one with hundreds of kinds, whose
	// types alone take more than largeUse: to collect garbage, Go has to look at all of them.
	largeHeap, largeUse = 245 << 20, 20 << 20
	// hugeUse is from where on the heap grows faster than what is in use, up to twice as much. Otherwise the time of
	// thousands of kinds would not be in proportion to their number.
	hugeUse = 83 << 20
	// goLeastHeap is Go's own least heap under GOGC=100 (runtime/mgcpacer.go, defaultHeapMinimum).
	goLeastHeap = 4 << 20
)

// growth is by how many percent the heap may grow between collections, when so many bytes of it are in use.
func growth(use int) int {
	most := max(leastHeap, min(largeHeap, 3*(use-largeUse)), min(2*use, 3*(use-hugeUse)))
	return max(gcPercent, most*100/max(use, 1)-100)
}

// init starts as Go's compiler does. GOGC and GOMEMLIMIT override it.
func init() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(leastHeap * 100 / goLeastHeap)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	afterEachCollection(func() {
		metrics.Read(live)
		debug.SetGCPercent(growth(int(live[0].Value.Uint64())))
	})
}

// afterEachCollection calls do soon after garbage has been collected: with the finalizer of an object that nothing
// else refers to.
func afterEachCollection(do func()) {
	type garbage struct{ _ [16]byte } // of a size that Go does not put together with other objects
	var again func(*garbage)
	again = func(g *garbage) {
		do()
		runtime.SetFinalizer(g, again)
	}
	runtime.SetFinalizer(&garbage{}, again)
}
