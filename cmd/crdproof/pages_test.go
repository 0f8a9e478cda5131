package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/pages"
	"github.com/crdproof/crdproof/markers"
)

// TestPages looks up all that findings and comments may name.
func TestPages(t *testing.T) {
	all := pages.All()
	expect := func(kind pages.Kind, word, name string) {
		t.Helper()
		i := slices.IndexFunc(all.Find(word), func(p pages.Page) bool { return p.Kind == kind && p.Name == name })
		if i < 0 {
			t.Errorf("%s: no page of %s", word, name)
		}
	}
	for _, c := range catalog.Checks() {
		expect(pages.Check, "["+c.ID+"]", c.ID)
		for _, p := range all.Find(c.ID) {
			if p.Kind == pages.Check && p.Severity != effectOf(c) {
				t.Errorf("%s: the page says %q", c.ID, p.Severity)
			}
		}
	}
	for _, def := range markers.Known().Definitions() {
		name := def.Name
		if def.ItemsOf != "" {
			name = def.ItemsOf
		}
		expect(pages.Marker, "// +"+def.Name+"=1", name)
		expect(pages.Marker, name[strings.LastIndexByte(name, ':')+1:], name)
	}
	for _, p := range all {
		if text := p.Text(80, strings.ToUpper); !strings.HasPrefix(text, strings.ToUpper(p.Name[:3])) &&
			!strings.HasPrefix(text, "+"+strings.ToUpper(p.Name)) || strings.Count(text, "\n") < 3 {
			t.Errorf("the page of %s is %q", p.Name, text)
		}
		if p.Summary == "" {
			t.Errorf("%s has no summary", p.Name)
		}
	}
}

// TestPageNames makes sure that no page is hidden by a command or a topic. The help of a generator has the page of its
// check.
func TestPageNames(t *testing.T) {
	taken := commandNames()
	for _, topic := range topics() {
		taken = append(taken, topic.name)
	}
	for _, p := range pages.All() {
		if slices.Contains(taken, p.Name) {
			t.Errorf("crdproof help %s does not print the page", p.Name)
		}
	}
}
