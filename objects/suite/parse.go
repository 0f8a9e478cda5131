package suite

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// unrendered is the help for a suite with placeholders of templates: crdproof test reads files, not standard input.
const unrendered = "replace the placeholder by a value"

// Parse reads a suite. The source's Data must be set. If a finding is an error, the suite cannot run; it is nil if
// nothing can be read.
func Parse(src *diag.Source) (*Suite, []diag.Diagnostic) {
	p := &parser{src: src}
	documents, found := read.Objects(src)
	read.Unrendered(found, unrendered)
	p.found = found
	for _, d := range documents {
		p.found = slices.Concat(p.found, d.Duplicates, d.Renamed)
	}
	const noSuite = "not a test suite: missing keys crdName and tests"
	const seeDocs = "see docs/testing.md for an example of a suite"
	switch {
	case diag.HasErrors(found):
	case len(documents) == 0:
		p.report(diag.Errorf(diag.At(src, 0, 0), badSyntax, noSuite).Help(seeDocs))
	case len(documents) > 1:
		p.report(diag.Errorf(documents[1].At, badSyntax, "expected one document in a suite, got %d", len(documents)).
			Help("move the document to a file of its own"))
	case !slices.ContainsFunc(documents[0].Root.Members,
		func(m schema.Member) bool { return slices.Contains([]string{keyTests, keyCRDName, keyCRD}, m.Key) }):
		p.report(diag.Errorf(documents[0].At, badSyntax, noSuite).Help(seeDocs))
	default:
		p.readSuite(documents[0].Root)
	}
	return p.suite, p.found
}

// A parser reads one suite.
type parser struct {
	src   *diag.Source
	suite *Suite
	found []diag.Diagnostic
}

func (p *parser) report(d diag.Diagnostic) { p.found = append(p.found, d) }

// fields reads the keys of a mapping, each with the function for its name, and reports unknown keys.
func (p *parser) fields(n *schema.Value, in place, set map[string]func(m *schema.Member)) {
	for i := range n.Members {
		m := &n.Members[i]
		if read, ok := set[m.Key]; ok {
			read(m)
		} else {
			p.report(unknownKey(m, in))
		}
	}
}

func (p *parser) readSuite(root *schema.Value) {
	name := strings.TrimSuffix(filepath.Base(p.src.Path), filepath.Ext(p.src.Path))
	s := &Suite{Source: p.src, Name: strings.TrimSuffix(name, ".testsuite")}
	p.suite = s
	p.fields(root, inSuite, map[string]func(*schema.Member){
		keyAPIVersion: func(m *schema.Member) { p.text(m) },
		keyName: func(m *schema.Member) {
			if t := p.text(m); t.V != "" {
				s.Name = t.V
			}
		},
		keyCRDName: func(m *schema.Member) { s.CRDName = p.text(m) },
		keyCRD:     func(m *schema.Member) { s.CRDFile = p.text(m) },
		keyVersion: func(m *schema.Member) { s.Version = p.text(m) },
		keyGate:    func(m *schema.Member) { s.Gates = append(s.Gates, p.text(m)) },
		keyGates: func(m *schema.Member) {
			for _, item := range p.list(m) {
				s.Gates = append(s.Gates, p.text(&schema.Member{Key: m.Key, KeyAt: m.KeyAt, Value: *item}))
			}
		},
		keyTests: func(m *schema.Member) { p.tests(m) },
	})
	if s.CRDName.V == "" && s.CRDFile.V == "" && !misspells(root, inSuite, keyCRDName) &&
		!misspells(root, inSuite, keyCRD) {
		p.report(diag.Errorf(root.Start(), badKey, "missing key %q in the suite", keyCRDName).
			Help("add crdName with the name of the CRD, such as crdName: widgets.example.com"))
	}
	if len(s.Cases) == 0 && !diag.HasErrors(p.found) {
		at := root.Start()
		if m := root.Member(keyTests); m != nil {
			at = m.KeyAt
		}
		p.report(diag.Warningf(at, badKey, "the suite has no cases").
			Help("add cases below tests.onCreate or tests.onUpdate"))
	}
}

func (p *parser) tests(m *schema.Member) {
	if m.Value.Kind == schema.Null {
		return // readSuite reports that there are no cases
	}
	if !p.isMapping(m, &m.Value) {
		return
	}
	var onCreate, onUpdate []*Case
	p.fields(&m.Value, inTests, map[string]func(*schema.Member){
		keyOnCreate: func(m *schema.Member) { onCreate = p.cases(m, inOnCreate) },
		keyOnUpdate: func(m *schema.Member) { onUpdate = p.cases(m, inOnUpdate) },
	})
	p.suite.Cases = slices.Concat(onCreate, onUpdate)
}

func (p *parser) cases(m *schema.Member, in place) (out []*Case) {
	first := map[string]*Case{}
	for _, item := range p.list(m) {
		if !p.isMapping(m, item) {
			continue
		}
		c := p.readCase(item, in)
		switch before, ok := first[c.Name.V]; {
		case c.Name.V == "" && misspells(item, in, keyName):
		case c.Name.V == "":
			p.report(missing(c.At, "the case", keyName))
		case ok:
			p.report(diag.Warningf(c.Name.At, sameName, "duplicate name %[2]q of a case of %[1]s", c.list(), c.Name.V).
				See(before.Name.At, "the first case"))
		default:
			first[c.Name.V] = c
		}
		out = append(out, c)
	}
	return out
}

func (p *parser) readCase(n *schema.Value, in place) *Case {
	c := &Case{At: n.At, OnUpdate: in == inOnUpdate, node: n}
	if len(n.Members) > 0 {
		c.At = n.Members[0].KeyAt
	}
	c.Name.At = c.At
	set := map[string]func(*schema.Member){
		keyName:          func(m *schema.Member) { c.Name = p.text(m) },
		keyInitial:       func(m *schema.Member) { c.Initial = p.object(m) },
		keyExpected:      func(m *schema.Member) { c.Expected = p.object(m) },
		keyExpectedError: func(m *schema.Member) { c.Error = p.field(m) },
	}
	if c.OnUpdate {
		set[keyUpdated] = func(m *schema.Member) { c.Updated = p.object(m) }
		set[keyStatusError] = func(m *schema.Member) { c.StatusError = p.field(m) }
		set[keyPatches] = func(m *schema.Member) { c.Patches = p.patches(m) }
	}
	before := len(p.found)
	p.fields(n, in, set)
	if diag.HasErrors(p.found[before:]) {
		return c
	}
	if c.Initial == nil {
		p.report(missing(c.Name.At, "the case", keyInitial))
	}
	if c.OnUpdate && c.Updated == nil {
		p.report(missing(c.Name.At, "the case of onUpdate", keyUpdated))
	}
	p.withoutEffect(c)
	return c
}

// withoutEffect warns of keys that other keys of the case make useless.
func (p *parser) withoutEffect(c *Case) {
	ignored := func(f *Field, key, reason string) {
		p.report(diag.Warningf(f.Key, badKey, "%s has no effect here: %s", key, reason).Help("remove it"))
	}
	switch {
	case c.StatusError != nil && c.Updated != nil && c.Updated.Fields["status"] == nil:
		p.report(diag.Warningf(c.StatusError.Key, badKey,
			"%s has no effect here: %s has no status", keyStatusError, keyUpdated).
			Help("add a status to %s, or write %s", keyUpdated, keyExpectedError))
	case c.StatusError != nil && c.Error != nil:
		ignored(c.StatusError, keyStatusError,
			"the status is not written, since the case expects the update to be rejected")
	}
	if c.Expected != nil && (c.Error != nil || c.StatusError != nil) {
		ignored(&c.Expected.Field, keyExpected, "the case expects an error, so no object is compared")
	}
}

func (p *parser) patches(m *schema.Member) (out []Patch) {
	for _, item := range p.list(m) {
		if !p.isMapping(m, item) {
			continue
		}
		patch := Patch{At: item.At}
		if len(item.Members) > 0 {
			patch.At = item.Members[0].KeyAt
		}
		p.fields(item, inPatch, map[string]func(*schema.Member){
			keyOp:    func(m *schema.Member) { patch.Op = p.text(m) },
			keyPath:  func(m *schema.Member) { patch.Path = p.text(m) },
			keyFrom:  func(m *schema.Member) { patch.From = p.text(m) },
			keyValue: func(*schema.Member) {},
		})
		needs := []string{keyOp, keyPath}
		var known []string
		for _, o := range operations() {
			known = append(known, o.name)
		}
		if i := slices.Index(known, patch.Op.V); i >= 0 {
			needs = append(needs, operations()[i].needs...)
		} else if patch.Op.At.IsValid() {
			p.report(diag.Errorf(patch.Op.At, badKey, "unknown operation %q", patch.Op.V).
				Note("the operations are %s", strings.Join(known, ", ")).Help("%s", diag.DidYouMean(patch.Op.V, known)))
		}
		for _, name := range needs {
			if item.Find(name) == nil && !misspells(item, inPatch, name) {
				p.report(missing(patch.At, "the patch", name))
			}
		}
		patch.JSON = kube.AppendJSON(nil, item.Canonical())
		out = append(out, patch)
	}
	return out
}

// text reads a string. Numbers and booleans are read as they are written, and null as "".
func (p *parser) text(m *schema.Member) schema.Text {
	n := m.Value
	switch n.Kind {
	case schema.String:
		return schema.Text{V: n.Text, At: n.At}
	case schema.NumberKind, schema.Bool:
		return schema.Text{V: n.At.Text(), At: n.At}
	case schema.Null:
		return schema.Text{At: m.KeyAt}
	}
	p.report(wrongType(m, "a string"))
	return schema.Text{At: n.At}
}

// field reads a string. It returns nil for an empty one.
func (p *parser) field(m *schema.Member) *Field {
	if t := p.text(m); t.V != "" {
		return &Field{Text: t, Key: m.KeyAt}
	}
	return nil
}

func (p *parser) list(m *schema.Member) (items []*schema.Value) {
	switch m.Value.Kind {
	case schema.Array:
		for i := range m.Value.Items {
			items = append(items, &m.Value.Items[i])
		}
	case schema.Null:
	default:
		p.report(wrongType(m, "a list"))
	}
	return items
}

func (p *parser) isMapping(m *schema.Member, n *schema.Value) bool {
	if n.Kind == schema.Object {
		return true
	}
	key, at := m.Key, m.KeyAt
	if n != &m.Value {
		key, at = "an item of "+key, n.At
	}
	p.report(wrongType(&schema.Member{Key: key, KeyAt: at, Value: *n}, "a mapping"))
	return false
}

// missing reports that a mapping lacks a required key.
func missing(at diag.Span, owner, key string) diag.Diagnostic {
	d := diag.Errorf(at, badKey, "missing key %q in %s", key, owner)
	if key == keyName {
		return d.Help("add a name that says what the case tests")
	}
	return d
}

// misspells reports whether a mapping has an unknown key, which is reported, in place of a known one.
func misspells(n *schema.Value, in place, key string) bool {
	known := keysOf(in)
	return slices.ContainsFunc(n.Members, func(m schema.Member) bool {
		return !slices.Contains(known, m.Key) && diag.Near(m.Key, known) == key
	})
}

func unknownKey(m *schema.Member, in place) diag.Diagnostic {
	known := keysOf(in)
	d := diag.Errorf(m.KeyAt, badKey, "unknown key %q in %s", m.Key, in).
		Note("the keys of %s are %s", in, strings.Join(known, ", "))
	switch near := diag.Near(m.Key, known); {
	case near != "":
		return d.Help("%s", diag.Meant(near))
	case in == inSuite && (m.Key == keyOnCreate || m.Key == keyOnUpdate):
		return d.Help("move it below tests")
	case in == inOnCreate && (m.Key == keyUpdated || m.Key == keyPatches || m.Key == keyStatusError):
		return d.Help("move it to a case of onUpdate")
	}
	return d
}

func wrongType(m *schema.Member, want string) diag.Diagnostic {
	kinds := [...]string{
		schema.Null: "null", schema.Bool: "a boolean", schema.NumberKind: "a number", schema.String: "a string",
		schema.Array: "a list", schema.Object: "a mapping",
	}
	at := m.KeyAt
	if m.Value.Kind != schema.Null && m.Value.Kind != schema.Object && m.Value.Kind != schema.Array {
		at = m.Value.At
	}
	return diag.Errorf(at, badSyntax, "expected %s for %s, got %s", want, m.Key, kinds[m.Value.Kind])
}
