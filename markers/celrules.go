package markers

// ruleMarkers are those of rules in CEL.
func ruleMarkers() []Definition { return nil }
