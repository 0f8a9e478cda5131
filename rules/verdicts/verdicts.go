// Package verdicts validates CRDs, and takes what is found from the cache if an earlier run has validated the same CRD.
//
// What enters is a session, and what leaves are the findings of rules.Check, at the positions of today's sources. The
// files:
//
//  1. verdicts.go: the entries
//  2. value.go: everything that a CRD and the options of its validation say, as bytes
//  3. place.go: everything that the positions in them say, wherever they are in their files
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package verdicts

import (
	"context"
	"sync/atomic"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// kind is that of the entries.
const kind = "verdict"

// A Store has the verdicts of earlier runs. It is safe for concurrent use. A nil *Store has none.
type Store struct {
	cache      *cache.Cache
	all, known atomic.Int64
}

// In returns the verdicts in a cache, which may be nil.
func In(c *cache.Cache) *Store { return &Store{cache: c} }

// Counts returns how many CRDs Check was called for, and for how many of them the cache had the findings.
func (s *Store) Counts() (all, known int) { return int(s.all.Load()), int(s.known.Load()) }

// Check returns what rules.Check finds in the CRD of a session. sent is the JSON that the session's object was decoded
// from, nil if the object comes from the CRD. If compilations are traced, the CRD is always validated.
func (s *Store) Check(ctx context.Context, proved *session.Session, sent []byte) []diag.Diagnostic {
	if s == nil || s.cache == nil || proved.Trace != nil {
		return rules.Check(ctx, proved)
	}
	s.all.Add(1)
	key, at, ok := s.identify(proved, sent)
	if !ok {
		return rules.Check(ctx, proved)
	}
	if data, exists := s.cache.Get(kind, key); exists {
		r := cache.NewReader(data)
		if found, ok := cache.ReadDiagnostics(r, at); ok && r.Complete() {
			s.known.Add(1)
			return found
		}
	}
	found := rules.Check(ctx, proved)
	var w cache.Writer
	if cache.WriteDiagnostics(&w, found, at) && ctx.Err() == nil {
		s.cache.Put(kind, key, w.Data())
	}
	return found
}

// An input is everything that rules.Check depends on, together with the sources of its positions.
type input struct {
	CRD     *schema.CRD
	Options session.Options
	Sent    []byte
}

// identify returns the key of a CRD, and the places in its sources. It returns false if there can be no entry.
func (s *Store) identify(proved *session.Session, sent []byte) (key cache.Key, at places, ok bool) {
	w := write(input{proved.CRD, proved.Options, sent})
	if at, ok = w.places(proved.Owns); !ok {
		return key, nil, false
	}
	h := s.cache.Hasher()
	h.Bytes(w.data)
	key, ok = h.Key()
	return key, at, ok
}
