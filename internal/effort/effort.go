// Package effort bounds work: how many steps a search, an expansion or a comparison may take before its result is
// "not decided", or its input is rejected.
//
// A step is counted, not timed, so that the answer is the same on every machine. limits.go has all limits in one table,
// with their reasons; docs/limits.md is generated from it.
package effort

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/crdproof/crdproof/diag"
)

// A Limit is a row of the table of limits.
type Limit struct {
	// Name identifies the limit: lower-case words joined by dashes.
	Name string
	// Steps says what is counted, in the plural, such as "nodes of a schema".
	Steps string
	// Most is the number of steps that are allowed.
	Most int64
	// Beyond says what happens after that.
	Beyond string
	// Why is the reason for the number, and its source if it is the API server's.
	Why string
}

// N is Most as an int.
func (l *Limit) N() int { return int(l.Most) }

// Check is the check of input that is beyond a limit: as an error if it is rejected, as a warning if only a part of the
// validation is not decided.
var Check = &diag.Check{ID: "too-large", Mistake: true, MayWarn: true}

// Checks returns the check of input that is beyond a limit.
func Checks() []*diag.Check { return []*diag.Check{Check} }

// A Budget counts the steps of one task against a limit. It may be used by several goroutines.
type Budget struct {
	ctx   context.Context
	limit *Limit
	spent atomic.Int64
	meter *atomic.Int64
}

// New returns a budget of all steps that a limit allows. The task ends with the context, too.
func New(ctx context.Context, limit *Limit) *Budget {
	b := &Budget{ctx: ctx, limit: limit}
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		b.meter = m.counter(limit)
	}
	return b
}

// lookEvery is the number of steps after which a budget looks at its context.
const lookEvery = 256

// Spend counts steps before they are taken, and reports whether they may be: they may not beyond the limit, or after
// the context has ended.
func (b *Budget) Spend(steps int) bool {
	if b.meter != nil {
		b.meter.Add(int64(steps))
	}
	now := b.spent.Add(int64(steps))
	if now/lookEvery != (now-int64(steps))/lookEvery && b.ctx.Err() != nil {
		b.spent.Store(b.limit.Most + 1)
		return false
	}
	return now <= b.limit.Most
}

// Ended reports whether no more steps may be taken.
func (b *Budget) Ended() bool { return b.spent.Load() > b.limit.Most || b.ctx.Err() != nil }

// Exceeded reports whether the limit is the reason: then the result is not decided, and a finding must say so. After
// the context has ended, it returns false: results are undefined then, and nothing is reported.
func (b *Budget) Exceeded() bool { return b.spent.Load() > b.limit.Most && b.ctx.Err() == nil }

// Spent returns the steps that were counted, those beyond the limit included.
func (b *Budget) Spent() int { return int(b.spent.Load()) }

// Limit returns the limit that the budget counts against.
func (b *Budget) Limit() *Limit { return b.limit }

// Undecided returns a warning that a part of the validation is not decided, because what needs too many steps.
func (b *Budget) Undecided(at diag.Span, what string) diag.Diagnostic {
	return diag.Warningf(at, Check, "not decided: %s", what).Note("%s", b.limit.note())
}

// Rejected returns an error that input is too large.
func (b *Budget) Rejected(at diag.Span, what string) diag.Diagnostic {
	return b.limit.Rejected(at, what)
}

// Rejected returns an error that input is beyond the limit.
func (l *Limit) Rejected(at diag.Span, what string) diag.Diagnostic {
	return diag.Errorf(at, Check, "too large: %s", what).Note("%s", l.note())
}

// Reason says what is too large and which limit was reached, on one line: for answers that have no notes.
func (l *Limit) Reason(what string) string {
	return "not decided: too large: " + what + "; " + l.note()
}

// note says which limit was reached.
func (l *Limit) note() string {
	return "the limit is " + diag.Grouped(l.Most) + " " + l.Steps + " (" + l.Name + " in docs/limits.md)"
}

// A Meter sums the steps of all budgets of a context, by limit: tests compare the work for inputs of different sizes.
type Meter struct {
	mu       sync.Mutex
	counters map[string]*atomic.Int64
}

type meterKey struct{}

// Measured returns a context whose budgets are summed in a meter.
func Measured(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// Steps returns the steps that were counted against a limit, those beyond it included.
func (m *Meter) Steps(limit *Limit) int64 { return m.counter(limit).Load() }

func (m *Meter) counter(limit *Limit) *atomic.Int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counters == nil {
		m.counters = map[string]*atomic.Int64{}
	}
	if m.counters[limit.Name] == nil {
		m.counters[limit.Name] = new(atomic.Int64)
	}
	return m.counters[limit.Name]
}
