package diag

import (
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// The types below are the part of SARIF 2.1.0 that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID           string          `json:"ruleId,omitempty"`
		Level            string          `json:"level"`
		Message          sarifMessage    `json:"message"`
		Locations        []sarifLocation `json:"locations,omitempty"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		Message          *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// SARIF writes the list as a SARIF 2.1.0 log, which code scanning services read. version is that of crdproof, "" where
// it is unknown. Paths below dir become relative URIs.
func SARIF(w io.Writer, list []Diagnostic, dir, version string) error {
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name:           "crdproof",
			Version:        version,
			InformationURI: "https://github.com/crdproof/crdproof",
			Rules:          sarifRules(list),
		}},
		// SARIF knows no columns in bytes.
		ColumnKind: "unicodeCodePoints",
		Results:    make([]sarifResult, 0, len(list)),
	}
	for i := range list {
		d := &list[i]
		result := sarifResult{RuleID: d.Rule, Level: d.Severity.String(), Message: sarifMessage{prose(d)}}
		if at := sarifPlace(d.Span, dir); at != nil {
			result.Locations = []sarifLocation{{PhysicalLocation: at}}
		}
		for _, r := range d.Related {
			result.RelatedLocations = append(result.RelatedLocations,
				sarifLocation{PhysicalLocation: sarifPlace(r.Span, dir), Message: &sarifMessage{r.Message}})
		}
		run.Results = append(run.Results, result)
	}
	return encode(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func sarifRules(list []Diagnostic) []sarifRule {
	var ids []string
	for i := range list {
		if list[i].Rule != "" {
			ids = append(ids, list[i].Rule)
		}
	}
	slices.Sort(ids)
	rules := []sarifRule{}
	for _, id := range slices.Compact(ids) {
		rules = append(rules, sarifRule{ID: id})
	}
	return rules
}

func sarifPlace(s Span, dir string) *sarifPhysical {
	p, ok := locate(s, dir)
	if !ok {
		return nil
	}
	at := &sarifPhysical{ArtifactLocation: sarifArtifact{URI: fileURI(p.file)}}
	if p.line > 0 {
		at.Region = &sarifRegion{
			StartLine:   p.line,
			StartColumn: runeColumn(s.Source, p.line, p.col),
			EndLine:     p.endLine,
			EndColumn:   runeColumn(s.Source, p.endLine, p.endCol),
		}
	}
	return at
}

// fileURI is a relative reference for a relative path and a file URI for an absolute one.
func fileURI(file string) string {
	u := url.URL{Path: file}
	if isDrive := len(file) > 2 && file[1] == ':'; strings.HasPrefix(file, "/") || isDrive {
		u = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}
	}
	return u.String()
}

// runeColumn turns a column that counts bytes into one that counts code points.
func runeColumn(src *Source, line, col int) int {
	text := src.Line(line)
	return utf8.RuneCountInString(text[:min(col-1, len(text))]) + 1
}
