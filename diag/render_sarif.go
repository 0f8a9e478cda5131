package diag

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
)

// The types below are the part of SARIF 2.1.0 that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool               sarifTool            `json:"tool"`
		Invocations        []sarifInvocation    `json:"invocations"`
		OriginalURIBaseIDs map[string]sarifBase `json:"originalUriBaseIds"`
		ColumnKind         string               `json:"columnKind"`
		Results            []sarifResult        `json:"results"`
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
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
		FullDescription  sarifMessage `json:"fullDescription"`
		Help             sarifMessage `json:"help"`
		HelpURI          string       `json:"helpUri,omitempty"`
		Default          sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Descriptor *sarifDescriptor `json:"descriptor,omitempty"`
		Level      string           `json:"level"`
		Message    sarifMessage     `json:"message"`
	}
	sarifDescriptor struct {
		ID string `json:"id"`
	}
	sarifBase struct {
		Description sarifMessage `json:"description"`
	}
	sarifResult struct {
		RuleID           string            `json:"ruleId,omitempty"`
		RuleIndex        *int              `json:"ruleIndex,omitempty"`
		Level            string            `json:"level"`
		Message          sarifMessage      `json:"message"`
		Locations        []sarifLocation   `json:"locations"`
		RelatedLocations []sarifLocation   `json:"relatedLocations,omitempty"`
		Fixes            []sarifFix        `json:"fixes,omitempty"`
		Fingerprints     map[string]string `json:"partialFingerprints"`
	}
	sarifFix struct {
		Description     sarifMessage  `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion   `json:"deletedRegion"`
		InsertedContent *sarifMessage `json:"insertedContent,omitempty"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifLocation struct {
		ID               int            `json:"id,omitempty"`
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		Message          *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
)

// sarifRoot represents the root of the checkout, whose path depends on the machine.
const sarifRoot = "%SRCROOT%"

// A CheckDoc is what the reader of a report may want to know of a check, which SARIF calls a rule.
type CheckDoc struct {
	// Short is a sentence, Long and Markdown all there is to say, as plain text and with examples; URI leads to the
	// reference.
	Short, Long, Markdown, URI string
	// Severity is the usual one of its findings.
	Severity Severity
}

// SARIFOptions are what a log says beside its findings.
type SARIFOptions struct {
	// Root is the root of the checkout: the paths of files below it are relative to it.
	Root string
	// Version is that of crdproof, "" where it is unknown.
	Version string
	// Describe returns the documentation of a check.
	Describe func(check string) CheckDoc
}

// SARIF writes the list as a SARIF 2.1.0 log, with what GitHub's code scanning demands of one: rules with texts, and
// results with a file and a line. What has no position is about the run, and becomes a notification of it.
func SARIF(w io.Writer, list []Diagnostic, opts SARIFOptions) error {
	ids := ruleIDs(list)
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "crdproof", Version: opts.Version, InformationURI: "https://github.com/crdproof/crdproof",
			Rules: []sarifRule{},
		}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: true}},
		OriginalURIBaseIDs: map[string]sarifBase{
			sarifRoot: {Description: sarifMessage{Text: "the root of the repository"}},
		},
		// SARIF has no columns in bytes. Viewers assume this unit if they do not read it.
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
	}
	for _, id := range ids {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(id, opts.Describe(id)))
	}
	seen := map[string]int{}
	for i := range list {
		d := &list[i]
		if !d.Span.IsValid() {
			run.Invocations[0].notify(d)
			continue
		}
		result := sarifResultOf(d, ids, opts.Root)
		print := fingerprint(d, result.Locations[0].PhysicalLocation.ArtifactLocation.URI)
		seen[print]++
		result.Fingerprints = map[string]string{"crdproof/v1": fmt.Sprintf("%s:%d", print, seen[print])}
		run.Results = append(run.Results, result)
	}
	return WriteJSON(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{run}})
}

// notify adds what has no position. An error means that the run has not done what it was to do.
func (r *sarifInvocation) notify(d *Diagnostic) {
	n := sarifNotification{Level: d.Severity.String(), Message: sarifMessage{Text: Prose(d)}}
	if d.Check != "" {
		n.Descriptor = &sarifDescriptor{d.Check}
	}
	r.Notifications = append(r.Notifications, n)
	r.ExecutionSuccessful = r.ExecutionSuccessful && d.Severity != Error
}

func sarifResultOf(d *Diagnostic, ids []string, root string) sarifResult {
	result := sarifResult{
		RuleID: d.Check, Level: d.Severity.String(), Message: sarifMessage{Text: Prose(d)},
		Locations: []sarifLocation{{PhysicalLocation: sarifPlace(d.Span, root)}},
	}
	if i, ok := slices.BinarySearch(ids, d.Check); ok {
		result.RuleIndex = &i
	}
	for _, h := range d.Helps() {
		if h.Edits != nil {
			result.Fixes = append(result.Fixes, sarifFixOf(h, root))
		}
	}
	linked := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
	for _, r := range relatedOf(d) {
		if !r.Span.IsValid() {
			result.Message.Text += "\n" + r.Message
			continue
		}
		id := len(result.RelatedLocations) + 1
		// GitHub shows only those that the message has links to.
		result.Message.Text += fmt.Sprintf("\n[%s](%d)", linked.Replace(r.Message), id)
		result.RelatedLocations = append(result.RelatedLocations,
			sarifLocation{ID: id, PhysicalLocation: sarifPlace(r.Span, root), Message: &sarifMessage{Text: r.Message}})
	}
	return result
}

// sarifFixOf returns a help with its edits, by file.
func sarifFixOf(h Help, root string) sarifFix {
	out := sarifFix{Description: sarifMessage{Text: expanded(h.String())}}
	for _, e := range h.Edits {
		at := sarifPlace(e.Span, root)
		if at.Region.EndLine == at.Region.StartLine && e.Span.Start == e.Span.End {
			at.Region.EndColumn = at.Region.StartColumn // nothing is deleted
		}
		replacement := sarifReplacement{DeletedRegion: at.Region}
		if e.New != "" {
			replacement.InsertedContent = &sarifMessage{Text: e.New}
		}
		n := len(out.ArtifactChanges)
		if n == 0 || out.ArtifactChanges[n-1].ArtifactLocation != at.ArtifactLocation {
			out.ArtifactChanges = append(out.ArtifactChanges, sarifChange{ArtifactLocation: at.ArtifactLocation})
			n++
		}
		out.ArtifactChanges[n-1].Replacements = append(out.ArtifactChanges[n-1].Replacements, replacement)
	}
	return out
}

// relatedOf returns the other places that matter, and the further ones of the finding.
func relatedOf(d *Diagnostic) []Related {
	out := slices.Clone(d.SeeAlso)
	for i := range d.Places {
		words := cmp.Or(strings.Join(here(&d.Places[i], d), "; "), d.Places[i].Path)
		out = append(out, Related{d.Places[i].Span, strings.Trim("also here: "+words, ": ")})
	}
	return out
}

// ruleIDs returns the rules of the findings that have a position, sorted.
func ruleIDs(list []Diagnostic) []string {
	var ids []string
	for i := range list {
		if list[i].Check != "" && list[i].Span.IsValid() {
			ids = append(ids, list[i].Check)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func sarifRuleOf(id string, doc CheckDoc) sarifRule {
	return sarifRule{
		ID:               id,
		ShortDescription: sarifMessage{Text: doc.Short},
		FullDescription:  sarifMessage{Text: doc.Long},
		Help:             sarifMessage{Text: doc.Long, Markdown: doc.Markdown},
		HelpURI:          doc.URI,
		Default:          sarifDefault{doc.Severity.String()},
	}
}

// fingerprint identifies a finding as long as the text of its line is the same, wherever the line is in the file.
func fingerprint(d *Diagnostic, uri string) string {
	line, _ := d.Span.Source.Position(min(int(d.Span.Start), len(d.Span.Source.Data)))
	sum := sha256.Sum256([]byte(strings.Join([]string{d.Check, uri, d.Path,
		strings.TrimSpace(d.Span.Source.Line(line))}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

func sarifPlace(s Span, root string) *sarifPhysical {
	p, _ := locateFrom(s, root)
	at := &sarifPhysical{ArtifactLocation: sarifArtifact{URI: fileURI(p.file)},
		Region: sarifRegion{StartLine: max(p.line, 1)}}
	if !strings.HasPrefix(at.ArtifactLocation.URI, "file:") {
		at.ArtifactLocation.URIBaseID = sarifRoot
	}
	if p.line > 0 {
		at.Region = sarifRegion{StartLine: p.line, StartColumn: p.col, EndLine: p.endLine, EndColumn: p.endCol}
	}
	return at
}

// fileURI returns a relative reference for a relative path and a file URI for an absolute one.
func fileURI(file string) string {
	u := url.URL{Path: file}
	if isDrive := len(file) > 2 && file[1] == ':'; strings.HasPrefix(file, "/") || isDrive {
		u = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}
	}
	return u.String()
}

// utf16Column turns a column that counts bytes into one that counts UTF-16 code units.
func utf16Column(src *Source, line, col int) int {
	text := src.Line(line)
	text = text[:min(col-1, len(text))]
	n := 1
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
