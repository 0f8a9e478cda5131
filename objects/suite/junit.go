package suite

import (
	"encoding/xml"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// The elements of JUnit's reports, as CI servers read them: https://github.com/testmoapp/junitxml. There are no times,
// so that equal runs write equal reports.
type (
	junitReport struct {
		XMLName xml.Name `xml:"testsuites"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		File string `xml:"file,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	junitCase struct {
		Name    string         `xml:"name,attr"`
		Class   string         `xml:"classname,attr"`
		File    string         `xml:"file,attr"`
		Line    int            `xml:"line,attr"`
		Failure []junitFailure `xml:"failure"`
		Error   *junitFailure  `xml:"error"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit returns the report as JUnit's XML. A problem that prevents a suite from running is an error in a suite of its
// own.
func (r *Report) JUnit(problems []diag.Diagnostic) []byte {
	var out junitReport
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		name := strings.TrimSuffix(o.Name, "/"+o.Case.list()+"/"+o.Case.Name.V)
		file := input.Shown(o.Suite.Source.Path)
		if n := len(out.Suites); n == 0 || out.Suites[n-1].Name != name || out.Suites[n-1].File != file {
			out.Suites = append(out.Suites, junitSuite{Name: name, File: file})
		}
		s := &out.Suites[len(out.Suites)-1]
		line, _ := o.Suite.Source.Position(int(o.Case.At.Start))
		c := junitCase{Name: o.Case.list() + "/" + o.Case.Name.V, Class: name, File: file, Line: line}
		for _, d := range o.Failures {
			c.Failure = append(c.Failure, failureOf(d))
		}
		s.Tests++
		s.Failures += min(len(c.Failure), 1)
		s.Cases = append(s.Cases, c)
	}
	for _, d := range problems {
		if d.Severity == diag.Error {
			out.Suites = append(out.Suites, errorOf(d))
		}
	}
	for _, s := range out.Suites {
		out.Tests, out.Failures, out.Errors = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors
	}
	out.makePrintable()
	data, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		panic(err) // all of its types have an XML form
	}
	return append([]byte(xml.Header), append(data, '\n')...)
}

// errorOf returns a problem that prevents a suite from running, as a suite with one case.
func errorOf(d diag.Diagnostic) junitSuite {
	file, line := "", 0
	if d.Span.IsValid() {
		file = input.Shown(d.Span.Source.Path)
		line, _ = d.Span.Source.Position(int(d.Span.Start))
	}
	failure := failureOf(d)
	return junitSuite{Name: d.Check, File: file, junitCounts: junitCounts{Tests: 1, Errors: 1}, Cases: []junitCase{
		{Name: d.Message, Class: d.Check, File: file, Line: line, Error: &failure},
	}}
}

func failureOf(d diag.Diagnostic) junitFailure {
	return junitFailure{Type: d.Check, Message: d.Message, Text: withDetails(position(d), d)}
}

// makePrintable makes all texts printable, because CI servers show them.
func (r *junitReport) makePrintable() {
	for i := range r.Suites {
		s := &r.Suites[i]
		s.Name, s.File = diag.Printable(s.Name), diag.Printable(s.File)
		for k := range s.Cases {
			c := &s.Cases[k]
			c.Name, c.Class, c.File = diag.Printable(c.Name), diag.Printable(c.Class), diag.Printable(c.File)
			for l := range c.Failure {
				c.Failure[l].makePrintable()
			}
			if c.Error != nil {
				c.Error.makePrintable()
			}
		}
	}
}

func (f *junitFailure) makePrintable() {
	f.Message = diag.Printable(f.Message)
	lines := strings.Split(f.Text, "\n")
	for i, line := range lines {
		lines[i] = diag.Printable(line)
	}
	f.Text = strings.Join(lines, "\n")
}
