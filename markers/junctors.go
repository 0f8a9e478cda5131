package markers

// junctorMarkers are those that put a value validation under a junctor (KEP-2335).
func junctorMarkers() []Definition { return nil }
