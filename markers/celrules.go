package markers

// ruleMarkers returns those of rules in CEL.
func ruleMarkers() []Definition {
	return []Definition{{
		Name: "crdproof:rule", Targets: Package | Type | Field, Category: catValidation, Repeatable: true, Own: true,
		Either: []string{"rule", "use"}, Beside: validationPrefix + "XValidation",
		Params: []Param{
			optional(String, "rule", "The condition, if it is not in the lines below; self is the value of the type "+
				"or field."),
			optional(String, "name",
				"Names the rule for use elsewhere. On a package the rule is only declared."),
			optional(String, "use", "The name of a rule to apply: atMostOne, or v1.atMostOne from another package."),
			optional(String, "message", "The error message if the condition is false."),
			optional(String, "messageExpression", "CEL that computes the message."),
			optional(String, "reason", "FieldValueInvalid, FieldValueForbidden, FieldValueRequired or "+
				"FieldValueDuplicate."),
			optional(String, "fieldPath", "The field that the error names, relative to self, such as .max."),
			optional(Bool, "optionalOldSelf", "Makes oldSelf an optional value, so that the rule also runs on "+
				"creation."),
		},
		Doc: "Adds a CEL rule that values must satisfy, written in the lines below the marker, or applies a rule " +
			"that has a name.",
		Example: `+crdproof:rule:rule="self.min <= self.max",message="min must not exceed max"`,
	}}
}
