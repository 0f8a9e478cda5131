package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// leastHeap is how many bytes the heap holds before garbage is collected for the first time, and the least that it
	// grows to between collections. Go's own 4 MiB would be collected dozens of times while it grows.
	leastHeap = 48 << 20
	// gcPercent is by how much a heap above leastHeap grows between collections, in percent. Less than Go's 100 saves
	// memory where there is most of it.
	gcPercent = 60
	// goLeastHeap is Go's own least heap under GOGC=100 (runtime/mgcpacer.go, defaultHeapMinimum).
	goLeastHeap = 4 << 20
)

// tuneHeap trades memory for time, as Go's compiler does. GOGC and GOMEMLIMIT override it.
func tuneHeap() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(leastHeap * 100 / goLeastHeap)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	afterEachCollection(func() {
		metrics.Read(live)
		percent := gcPercent
		if now := int(live[0].Value.Uint64()); now > 0 {
			percent = max(percent, leastHeap*100/now-100)
		}
		debug.SetGCPercent(percent)
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
