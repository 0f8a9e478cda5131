package diff

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A Question is what a change of a CRD may break.
type Question uint8

// The questions, in the order of reports.
const (
	// Create asks whether the new CRD accepts each object that the old one accepts.
	Create Question = iota
	// Stored asks whether objects that the old CRD has accepted can still be written: unchanged, and with a change in
	// another field, with ratcheting.
	Stored
	// Kept asks whether the new CRD keeps everything that the old one keeps.
	Kept
	// Meaning asks whether the defaults of the fields of the old CRD are the same.
	Meaning
	// Readers asks whether clients that were built for the old CRD can read each object that the new one accepts.
	Readers
	// Definition asks whether everything in a CRD but its schemas is the same: scope, names, versions, subresources,
	// selectable fields, columns, conversion; and how server-side apply merges objects.
	Definition
)

// Questions returns all questions.
func Questions() []Question { return []Question{Create, Stored, Kept, Meaning, Readers, Definition} }

// String returns the name of the question in reports: "crd" for Definition.
func (q Question) String() string {
	return [...]string{"create", "stored", "kept", "meaning", "readers", "crd"}[q]
}

// Text returns the question itself.
func (q Question) Text() string {
	return [...]string{
		"is every object that the old CRD accepts accepted by the new one?",
		"can stored objects still be written?",
		"is everything kept that the old CRD keeps?",
		"are the defaults the same?",
		"can old clients read all new objects?",
		"is the rest of the CRD the same?",
	}[q]
}

// short returns what yes means, in a few words.
func (q Question) short() string {
	return [...]string{
		"the same objects are accepted", "stored objects can be written", "no value is dropped",
		"the defaults are the same", "old clients can read all objects", "the rest is the same",
	}[q]
}

// An Answer is that to a question.
type Answer uint8

// The answers. The worst of several is the largest.
const (
	// Yes has been decided for all objects.
	Yes Answer = iota
	// Unknown has been neither decided nor disproved.
	Unknown
	// No has a witness that the API server's code has confirmed, or is about the CRD itself.
	No
)

// String returns "yes", "no" or "unknown".
func (a Answer) String() string { return [...]string{"yes", "unknown", "no"}[a] }

// A Class is how much of a change is tolerated.
type Class uint8

// The classes, from the most to the least tolerant. A change of a class is one of all later classes, too.
const (
	// ClassStored is what breaks objects in clusters: stored objects that cannot be written any more, fields that are
	// dropped, and CRDs that an API server does not take in place of the old one.
	ClassStored Class = iota
	// ClassCreate is also what breaks manifests: objects that are rejected, or that get other defaults.
	ClassCreate
	// ClassReaders is also what breaks clients that read.
	ClassReaders
	// ClassStrict is everything that is not yes, unknown answers included.
	ClassStrict
)

// Classes returns all classes.
func Classes() []Class { return []Class{ClassStored, ClassCreate, ClassReaders, ClassStrict} }

// String returns the name of the class, as of the values of --fail.
func (c Class) String() string { return [...]string{"stored", "create", "readers", "strict"}[c] }

// A Comparison is the result for one CRD.
type Comparison struct {
	// Name is the name of the CRD.
	Name string
	// Versions are the old and the new version if two versions of one CRD are compared, "v1beta1 as v1"; "" otherwise.
	Versions string
	// before and after are these two versions.
	before, after string
	// Old and New are the CRDs; one of them is nil if only the other exists.
	Old, New *schema.CRD
	// Rejected are the reasons for which API servers reject the new CRD: an update of the old one, or its creation if
	// there is no old one. Its schemas are not compared then, and no answer is yes. OldRejected are the reasons for
	// which they reject the creation of the old CRD.
	Rejected, OldRejected []diag.Diagnostic
	// isInvalid is set if no cluster can have the old CRD: API servers do not even accept it in place of itself.
	isInvalid bool
	// Changes are the differences with a finding that is not yes, in the order of the new CRD; then those of places
	// that only the old one has.
	Changes []Change
	// Additions are all other differences, but for documentation.
	Additions []Addition
}

// Title returns the name of the CRD, with the versions if two of them are compared.
func (c *Comparison) Title() string {
	if c.Versions == "" {
		return c.Name
	}
	return c.Name + " " + c.Versions
}

// Answer returns the worst answer of the changes to a question; no if the new CRD is rejected.
func (c *Comparison) Answer(q Question) Answer {
	answer := Yes
	if len(c.Rejected) > 0 {
		return No
	}
	for i := range c.Changes {
		for _, f := range c.Changes[i].Findings {
			if f.Question == q {
				answer = max(answer, f.Answer)
			}
		}
	}
	return answer
}

// A Change is a difference that answers a question with no or unknown.
type Change struct {
	// Versions are the versions of the CRD that have the change; none if it is not about a version.
	Versions []string
	// Path is the field of objects: "spec.ports[].name", "" for the whole object. For changes of the CRD itself it is
	// the field of the CRD: "spec.scope".
	Path string
	// Keyword is what has changed, such as "maxLength", or "" if it is the field itself.
	Keyword string
	// Message says what has changed, in lower case, without a full stop.
	Message string
	// Old and New are the positions in both CRDs. That of a side that lacks it is the nearest place that the side has.
	Old, New diag.Span
	// Findings are those of the questions that are not answered with yes, each question once, in their order.
	Findings []Finding
	// Help says what to do.
	Help string
	// Silenced is the reason why the change is not reported; "" if it is.
	Silenced string
}

// A Finding is the answer to one question, for one change.
type Finding struct {
	Question Question
	Answer   Answer
	// Class is that of the finding.
	Class Class
	// Reason says why the answer is unknown, or what the witness shows.
	Reason string
	// Servers are the Kubernetes versions whose API servers answer that, if newer ones answer better.
	Servers kube.Range
	// Witness shows that the answer is no; nil otherwise, and for findings about the CRD itself.
	Witness *Witness
}

// A Witness is an object that the two CRDs treat differently. The API server's code has given both answers.
type Witness struct {
	// Version is the version of the CRD whose address the object is sent to.
	Version string `json:"-"`
	// Object is created. If there is an Update, it was created under the old CRD, and the update follows under both:
	// an update of the status subresource if Status is set.
	Object map[string]any `json:"object"`
	Update map[string]any `json:"update,omitempty"`
	Status bool           `json:"status,omitempty"`
	// Stored is the object that the new CRD makes of it, nil if it is rejected.
	Stored map[string]any `json:"-"`
	// Old and New are the answers of both servers: an error, or what is done to the object.
	Old string `json:"old"`
	New string `json:"new"`
	// isAlone is set if all errors of a rejection are about one change. errors is their number.
	isAlone bool
	errors  int
	// isRead is set if the update only writes back what a client has read under the new CRD.
	isRead bool
	// isStatus is set if the object was created without a rejection, and New is about its status.
	isStatus bool
	// rejection is the error with which the new CRD rejects the first write of a test, "" if it accepts that. An object
	// is created or updated before its status is.
	rejection string
}

// An Addition is a difference that answers no question with no: new optional fields, looser bounds, new versions.
type Addition struct {
	Versions []string `json:"versions,omitempty"`
	// Path is as in Change.
	Path string `json:"path"`
	// Message says what is new, in lower case, without a full stop.
	Message string `json:"message"`
	// At is the position in the new CRD.
	At diag.Span `json:"-"`
	// IsField is set for a new field. An old client that writes back a whole object that it has read removes it.
	IsField bool `json:"isField"`
}
