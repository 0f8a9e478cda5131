package markers

// ruleMarkers are those of rules in CEL.
func ruleMarkers() []Definition {
	return []Definition{{
		Name: "crdproof:rule", Targets: Package | Type | Field, Category: catValidation, Repeatable: true, Own: true,
		Either: []string{"rule", "use"}, Beside: validationPrefix + "XValidation",
		Params: []Param{
			optional(String, "rule", "The condition, where it is not written below; self is the value that the "+
				"marker stands on."),
			optional(String, "name",
				"Names the rule, so that it can be used elsewhere; on a package it is only named."),
			optional(String, "use", "The name of the rule that is to hold here too: atMostOne, or v1.atMostOne of "+
				"another package."),
			optional(String, "message", "What a user reads when the condition does not hold."),
			optional(String, "messageExpression", "CEL that computes the message."),
			optional(String, "reason", "FieldValueInvalid, FieldValueForbidden, FieldValueRequired or "+
				"FieldValueDuplicate."),
			optional(String, "fieldPath", "The field to blame, relative to self, such as .max."),
			optional(Bool, "optionalOldSelf", "Makes oldSelf an optional, so that the rule runs on creation too."),
		},
		Doc:     "Adds a rule in CEL that values must fulfil, written in the lines below, or one that has a name.",
		Example: `+crdproof:rule:rule="self.min <= self.max",message="min must not exceed max"`,
	}}
}
