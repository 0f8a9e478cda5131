package diff

import (
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A Policy says which changes are errors, which are warnings, and which are not reported. Answers do not depend on it.
type Policy struct {
	// Fail is the class up to which changes are errors. All others are warnings. Unknown answers are errors if it is
	// ClassStrict.
	Fail Class
	// Severities override that for some changes. The last one that covers a finding counts.
	Severities []Severity
}

// A Severity is that of the findings which have everything that is set.
type Severity struct {
	// Question is the name of a question, such as "readers"; "" is any.
	Question string
	// Keyword is that of a change, such as "enum", KeywordField for a field that is new or removed; "" is any.
	Keyword string
	// Path is a pattern of paths, such as "status.**": * is any part of a path, and ** any number of them; "" is any.
	Path string
	// Level is what the findings are.
	Level Level
}

// KeywordField stands for changes without a keyword in a Severity.
const KeywordField = "field"

// Keywords returns the values of Severity.Keyword: the keywords of schemas, and what else changes are about.
func Keywords() []string {
	out := []string{KeywordField, "scale"}
	for i := range schema.Keywords() {
		out = append(out, schema.Keywords()[i].Name)
	}
	return out
}

// A Level is the severity of a finding.
type Level uint8

// The levels.
const (
	Error Level = iota
	Warning
	Off
)

// Levels returns all levels.
func Levels() []Level { return []Level{Error, Warning, Off} }

// String returns the name of the level.
func (l Level) String() string { return [...]string{"error", "warning", "off"}[l] }

// covers reports whether the severity is that of a finding about a change.
func (s *Severity) covers(c *Change, f *Finding) bool {
	keyword := c.Keyword
	if keyword == "" {
		keyword = KeywordField
	}
	return (s.Question == "" || s.Question == f.Question.String()) && (s.Keyword == "" || s.Keyword == keyword) &&
		(s.Path == "" || pathPattern(s.Path).MatchString(c.Path))
}

// pathPattern returns the regular expression of a pattern of paths.
func pathPattern(text string) *regexp.Regexp {
	text = strings.ReplaceAll(regexp.QuoteMeta(text), `\*\*`, `.*`)
	return regexp.MustCompile("^" + strings.ReplaceAll(text, `\*`, `[^.]*`) + "$")
}

// level returns the severity of a finding about a change.
func (p *Policy) level(c *Change, f *Finding) Level {
	out := Error
	if f.Class > p.Fail {
		out = Warning
	}
	for i := range p.Severities {
		if s := &p.Severities[i]; s.covers(c, f) {
			out = s.Level
		}
	}
	return out
}

// reported returns a change with the findings that are reported, and its severity; nil if there are none, or if it is
// silenced.
func (p *Policy) reported(c *Change) (*Change, diag.Severity) {
	if c.Silenced != "" {
		return nil, 0
	}
	out, severity := *c, diag.Warning
	out.Findings = nil
	for _, f := range c.Findings {
		switch p.level(c, &f) {
		case Error:
			severity = diag.Error
		case Off:
			continue
		}
		out.Findings = append(out.Findings, f)
	}
	if len(out.Findings) == 0 {
		return nil, 0
	}
	return &out, severity
}
