// Package heap trades memory for time: it decides how far the heap may grow before Go collects garbage. It does so when
// it is initialized. Go initializes packages in the order of their paths, once what they import is initialized, so this
// one comes before most of the linked libraries, whose tables would otherwise be collected.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
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
	// roomyHeap is how far the heap may grow in any case after Roomy.
	roomyHeap = 160 << 20
	// goLeastHeap is Go's own least heap under GOGC=100 (runtime/mgcpacer.go, defaultHeapMinimum).
	goLeastHeap = 4 << 20
)

// least is how far the heap may grow in any case.
var least atomic.Int64

// Roomy lets the heap grow to 160 MiB before garbage is collected. It is for commands that put many objects through the
// API server's library, which throws away nearly all memory that it allocates: crdproof diff takes half the time for a
// thousand changes. GOGC and GOMEMLIMIT override it.
func Roomy() {
	if least.Swap(roomyHeap) != roomyHeap && !isOverridden() {
		debug.SetGCPercent(roomyHeap * 100 / goLeastHeap)
	}
}

// growth is by how many percent the heap may grow between collections, when so many bytes of it are in use.
func growth(use, least int) int {
	most := max(least, min(largeHeap, 3*(use-largeUse)), min(2*use, 3*(use-hugeUse)))
	return max(gcPercent, most*100/max(use, 1)-100)
}

// init starts as Go's compiler does. GOGC and GOMEMLIMIT override it.
func init() {
	least.Store(leastHeap)
	if isOverridden() {
		return
	}
	debug.SetGCPercent(leastHeap * 100 / goLeastHeap)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	afterEachCollection(func() {
		metrics.Read(live)
		debug.SetGCPercent(growth(int(live[0].Value.Uint64()), int(least.Load())))
	})
}

func isOverridden() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }

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
