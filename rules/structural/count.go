package structural

import (
	"fmt"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// A room is how many fields or items a schema allows, apart from its bounds.
type room struct {
	// most is the largest number, of what.
	most int64
	what string
	// always is the number of fields that each object has; of these, preset are there because of a default.
	always, preset int64
}

// roomOf returns the numbers of fields of a struct with bounds of them; ok is unset for all other objects.
func roomOf(p *session.Pass) (r room, ok bool) {
	s := p.Schema
	if s.MinProperties == nil && s.MaxProperties == nil || s.Type.V != "object" || isRoot(p.Place) ||
		s.Incomplete != 0 || s.AdditionalProperties != nil || s.AdditionalAllowed ||
		s.PreserveUnknownFields.True() || s.EmbeddedResource.True() {
		return r, false
	}
	isRequired := map[string]bool{}
	for _, name := range s.Required {
		isRequired[name.V] = true
	}
	for _, property := range s.Properties {
		switch {
		case isRequired[property.Name]:
			r.always++
		case property.Schema.Default != nil:
			r.always++
			r.preset++
		}
	}
	r.most = int64(len(s.Properties))
	r.what = fmt.Sprintf("%s has %s", what(p.Place), diag.Counted(len(s.Properties), "field"))
	return r, true
}

// itemsOf returns the number of different items of a set or a map; ok is unset if there is no limit.
func itemsOf(p *session.Pass) (r room, ok bool) {
	s := p.Schema
	if s.MinItems == nil || s.Items == nil {
		return r, false
	}
	switch s.ListType.V {
	case "set":
		r.most, ok = valuesOf(s.Items)
		r.what = fmt.Sprintf("a set has each of the %d values once", r.most)
	case "map":
		r.most, ok = 1, true
		for _, key := range s.ListMapKeys {
			n, isFinite := valuesOf(s.Items.Property(key.V))
			ok = ok && isFinite && r.most < 1000
			r.most *= n
		}
		r.what = fmt.Sprintf("the keys have %d different values", r.most)
	}
	return r, ok
}

// valuesOf returns the number of values that a scalar may have; ok is unset if there is no limit.
func valuesOf(s *schema.Schema) (n int64, ok bool) {
	switch {
	case s == nil:
		return 0, false
	case len(s.Enum) > 0:
		different := map[string]bool{}
		for _, v := range s.Enum {
			different[v.Compact()] = true
		}
		return int64(len(different)), true
	case s.Type.V == "boolean":
		return 2, true
	}
	return 0, false
}

// checkRoom reports bounds of fields and items that no value satisfies because there are too few, or too many.
func checkRoom(p *session.Pass) {
	if p.Nested {
		return
	}
	if r, ok := roomOf(p); ok {
		if low := p.Schema.MinProperties; low != nil && low.V > r.most {
			reportTooFew(p, "minProperties", low, r)
		}
		if high := p.Schema.MaxProperties; high != nil && high.V < r.always && r.always <= r.most {
			p.Reportf(p.At(high.At), p.Key("maxProperties"),
				"maxProperties %d rejects every value: %d fields are required or have a default", high.V, r.always).
				Help("write %d or more", r.always).Changes(diag.AcceptsMore, "")
		}
	}
	if r, ok := itemsOf(p); ok {
		if low := p.Schema.MinItems; low != nil && low.V > r.most {
			reportTooFew(p, "minItems", low, r)
		}
	}
}

func reportTooFew(p *session.Pass, keyword string, low *schema.Int, r room) {
	p.Reportf(p.At(low.At), p.Key(keyword), "%s %d rejects every value: %s", keyword, low.V, r.what).
		Help("write %d or less", r.most).Changes(diag.AcceptsMore, "")
}

// checkIdleRoom reports bounds of fields that every value satisfies.
func checkIdleRoom(p *session.Pass) {
	r, ok := roomOf(p)
	if p.Nested || !ok {
		return
	}
	if high := p.Schema.MaxProperties; high != nil && high.V > r.most {
		p.Reportf(p.At(high.At), p.Key("maxProperties"), "maxProperties %d has no effect: %s", high.V, r.what).
			Help("remove it")
	}
	if low := p.Schema.MinProperties; low != nil && low.V > r.always-r.preset && low.V <= r.always {
		p.Reportf(p.At(low.At), p.Key("minProperties"), "minProperties %d has no effect: defaults add %s", low.V,
			diag.Counted(int(r.preset), "field")).Help("remove it").Do(diag.Remove, "")
	}
}
