package markers

// scalarMarkers are those of durations, quantities and object names.
func scalarMarkers() []Definition { return nil }
