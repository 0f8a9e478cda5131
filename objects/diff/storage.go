package diff

import (
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/schema"
)

// An object passes other versions than the one in which it is written: without a webhook, an API server prunes it with
// the schema of the version in which it is stored, reads it with that version's defaults, and stores it in the new
// storage version when it is written back. followed returns the changes that these versions bring although the schemas
// of the version of the pair do not: what they drop, and what they default, of what the old CRD keeps.
func (p pair) followed(w *witness.Work, known []Change) (out []Change, err error) {
	was, now := storageOf(p.old.CRD.IR), storageOf(p.new.CRD.IR)
	if p.old.IsAlone || was == nil || now == nil || was.Schema == nil {
		return nil, nil
	}
	seen := []*schema.Schema{p.new.Version.Schema}
	for _, via := range []*schema.Version{versionsOf(p.new.CRD.IR)[was.Name.V], now} {
		if via == nil || via.Schema == nil ||
			slices.ContainsFunc(seen, func(s *schema.Schema) bool { return w.IsSame(s, via.Schema) }) {
			continue
		}
		seen = append(seen, via.Schema)
		changes, err := p.through(w, was, via, placesOf(append(slices.Clip(known), out...)))
		if err != nil {
			return nil, err
		}
		out = append(out, changes...)
	}
	return out, nil
}

// storageOf returns the version in which objects are stored, nil without one.
func storageOf(crd *schema.CRD) *schema.Version {
	for i := range crd.Versions {
		if crd.Versions[i].Storage {
			return &crd.Versions[i]
		}
	}
	return nil
}

// through returns the changes that objects undergo in a version of the new CRD, but not in the old storage version.
func (p pair) through(w *witness.Work, was, via *schema.Version, known places) (out []Change, err error) {
	stored := &witness.Side{CRD: p.old.CRD, Version: was, Minor: p.old.Minor}
	passed := &witness.Side{CRD: p.new.CRD, Version: via, Minor: p.new.Minor}
	_, before := gapsOf(w, p.old, stored, false)
	b, gaps := gapsOf(w, p.old, passed, false)
	s := &trial{Search: witness.NewSearch(p.old, b), reject: p.new}
	isOld := func(g *gap) bool {
		return slices.ContainsFunc(before, func(h gap) bool { return h.field == g.field && h.keyword == g.keyword })
	}
	for i := range gaps {
		g := &gaps[i]
		q := Kept
		if g.keyword == "default" {
			q = Meaning
		}
		if g.isCut || !slices.Contains(g.asks(), q) || isOld(g) {
			continue
		}
		if _, isKnown := known[[3]string{g.field, g.keyword, g.text}]; isKnown {
			continue
		}
		g.text = fmt.Sprintf("%s in version %s, in which objects are stored", g.text, via.Name.V)
		change := Change{Path: g.field, Keyword: g.keyword, Message: g.text, Old: g.accept, New: g.reject}
		change.add(s.stores(g, q))
		if s.Err != nil || w.Context.Err() != nil {
			return nil, s.Err
		}
		change.Help = fmt.Sprintf("give version %s all fields and defaults of %s, or store objects in a version that "+
			"has them", via.Name.V, p.old.Version.Name.V)
		out = append(out, change)
	}
	return out, nil
}

// stores looks for a stored object of which the new CRD drops, or defaults, a value: when it is read, or when it is
// read and written back.
func (s *trial) stores(g *gap, q Question) (found Finding) {
	s.Obstacle = nil
	try := func(w witness.Written) bool {
		found = s.journey(g, q, &w)
		return found.Answer == No
	}
	for _, from := range []map[string]any{s.Minimal(), s.Enclosing(g.node.at)} {
		if from != nil && found.Answer != No {
			s.Find(from, g.plans, try)
		}
	}
	if found.Answer != No {
		return s.undecided(g, q, g.unknown)
	}
	return s.minimal(g, found)
}

// journey reads a stored object under both CRDs, writes it back under the new one, and returns the finding if a value
// has got lost, or has another default.
func (s *trial) journey(g *gap, q Question, w *witness.Written) Finding {
	at := g.node.at
	if g.keyword == "" {
		at = g.plans[0][0].At
	}
	before := s.Read(s.Accept, w.Stored)
	now := s.Read(s.reject, w.Stored)
	if now == nil || before == nil {
		return Finding{}
	}
	answer := s.Send(s.reject, now, write.Request{Old: w.Stored})
	if s.Err != nil || answer.Rejection != nil {
		return Finding{}
	}
	after := s.Read(s.reject, answer.Stored)
	was, had := at.In(before)
	written, has := at.In(after)
	out := Finding{Question: q, Answer: No, Class: ClassStored,
		Reason: "stored objects change when they are written back"}
	out.Witness = &Witness{Version: s.Accept.Version.Name.V, Object: w.Sent, Update: now, Stored: after, isRead: true}
	switch {
	case q == Kept && had && !has:
		out.Witness.Old, out.Witness.New = "keeps "+at.String(), "drops "+at.String()
	case q == Meaning && (had != has || witness.JSON(was) != witness.JSON(written)):
		out.Witness.Old, out.Witness.New = valueText(at, was, had), valueText(at, written, has)
	default:
		return Finding{}
	}
	return out
}
