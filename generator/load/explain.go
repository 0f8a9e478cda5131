package load

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// An explanation says in one line what the go command reports, and what to write.
type explanation struct {
	message, help string
	// words are the go command's own, if the message has others.
	words string
	// ofModule is set if no package can be read because of it.
	ofModule bool
}

// Error implements error.
func (e *explanation) Error() string { return e.message }

// finding returns the diagnostic of a check.
func (e *explanation) finding(check *diag.Check) diag.Diagnostic {
	first, rest, _ := strings.Cut(e.message, "\n")
	d := diag.Errorf(diag.Span{}, check, "%s", first)
	for line := range strings.Lines(rest) {
		d = d.Note("%s", strings.TrimRight(line, "\n"))
	}
	if e.words != "" {
		d = d.Note("the go command: %s", e.words)
	}
	return d.Help("%s", e.help)
}

// A knownMessage is a message of the go command with its explanation, in which $1 is the first group.
type knownMessage struct {
	message    *regexp.Regexp
	text, help string
	ofModule   bool
}

// knownMessages returns the messages whose explanation depends on nothing else. The first match counts.
func knownMessages() []knownMessage {
	return []knownMessage{
		{message: regexp.MustCompile(`cannot load module (\S+) listed in go\.work file`), ofModule: true,
			text: "go.work lists the module $1, which does not exist",
			help: "fix the directory in go.work, or run go work edit -dropuse=$1"},
		{message: regexp.MustCompile(`errors parsing (go\.mod|go\.work|\S+/go\.mod|\S+/go\.work):\n(\S+:\d+): (.*)`),
			ofModule: true, text: "$1 does not parse: $3", help: "fix $2"},
		{message: regexp.MustCompile(`module (\S+) listed in go\.work file requires go >= (\S+), but`), ofModule: true,
			text: "go.work has an older Go version than the module $1, which requires Go $2", help: "run go work use"},
		{message: regexp.MustCompile(`(\S+)(?: \S+)* requires go >= (\S+) \(running go (\S+); GOTOOLCHAIN=\S+\)`),
			ofModule: true, text: "$1 requires Go $2, but Go $3 is running",
			help: "install Go $2, or set GOTOOLCHAIN=auto, so that the go command downloads it"},
		{message: regexp.MustCompile(`download go([\d.]+)\S*: (.*)`), ofModule: true,
			text: "go.mod requires Go $1, which cannot be downloaded",
			help: "install Go $1, or write an older version into go.mod"},
		{message: regexp.MustCompile(`(\S+)@\S+: replacement directory (\S+) does not exist`),
			text: "go.mod replaces $1 by the directory $2, which does not exist",
			help: "fix the directory in go.mod, or run go mod edit -dropreplace=$1"},
		{message: regexp.MustCompile(`(\S+)@\S+ \(replaced by (\S+)\): reading \S+: open \S+:`), ofModule: true,
			text: "go.mod replaces $1 by the directory $2, which has no go.mod",
			help: "fix the directory in go.mod, or run go mod edit -dropreplace=$1"},
		{message: regexp.MustCompile(`^no required module provides package ([^;\s]+)`),
			text: "no module in go.mod provides package $1", help: "run go get $1"},
		{message: regexp.MustCompile(`^cannot find module providing package (\S+): ` +
			`import lookup disabled by -mod=vendor`),
			text: "the directory vendor has no package $1", help: "run go mod vendor, or set GOFLAGS=-mod=mod"},
		{message: regexp.MustCompile(`^(missing go\.sum entry[^;\n]*)`), text: "$1", help: "run go mod tidy"},
		{message: regexp.MustCompile(`^(?:.*: )?module lookup disabled by (GOPROXY=off|GONOSUMDB\S*|-mod=vendor)`),
			text: "the module is not downloaded, and $1 forbids the download",
			help: "run go mod download with another GOPROXY, such as https://proxy.golang.org"},
		{message: regexp.MustCompile(`(\S+@\S+): (?:reading |Get ")https?://[^"\s]+: (?:404|410)`),
			text: "no module proxy has $1",
			help: "check the version in go.mod; for a private module, set GOPRIVATE"},
		{message: regexp.MustCompile(`(\S+@\S+): (?:reading |Get ")https?://`),
			text: "the module $1 is not downloaded, and its download fails",
			help: "run go mod download with access to the network, or set GOPROXY to a proxy that you can reach"},
		{message: regexp.MustCompile(`inconsistent vendoring(?s:.*)\tgo work vendor`), ofModule: true,
			text: "vendor/modules.txt does not match go.work and its modules",
			help: "run go work vendor, or set GOFLAGS=-mod=readonly"},
		{message: regexp.MustCompile(`-mod may only be set to readonly or vendor when in workspace mode`),
			ofModule: true, text: "-mod=mod does not work with go.work",
			help: "set GOFLAGS=-mod=readonly, or set GOWORK=off to read the module alone"},
		{message: regexp.MustCompile(`inconsistent vendoring`), ofModule: true,
			text: "vendor/modules.txt does not match go.mod", help: "run go mod vendor, or set GOFLAGS=-mod=mod"},
		{message: regexp.MustCompile(`^updates to go\.mod needed`), ofModule: true,
			text: "go.mod is not up to date", help: "run go mod tidy"},
		{message: regexp.MustCompile(`^parsing \$GOFLAGS: (.*)`), ofModule: true,
			text: "invalid GOFLAGS: $1", help: "fix the environment variable GOFLAGS, or see go env GOFLAGS"},
	}
}

// What the go command reports about directories.
var (
	noModule    = regexp.MustCompile(`go\.mod file not found|directory prefix \S+ does not contain main module`)
	notInWork   = regexp.MustCompile(`directory prefix (\S+) does not contain modules listed in go\.work`)
	usedNowhere = regexp.MustCompile(`^(?:directory (\S+)|current directory) is contained in a module that is not ` +
		`one of the workspace modules listed in go\.work`)
	notInModule = regexp.MustCompile(`^package (\S+) is not in std`)
	excluded    = regexp.MustCompile(`^build constraints exclude all Go files in (.*)$`)
)

// explain returns a message of the go command in a form that names the cause, and the fix if there is one.
func explain(dir, message string) (e explanation) {
	message = strings.TrimPrefix(message, "go: ")
	part := func(re *regexp.Regexp) string { return re.FindStringSubmatch(message)[1] }
	hasModule := func(dir string) bool { return input.Holds(moduleRoot(absolute(dir)), "go.mod") }
	e.words = firstSentence(message)
	switch {
	case noModule.MatchString(message) && !hasModule(dir):
		e.message, e.help, e.ofModule = withoutModule(dir)
	case notInWork.MatchString(message) && hasModule(filepath.Join(dir, part(notInWork))):
		e.message, e.help, e.ofModule = outsideWork(moduleRoot(absolute(filepath.Join(dir, part(notInWork)))))
	case usedNowhere.MatchString(message):
		// controller-tools runs the go command in other directories, so the current one may not be known.
		e.message, e.help, e.ofModule = outsideWork(moduleRoot(absolute(filepath.Join(dir, part(usedNowhere)))))
	case notInModule.MatchString(message):
		path := part(notInModule)
		return explanation{message: "unknown package " + path, help: asDirectory(dir, path)}
	case excluded.MatchString(message):
		return explanation{message: message, help: tagged(dir, part(excluded))}
	default:
		for _, k := range knownMessages() {
			if found := k.message.FindStringSubmatchIndex(message); found != nil {
				e.message = string(k.message.ExpandString(nil, k.text, message, found))
				e.help = string(k.message.ExpandString(nil, k.help, message, found))
				e.ofModule = k.ofModule
				break
			}
		}
	}
	if e.message == "" {
		e.message = message
	}
	if strings.HasPrefix(message, e.message) {
		e.words = ""
	}
	return e
}

// firstSentence returns the first line of a message, and the next one if a colon refers to it.
func firstSentence(message string) string {
	first, rest, _ := strings.Cut(message, "\n")
	if second, _, _ := strings.Cut(strings.TrimSpace(rest), "\n"); strings.HasSuffix(first, ":") {
		return first + " " + second
	}
	return first
}

// withoutModule explains that a directory is not part of a module.
func withoutModule(dir string) (message, help string, ofModule bool) {
	in, run := "here", "run go mod init example.com/"+filepath.Base(absolute(dir))
	if working, err := os.Getwd(); err == nil && working != absolute(dir) {
		in, run = "in "+dir, run+" in "+dir
	}
	return "no go.mod found " + in + " or in a parent directory", run, true
}

// outsideWork explains that a workspace does not have a module.
func outsideWork(root string) (message, help string, ofModule bool) {
	use, err := filepath.Rel(absolute("."), absolute(root))
	if err != nil {
		use = root
	}
	message = "go.work does not list this module"
	if use != "." {
		message = "go.work does not list the module in " + filepath.ToSlash(use)
	}
	return message, "run go work use " + filepath.ToSlash(use) + ", or set GOWORK=off to read the module alone", true
}
