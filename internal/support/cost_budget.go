package support

import (
	"fmt"
	"reflect"
	"time"
	"unicode/utf8"

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

// A budget is what is left for the rules of an object.
type budget struct {
	costs interface {
		// cost returns what the rule at a position of RuleSet.Checks costs, or with isMessage the one of
		// RuleSet.Messages. The evaluation ends as soon as it costs more than most.
		cost(position int, isMessage bool, value, old any, most uint64) uint64
	}
	left uint64
	// hasEnded is set if no more rules are evaluated.
	hasEnded bool
}

// budget returns what may be spent for an object, nil if it is too small to exceed that.
func (c *Costs) budget(v *Validation, most int) spender {
	left := most
	if weigh(v.object, &left); left >= 0 && v.old != nil {
		weigh(v.old, &left)
	}
	if left >= 0 {
		return nil
	}
	return &budget{costs: c, left: objectBudget}
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

// isLight reports whether Go values are too small to exceed a budget.
func (c *Costs) isLight(most int, values ...any) bool {
	for _, x := range values {
		weighGo(reflect.ValueOf(x), &most)
	}
	return most >= 0
}

// What the parts of a Go value weigh at most in JSON.
const (
	// weightOfByte is that of a byte that is not UTF-8, which becomes U+FFFD; a byte of base64 is shorter.
	weightOfByte = 3
	// weightOfNumber is that of one in a type with an encoding of its own, such as a duration.
	weightOfNumber = 32
	// weightOfTime is that of a time in RFC 3339 with nanoseconds.
	weightOfTime = 40
)

// weighGo is weigh for the JSON of a Go value, or more. Each field of a struct is one value, since it may have a
// default.
func weighGo(v reflect.Value, left *int) {
	if *left < 0 {
		return
	}
	if v.IsValid() && v.Type() == reflect.TypeFor[time.Time]() {
		*left -= weightOfTime
		return
	}
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); utf8.ValidString(text) {
			*left -= len(text)
		} else {
			*left -= weightOfByte * len(text)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		*left -= weightOfNumber
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
			*left -= weightOfByte * v.Len()
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

func (b *budget) isSpent() bool { return b.hasEnded }

func (b *budget) mayEvaluate(v *Validation, t *Type) bool {
	if b.left == 0 && !b.hasEnded && len(t.rules) > 0 {
		b.end(v, &t.rules[0], ranOut)
	}
	return !b.hasEnded
}

// ranOut is the text of an error of a rule for which not enough is left.
const ranOut = "validation failed due to running out of cost budget, no further validation rules will be run"

// end reports that no more rules are evaluated.
func (b *budget) end(v *Validation, rule *Rule, text string) {
	b.hasEnded = true
	if v.hasRoom() {
		v.violated(rule, field.Invalid(v.path.fieldPath(), rule.Type, text), false)
	}
}

func (b *budget) affords(v *Validation, rule *Rule, value, old any) bool {
	if rule.isOptional {
		old = Optional{old, old != nil}
	}
	cost := b.costs.cost(rule.check, false, value, old, callBudget)
	if cost > b.left {
		b.end(v, rule, ranOut)
		return false
	}
	b.left -= cost
	if cost > callBudget {
		b.end(v, rule, "'operation cancelled: actual cost limit exceeded': no further validation rules will be run "+
			"due to call cost exceeds limit for rule: "+rule.name())
	}
	return !b.hasEnded
}

// affordsMessage has errors at the field of the rule, which may be warnings.
func (b *budget) affordsMessage(v *Validation, rule *Rule, value, old any) bool {
	if rule.message == 0 {
		return true
	}
	cost := b.costs.cost(rule.message, true, value, old, callBudget)
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
	b.hasEnded = true
	if v.hasRoom() {
		path := v.path.fieldPath()
		if rule.Path != "" {
			path = path.Child(rule.Path)
		}
		v.violated(rule, field.Invalid(path, rule.Type, text), v.leaves(rule))
	}
	return false
}
