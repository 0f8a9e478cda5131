package diff

import (
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// alike returns the parts of a range of Kubernetes versions whose API servers answer alike to objects, but for texts,
// the newest first. The zero value is the newest version.
func alike(versions kube.Range) (out []kube.Range) {
	if versions == (kube.Range{}) {
		versions = kube.Range{First: kube.Latest(), Last: kube.Latest()}
	}
	differs := []kube.Minor{kube.StatusRatcheting.Since(), kube.NameFormats.Since(), kube.IntegerFormats.Since()}
	for last := versions.Last; last >= versions.First; last = out[len(out)-1].First - 1 {
		first := last
		for first > versions.First && !slices.Contains(differs, first) {
			first--
		}
		out = append(out, kube.Range{First: first, Last: last})
	}
	return out
}

// at returns the pair as API servers of a minor treat it.
func (p pair) at(minor kube.Minor) pair {
	side := func(s *witness.Side) *witness.Side {
		return s.At(minor, schema.Map(s.Version.Schema, func(p *schema.Place) *schema.Schema {
			return readAt(minor, p.Schema)
		}))
	}
	return pair{side(p.old), side(p.new)}
}

// readAt returns a schema as API servers of a minor read it: they ignore formats that they do not know, and those
// before kube.IntegerFormats read only the integer part of bounds of integers.
func readAt(minor kube.Minor, s *schema.Schema) *schema.Schema {
	out, isOther := *s, false
	if f := s.Format.V; f != "" && !minor.Validates(s.Type.V, f) && kube.Latest().Validates(s.Type.V, f) {
		out.Format, isOther = schema.Text{}, true
	}
	if s.Type.V == witness.IntegerType && !minor.Has(kube.IntegerFormats) {
		for _, bound := range []**schema.Number{&out.Minimum, &out.Maximum, &out.MultipleOf} {
			if n := *bound; n != nil && !(witness.Rat(n.V).IsInt() && witness.Rat(n.V).Num().IsInt64()) {
				f, _ := witness.Rat(n.V).Float64()
				*bound, isOther = &schema.Number{V: strconv.FormatInt(int64(f), 10), At: n.At}, true
			}
		}
	}
	if !isOther {
		return s
	}
	return &out
}

// isTreatedLike reports whether two minors treat a pair alike.
func (p pair) isTreatedLike(q pair, w *witness.Work) bool {
	ratchets := func(s *witness.Side) bool { return !s.HasStatus() || s.Minor.Has(kube.StatusRatcheting) }
	return p.likeness(w) == q.likeness(w) && ratchets(p.old) == ratchets(q.old) && ratchets(p.new) == ratchets(q.new)
}

// answers returns the changes of a pair for a range of Kubernetes versions: those of the last one, and what older ones
// answer worse. The additions are those of the last one.
func (p pair) answers(w *witness.Work, versions kube.Range) (changes []Change, additions []Addition, err error) {
	var last pair
	var older []Change
	for i, servers := range alike(versions) {
		now := p.at(servers.Last)
		switch {
		case i == 0:
			changes, additions, err = now.compare(w)
		case now.isTreatedLike(last, w):
		default:
			older, _, err = now.compare(w)
		}
		if err != nil || w.Context.Err() != nil {
			return nil, nil, err
		}
		last = now
		known := placesOf(changes)
		for j := range older {
			changes = known.worsen(changes, older[j], servers)
		}
	}
	return changes, additions, nil
}

// worsen adds the findings of a change that servers of a range answer worse than newer ones.
func (p places) worsen(changes []Change, c Change, servers kube.Range) []Change {
	i, ok := p.find(&c, len(changes))
	if !ok {
		added := c
		added.Findings = nil
		changes = append(changes, added)
	}
	known := &changes[i]
	for _, f := range c.Findings {
		f.Servers = servers
		j := slices.IndexFunc(known.Findings, func(other Finding) bool { return other.Question == f.Question })
		switch {
		case j < 0:
			known.add(f)
		case known.Findings[j].Answer < f.Answer:
			known.Findings[j] = f
		case known.Findings[j].Answer == f.Answer && known.Findings[j].Servers.First == servers.Last+1:
			known.Findings[j].Servers.First = servers.First
			continue
		default:
			continue
		}
		known.Help = c.Help
		for k := range known.Findings {
			if f.Question == Stored && known.Findings[k].Reason == ratcheted {
				known.Findings[k].Reason = ""
			}
		}
	}
	return changes
}
