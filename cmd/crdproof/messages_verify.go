package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
)

// changedFile shows the first lines that differ; nil is the end of the file.
func changedFile(at diag.Span, is, want []byte) diag.Diagnostic {
	notes := []string{"it is        " + string(is), "it should be " + string(want)}
	switch {
	case is == nil:
		notes = []string{"it ends here", "it should go on with " + string(want)}
	case want == nil:
		notes[1] = "it should end before"
	case bytes.Equal(is, want):
		notes = []string{"the line break at the end of the last line is missing, or too much"}
	}
	return diag.Diagnostic{
		Span: at, Check: ruleDiffers, Message: "the file is not what would be generated, from this line on",
		Notes: notes, HelpText: "run the same without --verify, and commit the file",
	}
}

func missingFile(src *diag.Source) diag.Diagnostic {
	return diag.Diagnostic{
		Span: diag.At(src, 0, 0), Check: ruleMissing, Message: "the file would be generated, but is not there",
		HelpText: "run the same without --verify, and commit the file",
	}
}

// String is a line about a difference, for who sees its diff above.
func (d *difference) String() string {
	switch d.rule {
	case ruleMissing:
		return input.Shown(d.path) + " is missing"
	case ruleStale:
		lines := append([]string{input.Shown(d.path) + " is stale: " + d.stale.why}, d.stale.notes()...)
		if d.stale.foreign {
			lines = append(lines, "help: "+d.stale.help())
		}
		return strings.Join(lines, "\n   ")
	}
	if d.onlyLineEnds() {
		return input.Shown(d.path) + " differs in its line ends alone\n   help: " + keepLineEnds(d.path)
	}
	return input.Shown(d.path) + " differs"
}

// keepLineEnds is how git is told to leave the line ends of generated files alone.
func keepLineEnds(path string) string {
	return fmt.Sprintf("*%s text eol=lf in .gitattributes keeps git from changing them", filepath.Ext(path))
}

func otherLineEnds(at diag.Span, path string) diag.Diagnostic {
	return diag.Diagnostic{
		Span: at, Check: ruleDiffers, Message: "the lines end in CRLF, not in LF as they would be generated; nothing else differs", HelpText: keepLineEnds(path),
	}
}

// summary counts differences, and says what to do.
func summary(list []difference) string {
	count := map[string]int{}
	for i := range list {
		count[list[i].rule]++
	}
	var parts []string
	for _, is := range []struct{ rule, one, many string }{
		{ruleDiffers, "differs", "differ"}, {ruleMissing, "is missing", "are missing"}, {ruleStale, "is stale", "are stale"},
	} {
		n := count[is.rule]
		if n == 0 {
			continue
		}
		amount, verb := fmt.Sprint(n), is.many
		if len(parts) == 0 {
			amount = counted(n, "file")
		}
		if n == 1 {
			verb = is.one
		}
		parts = append(parts, amount+" "+verb)
	}
	help := "run the same without --verify"
	switch removable := slices.ContainsFunc(list, func(d difference) bool { return d.stale != nil && !d.stale.foreign }); {
	case removable:
		help = "run the same with --prune instead of --verify"
	case count[ruleStale] == len(list):
		help = "remove what was made here"
	}
	return strings.Join(parts, ", ") + "; " + help
}

// finding tells of a stale file: as an error where it is asked whether there are any, as a warning else.
func (s *staleFile) finding(severity diag.Severity) diag.Diagnostic {
	return diag.Diagnostic{
		Span: s.at, Check: ruleStale, Severity: severity, Message: "the file is stale: " + s.why,
		Notes: s.notes(), HelpText: s.help(),
	}
}

func (s *staleFile) help() string {
	if s.foreign {
		return "remove it if it was made here; else keep it in a folder of its own, or take the annotation of the generator off it"
	}
	return "run the same with --prune, which removes it"
}

func writtenElsewhere(name, path string) string {
	return fmt.Sprintf("%s is written to %s now", name, input.Shown(path))
}

func noTypeAnyMore(name string) string {
	return fmt.Sprintf("no Go type makes the CRD %s any more", name)
}

// noPackage is about a group that no package declares; before is set where one did.
func noPackage(name, group string, before bool) string {
	text := fmt.Sprintf("no Go package declares the group %s of the CRD %s", group, name)
	if before {
		text += " any more"
	}
	return text
}

// notes say what --prune does not do.
func (s *staleFile) notes() []string {
	if !s.foreign {
		return nil
	}
	return []string{"--prune leaves it: the commit that last changed it has no package of that group either, so that it may come from another repository"}
}

func noKindsAnyMore() string { return "its package has no kinds any more" }

// filesOfOthers tells of files that packages in dirs may make, which the run does not read.
func filesOfOthers(folder string, files []crdFile, dirs []string) diag.Diagnostic {
	slices.Sort(dirs)
	var names []string
	for _, dir := range slices.Compact(dirs) {
		names = append(names, input.Shown(dir))
	}
	return diag.Diagnostic{
		Check: ruleStale, Severity: diag.Note,
		Message: fmt.Sprintf("%s in %s may come from packages that this run does not read", counted(len(files), "CRD"), input.Shown(folder)),
		Notes:   []string{namesOf(files), "their groups are declared in " + strings.Join(names, ", ")},
	}
}

// filesOfNobody tells of files whose groups are not declared here, where it is not known which other modules there are.
func filesOfNobody(folder string, files []crdFile, err error) diag.Diagnostic {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return diag.Diagnostic{
		Check: ruleStale, Severity: diag.Note,
		Message: fmt.Sprintf("%s in %s may be stale, or come from other modules", counted(len(files), "CRD"), input.Shown(folder)),
		Notes:   []string{namesOf(files), "the packages of other modules cannot be listed: " + first},
	}
}

// filesOfUnread tells of files whose groups may be declared in directories that cannot be read.
func filesOfUnread(folder string, files []crdFile, dirs []string) diag.Diagnostic {
	var names []string
	for _, dir := range dirs {
		names = append(names, input.Shown(dir))
	}
	return diag.Diagnostic{
		Check: ruleStale, Severity: diag.Note,
		Message: fmt.Sprintf("%s in %s may be stale, or come from packages that cannot be read", counted(len(files), "CRD"), input.Shown(folder)),
		Notes:   []string{namesOf(files), "there is no reading " + strings.Join(names, ", ")},
	}
}

func namesOf(files []crdFile) string {
	var names []string
	for i := range files {
		names = append(names, filepath.Base(files[i].path))
	}
	return strings.Join(names, ", ")
}

func verifyAndPrune() diag.Diagnostic {
	return optionError("first --verify, then --prune", nil, "--verify changes nothing, and --prune removes files")
}

func nothingToVerify() diag.Diagnostic {
	return optionError("name the folder that holds the files, as in output:crd:dir=config/crd/bases", nil,
		"there is nothing to verify: with these output rules no file is written")
}

func nothingToPrune() diag.Diagnostic {
	return optionError("name the folder that holds the files, as in crd output:crd:dir=config/crd/bases", nil,
		"there is nothing to prune: neither crd nor helpers writes files in this run")
}
