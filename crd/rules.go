// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Rule describes a rule for the errors about it.
type Rule struct {
	// Type is the type of the values that have the rule: "object", "string", "" for int-or-string.
	Type string
	// Message is the error if the rule is violated. A rule without a message has its text.
	Text, Message string
	Reason        field.ErrorType
	// Path leads from the value to the field of the error; "" is the value itself.
	Path string
	// At is the position of the rule in the list of the schema.
	At int
	// Transition is set if the rule compares with the old value; ratcheting does not apply then.
	Transition bool
	// Expression evaluates the messageExpression for a value and the old one, to a string or anything else; nil without
	// one.
	Expression func(self, oldSelf any) any

	// check and message are the positions of the functions of the rule and its messageExpression in RuleSet, from 1, or
	// 0. fault is the error of a rule that does not compile. isOptional is set for optionalOldSelf.
	check, message int
	fault          string
	isOptional     bool
	// messageText is the messageExpression, if its cost is counted.
	messageText string
}

// broken reports that a rule is violated by the current value, or could not be evaluated (apiextensions-apiserver,
// pkg/apiserver/schema/cel/validation.go).
func (v *Validation) broken(result Result[bool], value, old any, rule *Rule) {
	isWarning := result.err == nil && v.leaves(rule)
	if isWarning && v.warnings.isFull() || !isWarning && !v.hasRoom() {
		return
	}
	path := v.path.fieldPath()
	if result.err != nil {
		err := field.Invalid(path, rule.Type, rule.failure(result.err))
		v.errs = append(v.errs, withOrigin(err, ruleOrigin(rule.At)))
		return
	}
	if rule.Path != "" {
		path = path.Child(rule.Path)
	}
	detail := rule.detail(value, old)
	if rule.Type == "object" || rule.Type == "array" {
		value = field.OmitValueType{}
	}
	value = shown(value)
	var err *field.Error
	switch rule.Reason {
	case field.ErrorTypeForbidden:
		err = field.Forbidden(path, detail)
	case field.ErrorTypeRequired:
		err = field.Required(path, detail)
	case field.ErrorTypeDuplicate:
		err = field.Duplicate(path, value)
	default:
		err = field.Invalid(path, value, detail)
	}
	v.violated(rule, err, isWarning)
}

// violated adds the error of a violated rule, or a warning.
func (v *Validation) violated(rule *Rule, err *field.Error, isWarning bool) {
	if isWarning {
		v.opts.place(err)
		v.warnings.add(err.Error())
		return
	}
	v.errs = append(v.errs, withOrigin(err, ruleOrigin(rule.At)))
}

// leaves reports whether an update may leave a violation of a rule.
func (v *Validation) leaves(rule *Rule) bool {
	return !rule.Transition && v.old != nil && !v.isFresh && v.ratchets()
}

// reasonType is the type of the error of a rule with a reason of a CRD.
func reasonType(reason string) field.ErrorType {
	switch reason {
	case "FieldValueForbidden":
		return field.ErrorTypeForbidden
	case "FieldValueRequired":
		return field.ErrorTypeRequired
	case "FieldValueDuplicate":
		return field.ErrorTypeDuplicate
	}
	return field.ErrorTypeInvalid
}

// failure says why a rule could not be evaluated.
func (r *Rule) failure(err *Failure) string {
	name := r.name()
	if strings.HasPrefix(err.text, "no such overload") {
		return "'" + err.text + "': call arguments did not match a supported operator, function or macro signature " +
			"for rule: " + name
	}
	return err.text + " evaluating rule: " + name
}

// name is what errors call a rule that was not evaluated.
func (r *Rule) name() string {
	if r.Message != "" {
		return r.Message
	}
	return r.Text
}

// longestMessage is the maximum length of the result of a messageExpression in bytes.
const longestMessage = 5 << 10

// detail is the message of a violated rule. If the messageExpression has no usable result, it is the constant
// message.
func (r *Rule) detail(value, old any) string {
	if r.Expression != nil {
		text, ok := r.Expression(value, old).(string)
		text = strings.TrimSpace(text)
		if ok && text != "" && len(text) <= longestMessage && !strings.Contains(text, "\n") {
			return text
		}
	}
	if r.Text != "" {
		return "failed rule: " + r.Text
	}
	return r.Message
}

// Verdict is the result of a rule whose type is only known at run time: anything but true is false.
func Verdict(value any) Result[bool] {
	if err, ok := value.(*Failure); ok {
		return Result[bool]{err: err}
	}
	return Result[bool]{val: value == true}
}

// An oldItemList finds the old item with the keys of a new one, in a list of type map (apiserver,
// pkg/cel/common/maplist.go): the first one with these keys.
type oldItemList struct {
	keys []string
	// items are the old items that have not been indexed yet; found are the others by their keys.
	items []any
	found map[any]any
}

// oldItems are the items of an old value, by the keys of its list type.
func oldItems(old any, keys ...string) oldItemList {
	items, _ := old.([]any)
	return oldItemList{keys: keys, items: items}
}

// get returns the old item for a new one, nil if the item is new.
func (l *oldItemList) get(item any) any {
	if len(l.items) == 0 && len(l.found) == 0 {
		return nil
	}
	key, ok := itemKey(item, l.keys)
	if !ok {
		return nil
	}
	if old, ok := l.found[key]; ok {
		return old
	}
	for len(l.items) > 0 {
		old := l.items[0]
		l.items = l.items[1:]
		oldKey, ok := itemKey(old, l.keys)
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

// oldField is the old value of a field or a key.
func oldField(old any, name string) any {
	value, _, _ := fieldOf(old, name)
	return value
}

// OptionalOld is oldSelf of a rule with optionalOldSelf.
func OptionalOld(old any, t *Type) any {
	if old == nil {
		return Optional{}
	}
	return Optional{readJSON(old, t), true}
}

// MessageOld is oldSelf of a messageExpression.
func MessageOld(old any) any {
	if old == nil {
		return &Failure{"no such attribute(s): oldSelf"}
	}
	return old
}
