package markers

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Dialects in angle brackets: gateway-api (sigs.k8s.io/gateway-api, tools/generator) and operator-controller
// (github.com/operator-framework/operator-controller, hack/tools/crd-generator) have channels in the documentation of
// declarations. Only lines of documentation are read.
//
//	<gateway:experimental>                               the declaration is in that channel only
//	<gateway:experimental:validation:Enum=A;B>           a validation marker for that channel
//	<gateway:experimental:description>…</…>              a text for that channel
//	<gateway:util:excludeFromCRD>…</…>                   a text for readers of the source

// A dialect is a row of the table of dialects in angle brackets.
type dialect struct {
	prefix   string
	channels []string
	// addresses is the name of a tag without a channel: the values of a list whose type is IPAddress are addresses.
	addresses string
	// newlines is the most that a description has in a row. dashes is set if it ends at three dashes.
	newlines int
	dashes   bool
}

// dialects returns the table.
func dialects() []dialect {
	channels := []string{"standard", "experimental"}
	return []dialect{
		{prefix: "gateway", channels: channels, addresses: "validateIPAddress", newlines: 3},
		{prefix: "opcon", channels: channels, newlines: 2, dashes: true},
	}
}

const (
	excludedText = "util:excludeFromCRD"
	ofText       = "description"
)

// An angleTag is a tag in a line.
type angleTag struct {
	dialect
	// from and to are its place; isOpen is set if it has no >.
	from, to int
	isOpen   bool
	// words are its parts between colons: at most three, of which the last may have colons.
	words []string
}

// tagsIn returns the tags in a line of documentation.
func tagsIn(line string) (out []angleTag) {
	for _, d := range dialects() {
		for at := 0; ; {
			i := strings.Index(line[at:], "<"+d.prefix+":")
			if i < 0 {
				break
			}
			tag := angleTag{dialect: d, from: at + i}
			rest := line[tag.from:]
			end := strings.IndexByte(rest, '>')
			if strings.Contains(rest[:end+1], ":validation:") {
				end = strings.LastIndexByte(rest, '>') // rules have this character, too
			}
			if tag.isOpen = end < 0; tag.isOpen {
				end = len(strings.TrimRight(rest, " \t\r"))
				tag.to = tag.from + end
			} else {
				tag.to = tag.from + end + 1
			}
			tag.words = strings.SplitN(rest[len(d.prefix)+2:end], ":", 3)
			out, at = append(out, tag), tag.to
		}
	}
	return out
}

// known returns what may follow the prefix of a tag.
func (d dialect) known() []string {
	out := append(slices.Clip(d.channels), "util")
	if d.addresses != "" {
		out = append(out, d.addresses)
	}
	return out
}

// isMeant reports whether the tag was meant as one of the dialect: prose may have its prefix in brackets, too.
func (a *angleTag) isMeant() bool {
	return len(a.words) > 1 || diag.Near(a.words[0], a.known()) != "" || slices.Contains(a.known(), a.words[0])
}

// name returns the tag without its brackets.
func (a *angleTag) name() string { return strings.Join(append([]string{a.prefix}, a.words...), ":") }

// isText reports whether the tag begins a text.
func (a *angleTag) isText() bool {
	return len(a.words) == 2 && (a.words[1] == ofText || strings.Join(a.words, ":") == excludedText)
}

// Angles returns the places of the tags in a line of documentation that Parse reads. rest returns the lines from this
// one on: a tag that begins a text is returned only if nothing there ends it, or the dialect does not have it.
func (t *Table) Angles(line string, rest func() string) (out [][2]int) {
	if !t.dialects || !strings.Contains(line, "<") {
		return nil
	}
	for _, tag := range tagsIn(line) {
		if !tag.isMeant() {
			continue
		}
		known := slices.Contains(tag.channels, tag.words[0]) || strings.Join(tag.words, ":") == excludedText
		if !known || tag.isOpen || !tag.isText() || !strings.Contains(rest(), "</"+tag.name()+">") {
			out = append(out, [2]int{tag.from, tag.to})
		}
	}
	return out
}

// lookupAngle returns the row of a comment that is a tag in angle brackets.
func (t *Table) lookupAngle(target Target) *Definition {
	if target == Package {
		return nil
	}
	return t.index[key{target, ownPrefix + "channel"}]
}

// parseAngle reads a tag in angle brackets as the marker that it stands for.
func (t *Table) parseAngle(c Comment, target Target) (Marker, bool, []diag.Diagnostic) {
	m := Marker{Def: t.lookupAngle(target), At: c.At, Name: c.At}
	tag := tagsIn(c.Text)[0]
	rejected := func(d diag.Diagnostic) (Marker, bool, []diag.Diagnostic) { return m, false, []diag.Diagnostic{d} }
	span := func(word int) diag.Span {
		start := len(tag.prefix) + 2
		for _, w := range tag.words[:word] {
			start += len(w) + 1
		}
		return c.At.Sub(start, start+len(tag.words[word]))
	}
	if tag.isOpen {
		return rejected(diag.Errorf(c.At.Sub(0, 1), BadSyntax, "missing > for this <").Help("write > after the tag"))
	}
	word := tag.words[0]
	switch known := tag.known(); {
	case !slices.Contains(known, word):
		return rejected(diag.Errorf(span(0), UnknownMarker, "unknown channel %s of the dialect %s", quoted(word),
			tag.prefix).
			Note("the channels are %s", diag.And(tag.channels)).Help("%s", diag.DidYouMean(word, known)))
	case tag.isText() && (tag.words[1] != ofText || slices.Contains(tag.channels, word)):
		return rejected(diag.Errorf(c.At, BadSyntax, "missing </%s> after this tag", tag.name()).
			Help("write it after the text"))
	case len(tag.words) == 1 && word == tag.addresses:
		return addressMarker(c), true, nil
	case len(tag.words) == 1 && word != "util":
		m.Args = []Arg{{Value: Value{Kind: String, Text: word, At: span(0)}}}
		return m, true, nil
	case len(tag.words) < 3 || tag.words[1] != "validation":
		last := min(len(tag.words), 2) - 1
		wanted := []string{"validation", ofText}
		if word == "util" {
			wanted = []string{strings.TrimPrefix(excludedText, "util:")}
		}
		return rejected(diag.Errorf(span(last), UnknownMarker, "unknown tag %s", quoted("<"+tag.name()+">")).
			Help("%s", cmp.Or(diag.DidYouMean(tag.words[last], wanted), "write "+diag.Or(wanted)+" after "+word+":")))
	}
	return t.parseValidation(c, &tag, target, span(2), Arg{Value: Value{Kind: String, Text: word, At: span(0)}})
}

// addressMarker returns the marker that a tag for addresses stands for.
func addressMarker(c Comment) Marker {
	const text = "+crdproof:oneOf={{properties: {type: {enum: {IPAddress}}, value: {anyOf: {{format: ipv4}, " +
		"{format: ipv6}}}}}, {properties: {type: {not: {enum: {IPAddress}}}}}}"
	src := &diag.Source{Data: []byte(text)}
	m, _, _ := NewTable(junctorMarkers()).Parse(Comment{Text: text, At: diag.At(src, 0, len(text))}, Field)
	m.At, m.Name, m.Steps = c.At, c.At, []Step{{Kind: Items, At: c.At}}
	placeAt(&m.Args[0].Value, c.At)
	return m
}

// placeAt sets the place of a value and of all that is in it.
func placeAt(v *Value, at diag.Span) {
	v.At = at
	for i := range v.Items {
		placeAt(&v.Items[i], at)
	}
	for i := range v.Members {
		v.Members[i].KeyAt = at
		placeAt(&v.Members[i].Value, at)
	}
}

// parseValidation reads a tag for a validation marker in one channel.
func (t *Table) parseValidation(
	c Comment, tag *angleTag, target Target, at diag.Span, channel Arg,
) (Marker, bool, []diag.Diagnostic) {
	inner := Comment{Text: "+" + validationPrefix + tag.words[2], At: at, Doc: c.Doc, Type: c.Type}
	inner.At.Start -= int32(len(inner.Text) - len(tag.words[2])) // so that offsets after the prefix are right
	own := Marker{Def: t.lookupAngle(target), At: c.At, Name: c.At}
	if t.Lookup(inner.Text, target) == nil {
		name, _, _ := strings.Cut(tag.words[2], "=")
		d := diag.Errorf(at.Sub(0, len(name)), UnknownMarker, "unknown validation %s", quoted(name))
		if near := t.Near(inner, target); near != nil {
			d = d.Help("%s", diag.Meant(strings.TrimPrefix(near.Name, validationPrefix)))
		}
		return own, false, []diag.Diagnostic{d}
	}
	m, ok, found := t.Parse(inner, target)
	for i := range found {
		found[i].Span.Start = max(found[i].Span.Start, at.Start)
	}
	if !ok {
		return own, false, found
	}
	m.At, m.Name = c.At, c.At
	m.Steps = append([]Step{{Kind: Channel, At: c.At, Args: []Arg{channel}, Foreign: true}}, m.Steps...)
	return m, true, found
}

// DescribeIn returns a description as the generator of the dialect in it writes it for channels; one without tags is
// not changed.
func DescribeIn(text string, channels []string) string {
	for _, d := range dialects() {
		if slices.ContainsFunc(tagsIn(text), func(a angleTag) bool { return a.prefix == d.prefix && a.isMeant() }) {
			text = d.describe(text, channels)
		}
	}
	return text
}

// describe removes texts for other channels and for readers of the source, and all tags.
func (d dialect) describe(text string, channels []string) string {
	remove := func(name, between string) {
		name = regexp.QuoteMeta(d.prefix + ":" + name)
		text = regexp.MustCompile(`\n*<`+name+`>(?s:.*?)</`+name+`>\n*`).ReplaceAllString(text, between)
	}
	for _, other := range d.channels {
		if slices.Contains(channels, other) {
			text = strings.NewReplacer("<"+d.prefix+":"+other+":"+ofText+">", "",
				"</"+d.prefix+":"+other+":"+ofText+">", "").Replace(text)
		} else {
			remove(other+":"+ofText, "\n\n")
		}
	}
	remove(excludedText, "\n\n\n")
	text = regexp.MustCompile(`<`+d.prefix+`:.*>`).ReplaceAllLiteralString(text, "")
	if d.dashes {
		text, _, _ = strings.Cut(text, "---")
	}
	most := strings.Repeat("\n", d.newlines)
	text = regexp.MustCompile(most+"+").ReplaceAllString(text, most)
	return strings.Trim(text, "\n")
}
