// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file spends the cost of rules as an API server does (apiextensions-apiserver, pkg/apiserver/schema/cel,
// validation.go).

// The budgets in units of cost: of one evaluation of an expression, and of all of them for an object (apiserver,
// pkg/apis/cel/config.go).
const (
	callBudget   = 1_000_000
	objectBudget = 10_000_000
)

// A Counter counts what the rules of a kind cost for an object that is large enough to exceed a budget.
type Counter interface {
	// cost returns what the rule at a position of RuleSet.Checks costs, or with isMessage the one of RuleSet.Messages.
	// The evaluation ends as soon as it costs more than most.
	cost(position int, isMessage bool, value, old any, most uint64) uint64
}

// A budget is what is left for the rules of an object.
type budget struct {
	counter Counter
	left    uint64
	// isSpent is set if no more rules are evaluated.
	isSpent bool
}

// newBudget returns the budget of a validation, nil if the object is too small to exceed it.
func (r *Resource) newBudget(v *Validation) *budget {
	if r.Counter == nil || v.inParts {
		return nil
	}
	left := r.Uncounted
	if weigh(v.object, &left); left >= 0 && v.old != nil {
		weigh(v.old, &left)
	}
	if left >= 0 {
		return nil
	}
	return &budget{counter: r.Counter, left: objectBudget}
}

// weigh takes from a number that of the values in lists and objects, and of the bytes of texts. It ends when the number
// is negative.
func weigh(value any, left *int) {
	switch x := value.(type) {
	case string:
		*left -= len(x)
	case []any:
		*left -= len(x)
		for _, item := range x {
			if *left < 0 {
				return
			}
			weigh(item, left)
		}
	case map[string]any:
		*left -= len(x)
		for name, field := range x {
			if *left < 0 {
				return
			}
			*left -= len(name)
			weigh(field, left)
		}
	}
}

// isLight reports whether an object is too small to exceed a budget.
func (k *Kind[T]) isLight(obj *T) bool {
	if k.JSON.Counter == nil || obj == nil {
		return true
	}
	left := k.JSON.Uncounted / 2 // with an old object
	weighGo(reflect.ValueOf(obj), &left)
	return left >= 0
}

// weighGo is weigh for the JSON of a Go value. Each field of a struct is one value, since it may have a default.
func weighGo(v reflect.Value, left *int) {
	if *left < 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		*left -= v.Len()
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			weighGo(v.Elem(), left)
		}
	case reflect.Struct:
		*left -= v.NumField()
		for i := range v.NumField() {
			weighGo(v.Field(i), left)
		}
	case reflect.Slice, reflect.Array:
		*left -= v.Len()
		if kind := v.Type().Elem().Kind(); kind == reflect.Uint8 {
			*left -= v.Len() // base64 is longer
			return
		}
		for i := 0; i < v.Len() && *left >= 0; i++ {
			weighGo(v.Index(i), left)
		}
	case reflect.Map:
		*left -= v.Len()
		for entries := v.MapRange(); *left >= 0 && entries.Next(); {
			weighGo(entries.Key(), left)
			weighGo(entries.Value(), left)
		}
	}
}

// mayEvaluate reports whether the rules of a value are evaluated. If nothing is left, the first of them has an error.
func (v *Validation) mayEvaluate(t *Type) bool {
	b := v.budget
	switch {
	case b == nil || len(t.rules) == 0:
		return true
	case b.left == 0 && !b.isSpent:
		v.spent(&t.rules[0], ranOut)
	}
	return !b.isSpent
}

// ranOut is the text of an error of a rule for which not enough is left.
const ranOut = "validation failed due to running out of cost budget, no further validation rules will be run"

// spent reports that no more rules are evaluated.
func (v *Validation) spent(rule *Rule, text string) {
	v.budget.isSpent = true
	if v.hasRoom() {
		err := field.Invalid(v.path.fieldPath(), rule.Type, text)
		v.errs = append(v.errs, withOrigin(err, ruleOrigin(rule.At)))
	}
}

// affords spends the cost of a rule, and reports whether it is within the budgets.
func (v *Validation) affords(rule *Rule, value, old any) bool {
	b := v.budget
	if b == nil {
		return true
	}
	if rule.isOptional {
		old = Optional{old, old != nil}
	}
	cost := b.counter.cost(rule.check, false, value, old, callBudget)
	if cost > b.left {
		v.spent(rule, ranOut)
		return false
	}
	b.left -= cost
	if cost > callBudget {
		v.spent(rule, "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due "+
			"to call cost exceeds limit for rule: "+rule.name())
	}
	return !b.isSpent
}

// affordsMessage does the same for the messageExpression of a violated rule. Its errors are at the field of the rule,
// and may be warnings.
func (v *Validation) affordsMessage(rule *Rule, value, old any) bool {
	b := v.budget
	if b == nil || rule.message == 0 {
		return true
	}
	cost := b.counter.cost(rule.message, true, value, old, callBudget)
	text := ""
	switch {
	case cost > b.left:
		text = "messageExpression evaluation failed due to running out of cost budget, no further validation rules " +
			"will be run"
	case cost > callBudget:
		const format = "no further validation rules will be run due to call cost exceeds limit for " +
			"messageExpression: %q"
		text = fmt.Sprintf(format, rule.messageText)
	default:
		b.left -= cost
		return true
	}
	b.isSpent = true
	if v.hasRoom() {
		path := v.path.fieldPath()
		if rule.Path != "" {
			path = path.Child(rule.Path)
		}
		v.violated(rule, field.Invalid(path, rule.Type, text), v.leaves(rule))
	}
	return false
}
