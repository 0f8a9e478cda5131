// Package adopt finds where a repository calls controller-gen, and edits these places so that they call crdproof. It
// runs nothing, and reads only files of the repository.
//
// The steps, one file each:
//
//  1. find.go reads the files that may have calls, by a table of kinds of files
//  2. makefile.go, script.go and generate.go split a file of a kind into commands
//  3. words.go splits a command into words, variables.go knows what variables in it mean
//  4. call.go recognizes calls among the commands, and says why one is not understood
//  5. version.go finds the version of controller-gen
//  6. measure.go compares what both tools write, which the command has run in memory
//  7. write.go makes the plan into files, page.go prints it
package adopt

import "strings"

// A Found is what a repository has.
type Found struct {
	// Calls are in the order of their files and lines.
	Calls []Call
	// Version is that of controller-gen, "" if it is unknown.
	Version string
	// Done is the first place that calls crdproof already, "" for none.
	Done string
	// IsIncomplete is set if a limit has ended the search.
	IsIncomplete bool
}

// A Call is a place that calls controller-gen.
type Call struct {
	// File is the path of the file with slashes, relative to the repository. Line is that of the command.
	File string
	Line int
	// Command is the command as the file has it, between the offsets Start and End: a name, a path, a variable, or
	// go run with a package.
	Command    string
	Start, End int
	// Words are the options, with the values of variables. Dir is the directory in which the command runs, relative to
	// the repository.
	Words []string
	Dir   string
	// Target is the target of a Makefile whose recipe has the call.
	Target string
	// Why says why the call is not understood, "" if it is.
	Why string
	// After are the commands behind it that may edit what it has written.
	After []Step
	kind  *kind
	file  *file
	// main is the directory of the Makefile that reads the file, relative to the repository. defined is the offset
	// behind the line that defines the variable of the command, -1 if the file has none outside of conditions.
	main    string
	defined int
}

// A Step is a command that follows a call.
type Step struct {
	Line int
	Text string
}

// Writes reports whether the call is understood and has one of the generators that write CRDs. The others stay with
// controller-gen.
func (c *Call) Writes() bool { return c.Why == "" && c.names("crd") }

// names reports whether a generator is among the options.
func (c *Call) names(generator string) bool {
	for _, w := range c.Words {
		if name, _, _ := strings.Cut(strings.TrimPrefix(w, "+"), ":"); name == generator {
			return true
		}
	}
	return false
}
