package cost

import (
	"fmt"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A target tells how to write a bound. The zero value means that the user cannot write it.
type target struct {
	// key identifies the place.
	key string
	// text comes before the number: "+kubebuilder:validation:MaxItems=", "maxItems: ".
	text string
	// on is what the text belongs to: "Ports", "the type Name".
	on string
	// at is where the text is written. It is not valid if that is a new declaration, or another one of the package.
	at diag.Span
}

// write returns the bound as the user has to write it.
func (t target) write(n int64) string { return fmt.Sprintf("%s%d on %s", t.text, n, t.on) }

// canWrite reports whether the user can.
func (t target) canWrite() bool { return t.text != "" }

// targetOf returns how a bound of a schema is written, by the language that the schema comes from. Without a position
// it is a CRD as such, which is YAML.
func (a *analysis) targetOf(p *schema.Place, keyword string, now *schema.Int) target {
	at := p.Schema.At
	if near := p.At(); !near.IsValid() || near.Source.Syntax == diag.YAML {
		return target{key: p.Path(), text: keyword + ": ", on: p.Field(), at: at}
	}
	t := target{key: p.Path()}
	switch {
	case !at.IsValid():
		return t // a part of a type that crdproof knows
	case now != nil && (!now.At.IsValid() || !a.owns(now.At)):
		// The length of an array, or a bound of an imported type.
		t.key = positionKey(at)
		return t
	case !a.owns(at):
		return a.targetInImported(p, keyword)
	}
	t.key = positionKey(at)
	marker := "+" + schema.KeywordOf(keyword).Marker + "="
	if p.Step == schema.InProperty {
		t.text, t.on, t.at = marker, at.Text(), at
		return t
	}
	name, element := elementOf(at)
	switch {
	case name == "":
		t.text, t.on = marker, "a new type for "+p.Field()
	case element == "[]":
		t.text, t.on, t.at = strings.Replace(marker, ":Max", ":items:Max", 1), name, at
	case isNamed(at.Text()):
		t.text, t.on = marker, "the type "+at.Text()
		t.key = filepath.Dir(at.Source.Path) + " " + at.Text()
	default:
		t.text, t.on = marker, "a new type for the "+elements(element)+" of "+name
	}
	return t
}

// targetInImported returns how a bound inside an imported type is written at the user's own field that leads there. The
// bound then holds only below that field.
func (a *analysis) targetInImported(p *schema.Place, keyword string) target {
	at := p.Schema.At
	way := ""
	for ; p != nil && !a.owns(p.Schema.At); p = p.Above {
		switch p.Step {
		case schema.InProperty:
			way = "k8s:subfield(" + p.Name + ")=+" + way
		case schema.InItems, schema.InValues:
			way = "k8s:eachVal=+" + way
		default:
			return target{key: positionKey(at)}
		}
	}
	if p == nil || p.Step != schema.InProperty || !p.Schema.At.IsValid() || p.Schema.At.Source.Syntax != diag.Go {
		return target{key: positionKey(at)}
	}
	return target{
		key:  positionKey(p.Schema.At) + " " + way,
		text: "+" + way + schema.KeywordOf(keyword).Marker + "=", on: p.Schema.At.Text(),
		at: p.Schema.At,
	}
}

// positionKey identifies a position.
func positionKey(at diag.Span) string { return fmt.Sprintf("%s:%d", at.Source.Path, at.Start) }

// declared matches the text before the type of an element: the name of a field, or that of a type after its keyword,
// and the containers of the element.
var declared = regexp.MustCompile(`(\btype\s+)?(\w+)(?:\s*=)?\s+((?:\*|\[\w*\]|map\[[\w.]+\])+)$`)

// elementOf reads from the Go source what a list's items or a map's values belong to: a field or a type of that name,
// and the containers around them, such as "[]" or "map[string][]". The name is "" if it is not on
// the same line.
func elementOf(at diag.Span) (name, containers string) {
	line, column := at.Source.Position(int(at.Start))
	found := declared.FindStringSubmatch(at.Source.Line(line)[:column-1])
	if found == nil {
		return "", ""
	}
	name = found[2]
	if found[1] != "" {
		name = "the type " + name
	}
	return name, arrayLength.ReplaceAllString(strings.ReplaceAll(found[3], "*", ""), "${1}[]")
}

// arrayLength is an array's length, which makes no difference here; the key of a map does not stand alone.
var arrayLength = regexp.MustCompile(`(^|\])\[\w+\]`)

// elements names the elements of containers.
func elements(containers string) string {
	if strings.HasSuffix(containers, "[]") {
		return "items"
	}
	return "values"
}

// isNamed reports whether a type expression is the name of a type of the same package.
func isNamed(expression string) bool {
	return !strings.ContainsAny(expression, ".[]*{}() ") && types.Universe.Lookup(expression) == nil
}
