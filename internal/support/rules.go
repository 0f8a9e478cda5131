package support

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A crdRule describes a rule for the errors about it.
type crdRule struct {
	// typ is the type of the values that have the rule: "object", "string", "" for int-or-string.
	typ string
	// message is the error if the rule is violated. A rule without a message has its text.
	text, message string
	reason        field.ErrorType
	// path leads from the value to the field of the error; "" is the value itself.
	path string
	// transition is set if the rule compares with the old value; ratcheting does not apply then.
	transition bool
	// expression evaluates the messageExpression for a value and the old one, to a string or anything else; nil without
	// one.
	expression func(self, oldSelf any) any
}

// rule reports the result of a rule, unless it is true. Only a messageExpression needs the old value.
func (v *crdValidation) rule(result crdResult[bool], value, old any, rule crdRule) {
	if result.err != nil || !result.val {
		v.broken(result, value, old, rule)
	}
}

// broken reports that a rule is violated by the current value, or could not be evaluated (apiextensions-apiserver,
// pkg/apiserver/schema/cel/validation.go).
func (v *crdValidation) broken(result crdResult[bool], value, old any, rule crdRule) {
	isWarning := result.err == nil && !rule.transition && v.old != nil && !v.isFresh && v.ratchets()
	if isWarning && v.warnings.isFull() || !isWarning && !v.hasRoom() {
		return
	}
	path := v.path.fieldPath()
	if result.err != nil {
		v.errs = append(v.errs, field.Invalid(path, rule.typ, rule.fault(result.err)))
		return
	}
	if rule.path != "" {
		path = path.Child(rule.path)
	}
	detail := rule.detail(value, old)
	if rule.typ == "object" || rule.typ == "array" {
		value = field.OmitValueType{}
	}
	value = crdShown(value)
	var err *field.Error
	switch rule.reason {
	case field.ErrorTypeForbidden:
		err = field.Forbidden(path, detail)
	case field.ErrorTypeRequired:
		err = field.Required(path, detail)
	case field.ErrorTypeDuplicate:
		err = field.Duplicate(path, value)
	default:
		err = field.Invalid(path, value, detail)
	}
	if isWarning {
		v.warnings.add(err.Error())
		return
	}
	v.errs = append(v.errs, err)
}

// uncompiled reports that a rule does not compile.
func (v *crdValidation) uncompiled(typ, fault string) {
	if v.hasRoom() {
		v.errs = append(v.errs, field.Invalid(v.path.fieldPath(), typ, fault))
	}
}

// fault says why a rule could not be evaluated.
func (r *crdRule) fault(err *crdFailure) string {
	name := r.message
	if name == "" {
		name = r.text
	}
	if strings.HasPrefix(err.text, "no such overload") {
		return "'" + err.text + "': call arguments did not match a supported operator, function or macro signature " +
			"for rule: " + name
	}
	return err.text + " evaluating rule: " + name
}

// crdLongestMessage is the maximum length of the result of a messageExpression in bytes.
const crdLongestMessage = 5 << 10

// detail is the message of a violated rule. If the messageExpression has no usable result, it is the constant
// message.
func (r *crdRule) detail(value, old any) string {
	if r.expression != nil {
		text, ok := r.expression(value, old).(string)
		text = strings.TrimSpace(text)
		if ok && text != "" && len(text) <= crdLongestMessage && !strings.Contains(text, "\n") {
			return text
		}
	}
	if r.text != "" {
		return "failed rule: " + r.text
	}
	return r.message
}

// crdVerdict is the result of a rule whose type is only known at run time: anything but true is false.
func crdVerdict(value any) crdResult[bool] {
	if err, ok := value.(*crdFailure); ok {
		return crdResult[bool]{err: err}
	}
	return crdResult[bool]{val: value == true}
}

// A crdRulesCheck is the generated function that checks the rules of a value and of everything inside. The old value is
// nil if there is none.
type crdRulesCheck func(v *crdValidation, value, old any)

// rulesOfObject checks the rules of the object.
func (v *crdValidation) rulesOfObject(check crdRulesCheck) {
	if !v.mayCheckRules() {
		return
	}
	var old any
	if v.old != nil {
		old = v.old
	}
	check(v, v.object, old)
}

// rulesOfField checks the rules of a field that was looked up in an object.
func (v *crdValidation) rulesOfField(name string, field, old any, check crdRulesCheck) {
	switch field.(type) {
	case nil, *crdFailure: // it is missing, or the value is not an object
		return
	}
	v.path.field(name)
	check(v, field, crdOldField(old, name))
	v.path.leave()
}

// rulesOfValues checks the rules of the values of a map, in the order of its keys.
func (v *crdValidation) rulesOfValues(value, old any, check crdRulesCheck) {
	object, _ := value.(map[string]any)
	for _, key := range crdSortedKeys(object) {
		if value := object[key]; value != nil {
			v.path.key(key)
			check(v, value, crdOldField(old, key))
			v.path.leave()
		}
	}
}

// rulesOfItems checks the rules of the items of a list. The keys are those of a list of type map.
func (v *crdValidation) rulesOfItems(value, old any, check crdRulesCheck, keys ...string) {
	items, _ := value.([]any)
	olds := crdOldItems(old, keys...)
	for i, item := range items {
		if item != nil {
			v.path.item(i)
			check(v, item, olds.get(item))
			v.path.leave()
		}
	}
}

// A crdMapList finds the old item with the keys of a new one, in a list of type map (apiserver,
// pkg/cel/common/maplist.go): the first one with these keys.
type crdMapList struct {
	keys []string
	// items are the old items that have not been indexed yet; found are the others by their keys.
	items []any
	found map[any]any
}

// crdOldItems are the items of an old value, by the keys of its list type.
func crdOldItems(old any, keys ...string) crdMapList {
	items, _ := old.([]any)
	return crdMapList{keys: keys, items: items}
}

// get returns the old item for a new one, nil if the item is new.
func (l *crdMapList) get(item any) any {
	if len(l.items) == 0 && len(l.found) == 0 {
		return nil
	}
	key, ok := crdItemKey(item, l.keys)
	if !ok {
		return nil
	}
	if old, ok := l.found[key]; ok {
		return old
	}
	for len(l.items) > 0 {
		old := l.items[0]
		l.items = l.items[1:]
		oldKey, ok := crdItemKey(old, l.keys)
		if !ok {
			continue
		}
		if _, ok := l.found[oldKey]; !ok {
			if l.found == nil {
				l.found = map[any]any{}
			}
			l.found[oldKey] = old
		}
		if oldKey == key {
			return old
		}
	}
	return nil
}

// crdOldField is the old value of a field or a key.
func crdOldField(old any, name string) any {
	fields, _ := old.(map[string]any)
	return fields[name]
}

// crdOptionalOld is oldSelf of a rule with optionalOldSelf.
func crdOptionalOld(old any, t *crdType) any {
	if old == nil {
		return crdOptional{}
	}
	return crdOptional{crdRead(old, t), true}
}

// crdMessageOld is oldSelf of a messageExpression.
func crdMessageOld(old any) any {
	if old == nil {
		return &crdFailure{"no such attribute(s): oldSelf"}
	}
	return old
}
