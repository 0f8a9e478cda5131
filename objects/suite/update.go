package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/objects/write"
)

// An expectation is what a case should expect.
type expectation struct {
	// failure and statusFailure are the values of expectedError and expectedStatusError, "" for none.
	failure, statusFailure string
	// object is the expected object, nil for the object that is sent.
	object map[string]any
}

// Update returns the files of the suites with failed cases, changed so that the cases expect what the API server did.
// It marks the outcomes of these cases as updated. Cases that failed before the write under test are unchanged, and so
// are those that cannot be written, each of which has a finding.
func (r *Report) Update() (files []emit.File, found []diag.Diagnostic) {
	wanted := map[*Case]expectation{}
	var suites []*Suite
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		want, ok := o.expectation()
		if o.Passed() || !ok {
			continue
		}
		if !slices.Contains(suites, o.Suite) {
			suites = append(suites, o.Suite)
		}
		if _, ok := wanted[o.Case]; !ok {
			wanted[o.Case] = want
		}
	}
	found = r.contradictions(wanted)
	for _, s := range suites {
		data, problems := s.rewrite(wanted)
		found = append(found, problems...)
		if data != nil {
			files = append(files, emit.File{Path: s.Source.Path, Data: data})
		}
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		_, isWritten := wanted[o.Case]
		if _, ok := o.expectation(); ok && isWritten && !o.Passed() {
			o.Failures, o.Updated = nil, true
		}
	}
	r.updated = len(files)
	return files, diag.Sort(found)
}

// contradictions reports cases that need different expectations for different files of a CRD, and removes them from
// wanted.
func (r *Report) contradictions(wanted map[*Case]expectation) (found []diag.Diagnostic) {
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		want, isWanted := wanted[o.Case]
		own, ok := o.expectation()
		if isWanted && (o.Passed() || ok && !reflect.DeepEqual(own, want)) {
			found = append(found, diag.Errorf(o.Case.Name.At, notUpdated,
				"the case needs different expectations for different files of the CRD %s", o.target.crd.Object.Name).
				Help("write a suite for each file, and select the file with featureGates"))
			delete(wanted, o.Case)
		}
	}
	return found
}

// expectation returns what the case must expect to pass. It returns false if the case fails whatever it expects.
func (o *Outcome) expectation() (expectation, bool) {
	s := &o.seen
	switch {
	case !s.main.done:
		return expectation{}, false
	case s.main.answer.Rejection != nil:
		return expectation{failure: textOf(o.Case.Error, s.main.answer)}, true
	case s.status.answer.Rejection != nil:
		return expectation{statusFailure: textOf(o.Case.StatusError, s.status.answer)}, true
	}
	out := expectation{object: essential(s.got)}
	if o.Case.Expected == nil && reflect.DeepEqual(out.object, essential(o.Case.sent().Fields)) {
		out.object = nil
	}
	return out, true
}

// textOf returns the expected error for a rejection: the text in the suite if it matches, or else the causes. It
// leaves out the cause that some rules were not checked.
func textOf(expected *Field, answer write.Answer) string {
	if expected != nil && matches(answer, expected.V) {
		return expected.V
	}
	if causes := slices.DeleteFunc(slices.Clone(answer.Errors), write.IsUnchecked); len(causes) > 0 {
		answer.Errors = causes
	}
	causes := sentences(answer)
	if len(causes) == 1 {
		return causes[0]
	}
	return "[" + strings.Join(causes, ", ") + "]"
}

// rewrite returns the text of the suite with what its cases should expect, nil if nothing changes. It reports cases
// that cannot be written, and removes them from wanted.
func (s *Suite) rewrite(wanted map[*Case]expectation) (data []byte, found []diag.Diagnostic) {
	cases := slices.DeleteFunc(slices.Clone(s.Cases), func(c *Case) bool { _, ok := wanted[c]; return !ok })
	data, problem := s.edited(wanted)
	if problem == nil {
		return data, nil
	}
	for _, c := range cases {
		if _, problem := s.edited(map[*Case]expectation{c: wanted[c]}); problem != nil {
			found = append(found, *problem)
			delete(wanted, c)
		}
	}
	if data, problem = s.edited(wanted); problem != nil { // each of them alone can be written
		found = append(found, *problem)
		for _, c := range cases {
			delete(wanted, c)
		}
	}
	return data, found
}

// edited returns the text of the suite with the wanted expectations, nil if there are none. It returns a finding if
// the edited text would not have exactly these.
func (s *Suite) edited(wanted map[*Case]expectation) ([]byte, *diag.Diagnostic) {
	e := newEditor(s.Source)
	var first *Case
	for _, c := range s.Cases {
		if want, ok := wanted[c]; ok {
			e.expect(c, want)
			first = cmp.Or(first, c)
		}
	}
	if first == nil {
		return nil, nil
	}
	data := e.text()
	again, found := Parse(&diag.Source{Path: s.Source.Path, Data: data})
	if again == nil || diag.HasErrors(found) || len(again.Cases) != len(s.Cases) {
		return nil, new(cannotUpdate(first))
	}
	for i, c := range s.Cases {
		want, ok := wanted[c]
		if !ok {
			want = c.says()
		}
		if !c.sameTest(again.Cases[i]) || !reflect.DeepEqual(want, again.Cases[i].says()) {
			d := cannotUpdate(c)
			if !ok {
				d.Message = fmt.Sprintf("the update of another case would change the case %q", c.Name.V)
			}
			return nil, &d
		}
	}
	return data, nil
}

func cannotUpdate(c *Case) diag.Diagnostic {
	const text = "cannot update what the case %q expects without changing something else"
	return diag.Errorf(c.Name.At, notUpdated, text, c.Name.V).
		Help("replace its YAML anchors, aliases and merge keys (&name, *name, <<) with the text they refer to")
}

// says returns what the case expects in the file.
func (c *Case) says() (out expectation) {
	if c.Error != nil {
		out.failure = c.Error.V
	}
	if c.StatusError != nil {
		out.statusFailure = c.StatusError.V
	}
	if c.Expected != nil && len(essential(c.Expected.Fields)) > 0 {
		out.object = essential(c.Expected.Fields)
	}
	return out
}

// sameTest reports whether two cases do the same.
func (c *Case) sameTest(d *Case) bool {
	same := c.Name.V == d.Name.V && c.OnUpdate == d.OnUpdate && bytes.Equal(c.Initial.JSON, d.Initial.JSON) &&
		len(c.Patches) == len(d.Patches)
	if same && c.OnUpdate {
		same = bytes.Equal(c.Updated.JSON, d.Updated.JSON)
	}
	return same && slices.EqualFunc(c.Patches, d.Patches, func(p, q Patch) bool { return bytes.Equal(p.JSON, q.JSON) })
}
