package support

import "k8s.io/apimachinery/pkg/util/validation/field"

// A RuleSet is the rules of the kinds of a package as functions of a value and the old one. Types name them by their
// positions, and have the rest of each rule.
type RuleSet struct {
	// Checks are the rules, and Messages their messageExpressions. A message is a string or anything else.
	Checks   []func(self, oldSelf any) Result[bool]
	Messages []func(self, oldSelf any) any
	// ByType is set for a server whose errors have the type of the value instead of the value.
	ByType bool
}

// checkObject checks the rules of an object, or of the part that is validated.
func (r *RuleSet) checkObject(v *Validation) {
	value, old, t := any(v.object), any(nil), v.typ
	if v.old != nil {
		old = v.old
	}
	for _, name := range v.opts.part {
		value, old, t = oldField(value, name), oldField(old, name), t.field(name)
		v.path.field(name)
	}
	if v.inParts {
		value = &goPart{value: value, rulesHold: true}
	}
	if value != nil {
		r.check(v, value, old, t)
	}
	v.path = v.path[:0]
}

// Check checks the rules of a value, which has no old one.
func (r *RuleSet) Check(v *Validation, value any, t *Type) { r.check(v, value, nil, t) }

// check checks the rules of a value and of everything inside. The old value may be nil.
func (r *RuleSet) check(v *Validation, value, old any, t *Type) {
	if t.Has&withOldRules == 0 {
		old = nil
	}
	if part, isPart := value.(*goPart); isPart {
		if part.value != nil && !part.rulesHold {
			r.checkOwn(v, v.whole(part), old, t)
		}
		value = part.value
	} else {
		r.checkOwn(v, value, old, t)
	}
	switch x := value.(type) {
	case map[string]any:
		r.checkFields(v, x, old, t)
	case *flatObject:
		r.checkMembers(v, x, old)
	case []any:
		r.checkItems(v, x, old, t)
	}
}

// checkOwn checks the rules of a value itself.
func (r *RuleSet) checkOwn(v *Validation, value, old any, t *Type) {
	if v.budget != nil && !v.budget.mayEvaluate(v, t) {
		return
	}
	for i := range t.rules {
		if v.isDone() || v.budget != nil && v.budget.isSpent() {
			return
		}
		before := old
		if !t.readsOld {
			before = nil
		}
		r.one(v, value, before, &t.rules[i])
	}
}

// one checks a rule.
func (r *RuleSet) one(v *Validation, value, old any, rule *Rule) {
	switch {
	case rule.fault != "":
		if v.hasRoom() {
			v.errs = append(v.errs, withOrigin(field.Invalid(v.path.fieldPath(), rule.Type, rule.fault),
				ruleOrigin(rule.At)))
		}
		return
	case rule.Transition && old == nil && !rule.isOptional:
		return
	}
	if v.budget != nil && !v.budget.affords(v, rule, value, old) {
		return
	}
	result := r.Checks[rule.check-1](value, old)
	isBroken := result.err != nil || !result.val
	if v.judges && isBroken {
		v.failures++
		return
	}
	if !isBroken || result.err == nil && v.budget != nil && !v.budget.affordsMessage(v, rule, value, old) {
		return
	}
	if rule.message > 0 {
		with := *rule
		with.Expression = r.Messages[rule.message-1]
		rule = &with
	}
	if r.ByType {
		v.brokenByType(result, value, old, rule)
	} else {
		v.broken(result, value, old, rule)
	}
}

// checkFields checks the rules of the values of a map, in the order of its keys, and of the fields of an object.
func (r *RuleSet) checkFields(v *Validation, object map[string]any, old any, t *Type) {
	if t.Values != nil && t.Values.Has&withRules != 0 {
		for _, key := range sortedKeys(object) {
			if value := object[key]; value != nil && !v.isDone() {
				v.path.key(key)
				r.check(v, value, oldField(old, key), t.Values)
				v.path.leave()
			}
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Type.Has&withRules == 0 {
			continue
		}
		if value := object[f.Name]; value != nil && !v.isDone() {
			v.path.field(f.Name)
			r.check(v, value, oldField(old, f.Name), f.Type)
			v.path.leave()
		}
	}
}

// checkMembers checks the rules of the members of an object.
func (r *RuleSet) checkMembers(v *Validation, object *flatObject, old any) {
	for i := range object.members {
		m := &object.members[i]
		if m.typ != nil && m.typ.Has&withRules != 0 && m.value != nil && !v.isDone() {
			r.check(v, m.read(), oldField(old, m.name), m.typ)
		}
	}
}

// checkItems checks the rules of the items of a list. Only those of a list of type map have old ones.
func (r *RuleSet) checkItems(v *Validation, items []any, old any, t *Type) {
	if t.Items == nil || t.Items.Has&withRules == 0 {
		return
	}
	if t.ListType != "map" || len(t.ListKeys) == 0 || t.Items.Has&withOldRules == 0 {
		old = nil
	}
	olds := oldItems(old, t.ListKeys...)
	for i, item := range items {
		if item != nil && !v.isDone() {
			v.path.item(i)
			r.check(v, item, olds.get(item), t.Items)
			v.path.leave()
		}
	}
}
