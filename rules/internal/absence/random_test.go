package absence

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

var (
	randomRounds  = flag.Int("rounds", 100, "number of random schemas whose rules are looked at")
	randomObjects = flag.Int("objects", 200, "number of random objects for each of them")
	randomSeed    = flag.Uint64("seed", 1, "the first of their seeds")
)

// A judge is the API server's own code for objects of one schema.
type judge struct {
	s     *structural.Structural
	props validation.SchemaValidator
	cel   *apicel.Validator
	// old judges objects that were stored before the rules on updates were written.
	old *apicel.Validator
}

func newJudge(t testing.TB, props *apiext.JSONSchemaProps, isRoot bool) *judge {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil); err != nil {
		t.Fatal(err)
	}
	v, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	s := structuralOf(t, props)
	return &judge{s, v, apicel.NewValidator(s, isRoot, 10_000_000),
		apicel.NewValidator(withoutOldSelf(structuralOf(t, props)), isRoot, 10_000_000)}
}

func withoutOldSelf(s *structural.Structural) *structural.Structural {
	s.XValidations = slices.DeleteFunc(slices.Clone(s.XValidations),
		func(r apiext.ValidationRule) bool { return strings.Contains(r.Rule, "oldSelf") })
	for name, child := range s.Properties {
		s.Properties[name] = *withoutOldSelf(&child)
	}
	if s.Items != nil {
		withoutOldSelf(s.Items)
	}
	if a := s.AdditionalProperties; a != nil && a.Structural != nil {
		withoutOldSelf(a.Structural)
	}
	return s
}

// verdict lists the errors of an object, as messages; ok is false if the schema rejects it.
func (j *judge) verdict(object, old map[string]any) (errs []string, ok bool) {
	object = j.prepared(object)
	if list := validation.ValidateCustomResource(nil, object, j.props); len(list) > 0 {
		return []string{list.ToAggregate().Error()}, false
	}
	var before any
	if old != nil {
		old = j.prepared(old)
		if list := validation.ValidateCustomResource(nil, old, j.props); len(list) > 0 {
			return []string{"old: " + list.ToAggregate().Error()}, false
		}
		if list, _ := j.old.Validate(context.Background(), nil, j.s, old, nil, 1e9); len(list) > 0 {
			return []string{"old: " + list.ToAggregate().Error()}, false
		}
		before = old
	}
	list, _ := j.cel.Validate(context.Background(), nil, j.s, object, before, 1e9)
	for _, e := range list {
		errs = append(errs, e.Detail)
	}
	return errs, true
}

func (j *judge) prepared(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, j.s)
	defaulting.Default(object, j.s)
	return object
}

// absences returns the errors of a rule, by its plain message, if the only reason to reject the object is that rules
// read absent values, or if the rule reports its plain message instead of its messageExpression; none otherwise.
func absences(errs []string, rule string, message bool) (out []string) {
	for _, e := range errs {
		isAbsence := strings.HasPrefix(e, "no such key") || strings.HasPrefix(e, "index out of bounds") ||
			strings.HasPrefix(e, "optional.none() dereference")
		switch {
		case message && e == rule, !message && isAbsence && strings.HasSuffix(e, " evaluating rule: "+rule):
			out = append(out, e)
		case !isAbsence:
			return nil
		}
	}
	return out
}

// isReportedBy reports whether an error is about a read.
func (r *Read) isReportedBy(err string) bool {
	switch err, _, _ = strings.Cut(err, " evaluating rule: "); {
	case strings.HasPrefix(err, "index out of bounds"):
		return r.Kind == symbolic.Item
	case strings.HasPrefix(err, "optional.none() dereference"):
		return r.Kind == symbolic.Value
	case strings.HasPrefix(err, "no such key: "):
		key := strings.TrimPrefix(err, "no such key: ")
		return r.Kind == symbolic.Field && strings.HasSuffix(r.Text, "."+key) || r.Kind == symbolic.Key
	}
	return true
}

// A trial is one random schema with its rules.
type trial struct {
	*testing.T
	seed  uint64
	g     *generator
	props *apiext.JSONSchemaProps
	s     *structural.Structural
	rules []apiext.ValidationRule
	judge *judge
	eval  *symbolic.Evaluation
	// findings are those of the rules, followed by those of their messages.
	findings             []Finding
	reads, wrong, missed int
	// suggested counts suggested rules, decided the objects that only they decide.
	suggested, decided int
}

func newTrial(t *testing.T, seed uint64, pairs bool) *trial {
	t.Helper()
	out := &trial{T: t, seed: seed, g: &generator{Rand: rand.New(rand.NewPCG(seed, 7)), pairs: pairs}}
	out.props = out.g.schema(t)
	out.s = structuralOf(t, out.props)
	compiled, rules := compiledRules(t, out.s, false, &schema.Place{})
	out.rules, out.judge = rules, newJudge(t, out.props, false)
	out.eval = symbolic.Evaluate(t.Context(), out.s, compiled)
	out.eval.Complete()
	for i := range 2 * len(rules) {
		rule, message := i%len(rules), i >= len(rules)
		f, ok := findingOf(out.eval, compiled, rule, message)
		if ok && !message {
			f.Never = out.eval.RejectsAll(rule)
			(&guarding{out.eval, rule, &f, symbolic.Of(t.Context(), out.s, without(compiled, rule))}).complete()
		}
		out.findings = append(out.findings, f)
		out.reads += len(f.Reads)
	}
	return out
}

// examples makes the object that should fail for each read, and validates it with the API server's code.
func (t *trial) examples() {
	for i, f := range t.findings {
		for _, r := range f.Reads {
			object, old := t.eval.Example(r.Failure)
			errs, ok := t.judge.verdict(object, old)
			if !ok || !slices.ContainsFunc(absences(errs, t.rules[i%len(t.rules)].Message, f.Message), r.isReportedBy) {
				t.wrong++
				t.note("%s in %s %t: not so with %s, before %s: %v", r.Text, t.rules[i%len(t.rules)].Message, f.Message,
					jsonOf(object), jsonOf(old), errs)
			}
		}
	}
}

// objects makes random objects. The analysis must have predicted what the API server's code reports for them.
func (t *trial) objects(n int) {
	for range n {
		if t.eval.Undecided != nil {
			return
		}
		object := t.g.object(t.s).(map[string]any)
		var old map[string]any
		if t.g.oldSelf && t.g.IntN(3) > 0 {
			old = t.g.object(t.s).(map[string]any)
		}
		errs, ok := t.judge.verdict(object, old)
		if !ok {
			continue
		}
		for i, f := range t.findings {
			if f.Never && len(errs) == 0 && old == nil && f.Rule.Place.Above == nil {
				t.reportf("%s passes %s", jsonOf(object), t.rules[i].Message)
			}
			r := t.rules[i%len(t.rules)]
			if f.Message && r.MessageExpression == "" {
				continue
			}
			if len(f.Reads) > 0 || len(absences(errs, r.Message, f.Message)) == 0 {
				continue
			}
			t.missed++
			t.reportf("not foreseen: %v with %s, before %s", errs, jsonOf(object), jsonOf(old))
			return
		}
	}
}

// fixes makes sure that each suggested rule compiles, does not read absent values, and has the declared result for random
// objects: that of the rule, or else the opposite wherever the rule reads an absent value.
func (t *trial) fixes(n int) {
	for i, f := range t.findings[:len(t.rules)] {
		for _, text := range []string{f.Fix, f.Lenient} {
			if text != "" {
				t.suggested++
				t.fix(i, text, text == f.Lenient, n)
			}
		}
	}
}

func (t *trial) fix(i int, text string, lenient bool, n int) {
	props, message := t.props.DeepCopy(), t.rules[i].Message
	rewrite(props, message, text)
	s := structuralOf(t, props)
	compiled, _, err := tryCompiledRules(s, false, &schema.Place{})
	if err != nil {
		t.Errorf("seed %d: the fix %s: %v", t.seed, text, err)
		return
	}
	if left, ok := findingOf(symbolic.Evaluate(t.Context(), s, compiled), compiled, i, false); ok {
		t.reportf("the fix %s reads %s", text, left.Reads[0].Text)
	}
	changed := newJudge(t, props, false)
	for range n {
		object := t.g.object(t.s).(map[string]any)
		var old map[string]any
		if t.g.oldSelf && t.g.IntN(3) > 0 {
			old = t.g.object(t.s).(map[string]any)
		}
		before, ok := t.judge.verdict(object, old)
		if !ok {
			continue
		}
		after, ok := changed.verdict(object, old)
		if !ok {
			continue // the old object is another one's
		}
		isAbsent := func(e string) bool { return strings.HasSuffix(e, " evaluating rule: "+message) }
		others := slices.DeleteFunc(slices.Clone(before), isAbsent)
		accepts := len(before) == 0 || lenient && len(others) == 0
		if accepts != (len(after) == 0) {
			t.reportf("the fix %s of %s: %s, before %s: %v is %v", text, message, jsonOf(object), jsonOf(old), before,
				after)
			return
		}
		if len(before) > 0 && len(others) == 0 {
			t.decided++
		}
	}
}

func (t *trial) note(format string, args ...any) {
	t.Helper()
	t.Logf("seed %d: %s\n%s", t.seed, fmt.Sprintf(format, args...), describe(t.props))
}

func (t *trial) reportf(format string, args ...any) {
	t.Helper()
	t.Errorf("seed %d: %s\n%s", t.seed, fmt.Sprintf(format, args...), describe(t.props))
}

// rewrite replaces the rule with a message.
func rewrite(p *apiext.JSONSchemaProps, message, rule string) {
	for i := range p.XValidations {
		if p.XValidations[i].Message == message {
			p.XValidations[i].Rule = rule
		}
	}
	for name, child := range p.Properties {
		rewrite(&child, message, rule)
		p.Properties[name] = child
	}
	if p.Items != nil {
		rewrite(p.Items.Schema, message, rule)
	}
}

// TestRandomRules compares the analysis with the API server's own code, on random schemas with random rules. If one
// rule fails for an object because it reads an absent value, and all other rules are satisfied, the read must be
// reported. The example of each reported read must be such an object. Suggested rules must compile, must not read absent
// values, and must treat all objects as they say.
func TestRandomRules(t *testing.T) {
	var rules, reads, wrong, missed, full, suggested, decided int
	for i := range *randomRounds {
		trial := newTrial(t, *randomSeed+uint64(i), false)
		trial.examples()
		trial.objects(*randomObjects)
		trial.fixes(*randomObjects)
		rules, reads, wrong, missed = rules+len(trial.rules), reads+trial.reads, wrong+trial.wrong, missed+trial.missed
		suggested, decided = suggested+trial.suggested, decided+trial.decided
		if trial.eval.Undecided != nil {
			full++
		}
	}
	t.Logf("%d rules, %d reads reported, %d falsely, %d rules missed, gave up on %d schemas", rules, reads, wrong,
		missed, full)
	t.Logf("%d suggested rules, %d objects with values that only they decide", suggested, decided)
	if suggested < rules/4 || decided < suggested {
		t.Errorf("too few rules are suggested, or too few objects show what they do")
	}
	if reads < rules/2 {
		t.Errorf("the random rules read too little that is absent")
	}
	// The builder of examples does not find all of them: it does not fully understand exists_one.
	if wrong > reads/1000 || full > *randomRounds/100 {
		t.Errorf("too many are reported falsely, or not at all")
	}
}

// TestRandomPairs does the same with nested macros over the same list. The analysis does not understand conditions on
// pairs of items: it may report too many reads, but must not miss one.
func TestRandomPairs(t *testing.T) {
	for i := range *randomRounds / 3 {
		newTrial(t, *randomSeed+uint64(i), true).objects(*randomObjects)
	}
}

func jsonOf(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

// describe writes a schema in short.
func describe(p *apiext.JSONSchemaProps) string {
	var out strings.Builder
	describeSchema(&out, p, "")
	return out.String()
}

func describeSchema(out *strings.Builder, p *apiext.JSONSchemaProps, indent string) {
	out.WriteString(p.Type)
	if len(p.Enum) > 0 {
		out.WriteString(" enum")
	}
	if p.Nullable {
		out.WriteString(" nullable")
	}
	if p.Default != nil {
		out.WriteString(" default")
	}
	for kind, nested := range map[string][]apiext.JSONSchemaProps{"oneOf": p.OneOf, "anyOf": p.AnyOf} {
		for _, n := range nested {
			fmt.Fprint(out, " ", kind, n.Required)
		}
	}
	out.WriteString("\n")
	for _, r := range p.XValidations {
		fmt.Fprintf(out, "%s| %s  %s  message %q, optionalOldSelf %t\n", indent, r.Message, r.Rule, r.MessageExpression,
			r.OptionalOldSelf != nil)
	}
	for _, name := range sortedKeys(p.Properties) {
		child := p.Properties[name]
		fmt.Fprintf(out, "%s%s", indent, name)
		if slices.Contains(p.Required, name) {
			out.WriteString("*")
		}
		out.WriteString(": ")
		describeSchema(out, &child, indent+"  ")
	}
	if p.Items != nil {
		out.WriteString(indent + "[]")
		describeSchema(out, p.Items.Schema, indent+"  ")
	}
	if p.AdditionalProperties != nil {
		out.WriteString(indent + "{}")
		describeSchema(out, p.AdditionalProperties.Schema, indent+"  ")
	}
}
