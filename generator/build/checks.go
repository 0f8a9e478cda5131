package build

import "github.com/crdproof/crdproof/generator/schema"

// checkBounds reports bounds on one node that no value can satisfy.
func (b *builder) checkBounds(s *schema.Schema) {
	if s.Minimum != nil && s.Maximum != nil && numberValue(s.Minimum) > numberValue(s.Maximum) {
		b.mistake(emptyRange("minimum", s.Minimum.V, s.Minimum.At, "maximum", s.Maximum.V, s.Maximum.At))
	}
	for _, pair := range []struct {
		min, max     *schema.Int
		minIs, maxIs string
	}{
		{s.MinLength, s.MaxLength, "minLength", "maxLength"},
		{s.MinItems, s.MaxItems, "minItems", "maxItems"},
		{s.MinProperties, s.MaxProperties, "minProperties", "maxProperties"},
	} {
		if pair.min != nil && pair.max != nil && pair.min.V > pair.max.V {
			b.mistake(emptyRange(pair.minIs, intText(pair.min), pair.min.At, pair.maxIs, intText(pair.max), pair.max.At))
		}
	}
}
