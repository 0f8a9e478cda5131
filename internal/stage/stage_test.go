package stage_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/stage"
)

// TestRun runs each task once, and reports increasing numbers.
func TestRun(t *testing.T) {
	const n = 1000
	var calls [n]atomic.Int32
	var reported []int
	progress := func(name string, done, total int) {
		if name != "counting" || total != n {
			t.Errorf("reported %s, %d of %d", name, done, total)
		}
		reported = append(reported, done)
	}
	stage.Run(t.Context(), progress, "counting", n, func(i int) { calls[i].Add(1) })
	for i := range calls {
		if got := calls[i].Load(); got != 1 {
			t.Errorf("%d was done %d times", i, got)
		}
	}
	if len(reported) != n+1 || !slices.IsSorted(reported) || reported[n] != n {
		t.Errorf("reported %d times, at last %d", len(reported), reported[len(reported)-1])
	}
	stage.Run(t.Context(), nil, "nothing", 0, func(int) { t.Error("there is nothing to do") })
}

// TestRunCanceled makes sure that no task starts after cancellation.
func TestRunCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	stage.Run(ctx, nil, "ending", 1_000_000, func(int) {
		calls.Add(1)
		cancel()
	})
	if n := calls.Load(); n == 0 || n > 1000 {
		t.Errorf("%d calls", n)
	}
}

// TestPanic catches a panic where Each was called, with the place where it happened, also inside a second Each.
func TestPanic(t *testing.T) {
	caught := stage.Catch(func() {
		stage.Each(3, func(i int) {
			stage.Each(3, func(k int) {
				if i == 1 && k == 1 {
					broken()
				}
			})
		})
	})
	if caught == nil || caught.Value != "broken" || !strings.Contains(string(caught.Stack), "stage_test.broken") {
		t.Errorf("caught %v", caught)
	}
	d := caught.Finding(diag.Span{}, "the file")
	if d.Message != "crdproof has a bug: broken" ||
		!strings.Contains(strings.Join(d.Notes, " "), "stage_test.broken") ||
		d.HelpText != "please report it with the lines above and the file" {
		t.Errorf("reported as %+v", d)
	}
	if caught := stage.Catch(func() { stage.Each(3, func(int) {}) }); caught != nil {
		t.Errorf("caught %v, without a panic", caught)
	}
}

func broken() { panic("broken") }
