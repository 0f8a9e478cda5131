package source

// textual declares a type that is text in JSON, by a method of the value or of the pointer.
func (g *gen) textual(byPointer bool) typ {
	name := g.typeName("Text")
	if g.chance(30) {
		g.declare("// %s is text.\ntype %s string", name, name)
		value := "t"
		if byPointer {
			value = "*t"
		}
		g.marshalText(name, value, byPointer)
		g.declare("// UnmarshalText takes every text.\nfunc (t *%s) UnmarshalText(text []byte) error {\n"+
			"\t*t = %s(text)\n\treturn nil\n}", name, name)
		return typ{expr: name, marshals: true, opaque: true, small: true}
	}
	g.textStruct(name, "S", byPointer)
	return typ{expr: name, marshals: true, opaque: true, small: true}
}

// textStruct declares a struct that is the text of its only field. It takes every string, so that a schema that says no
// more than "string" is right.
func (g *gen) textStruct(name, field string, byPointer bool) {
	g.declare("// %s is text.\ntype %s struct{ %s string }", name, name, field)
	g.marshalText(name, "t."+field, byPointer)
	g.unmarshalText(name, field)
}

func (g *gen) marshalText(name, value string, byPointer bool) {
	receiver := name
	if byPointer {
		receiver = "*" + name
	}
	g.declare("// MarshalText is the text.\nfunc (t %s) MarshalText() ([]byte, error) { return []byte(%s), nil }",
		receiver, value)
}

func (g *gen) unmarshalText(name, field string) {
	g.declare("// UnmarshalText takes every text.\nfunc (t *%s) UnmarshalText(text []byte) error {\n"+
		"\tt.%s = string(text)\n\treturn nil\n}", name, field)
}

// textWithIsZero declares a type that says itself what omitzero omits, or that it omits nothing.
func (g *gen) textWithIsZero() typ {
	name := g.typeName("Text")
	g.textStruct(name, "S", false)
	g.declare("// IsZero is what omitzero asks.\nfunc (t %s) IsZero() bool { return %s }", name,
		pick(g, "t.S == \"\"", "false"))
	return typ{expr: name, marshals: true, opaque: true, small: true}
}

// textOneWay declares a type that has one of the two methods.
func (g *gen) textOneWay() typ {
	name := g.typeName("Text")
	g.declare("// %s is text one way.\ntype %s struct{ S string }", name, name)
	if g.chance(50) {
		g.marshalText(name, "t.S", false)
	} else {
		g.unmarshalText(name, "S")
	}
	return typ{expr: name}
}

// jsonTyped declares a type that marshals itself and says as what by a marker.
func (g *gen) jsonTyped(byPointer bool) typ {
	name := g.typeName("JSON")
	switch g.IntN(3) {
	case 0:
		g.declare("// %s is a string.\n//\n// +kubebuilder:validation:Type=string\ntype %s struct{ S string }", name,
			name)
		g.jsonMethods(name, "S", byPointer)
	case 1:
		g.declare("// %s is a number.\n//\n// +kubebuilder:validation:Type=integer\n"+
			"// +kubebuilder:validation:Minimum=-1000\n"+
			"// +kubebuilder:validation:Maximum=1000\ntype %s struct{ N int16 `circle:\"min=-1000,max=1000\"` }", name,
			name)
		g.jsonMethods(name, "N", byPointer)
	default:
		g.declare("// %s is an object.\n//\n// +kubebuilder:validation:Type=object\n"+
			"// +kubebuilder:pruning:PreserveUnknownFields\n"+
			"type %s struct{ M map[string]any `circle:\"set\"` }", name, name)
		g.jsonMethods(name, "M", byPointer)
	}
	return typ{expr: name, opaque: true, small: true}
}

// jsonMethods writes MarshalJSON and UnmarshalJSON, which pass on one field. A null changes nothing, as is the
// convention.
func (g *gen) jsonMethods(name, field string, byPointer bool) {
	receiver := name
	if byPointer {
		receiver = "*" + name
	}
	g.declare("// MarshalJSON is its only field.\n"+
		"func (t %s) MarshalJSON() ([]byte, error) { return json.Marshal(t.%s) }", receiver, field)
	g.declare("// UnmarshalJSON is its only field.\nfunc (t *%s) UnmarshalJSON(data []byte) error {\n"+
		"\tif string(data) == \"null\" {\n\t\treturn nil\n\t}\n\treturn json.Unmarshal(data, &t.%s)\n}", name, field)
}

// jsonUntyped declares a type that marshals itself as something that its declaration does not show.
func (g *gen) jsonUntyped() typ {
	name := g.typeName("JSON")
	g.declare("// %s is a string, which nothing says.\ntype %s struct{ S string }", name, name)
	g.jsonMethods(name, "S", g.chance(50))
	return typ{expr: name}
}

// jsonSchemaless declares a type that marshals itself, for fields that have no schema.
func (g *gen) jsonSchemaless() typ {
	name, field := g.typeName("JSON"), g.name("F")
	g.declare("// %s is anything.\ntype %s struct{ %s any `circle:\"set\"` }", name, name, field)
	g.jsonMethods(name, field, false)
	return typ{expr: name, opaque: true,
		markers: []string{"kubebuilder:validation:Schemaless", "kubebuilder:pruning:PreserveUnknownFields"}}
}

// promoted declares a struct that is what an embedded type marshals to.
func (g *gen) promoted() typ {
	name := g.typeName("Promoted")
	field := g.name("F")
	embedded := ""
	switch g.IntN(5) {
	case 0:
		embedded = "time.Time"
	case 1:
		embedded = "metav1.Time"
	case 2:
		embedded = g.textual(false).expr
	case 3:
		embedded = g.typeName("JSON")
		g.declare("// %s is a string.\n//\n// +kubebuilder:validation:Type=string\ntype %s struct{ S string }",
			embedded, embedded)
		g.jsonMethods(embedded, "S", false)
	default:
		// Two methods at one depth cancel out: the struct is a struct, and the fields of both are its own.
		one, two := g.typeName("Text"), g.typeName("Text")
		g.textStruct(one, g.name("F"), false)
		g.textStruct(two, g.name("F"), false)
		embedded = one + "\n\t" + two
	}
	g.declare("// %s may be what is embedded in it.\ntype %s struct {\n\t%s\n\t// +optional\n"+
		"\t%s int32 `json:\"%[4]s,omitempty\"`\n}", name, name, embedded, field)
	return typ{expr: name, opaque: true, small: true}
}
