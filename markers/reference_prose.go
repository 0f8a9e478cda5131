package markers

// referenceIntro is how all markers are written.
const referenceIntro = `# Markers

<!-- Written by ` + "`go test ./generator -run TestMarkersReference -update`" + ` from the table in package markers and testdata/examples. -->

A marker is a line comment that starts with ` + "`+`" + `, in the comment directly above the declaration that it is for.
` + "`=` and `:=`" + ` mean the same. Strings may be bare words, "quoted" or in ` + "`` `backticks` ``" + `; lists are ` + "`a;b` or `{a, b}`" + `,
maps ` + "`{key: value}`" + `.

Below are [parts of lists and maps](#parts-of-lists-and-maps), [how tags are written](#how-tags-are-written), [rules in CEL](#rules-in-cel),
[where a CRD differs from Kubernetes' own validation](#where-a-crd-differs-from-kubernetes-own-validation), [mistakes](#mistakes) and
[each marker](#each-marker) with an example of what comes out of it: the schema of ` + "`spec`" + `, or what else of the CRD the marker is about.
Versions are shown without their schemas.
`

// partsReference introduces the prefixes; their examples follow it.
const partsReference = `
## Parts of lists and maps

Many markers that begin with ` + "`kubebuilder:validation:`" + ` have a variant for a part of what they stand on: ` + "`items:`" + ` speaks of the items of a list,
` + "`values:`" + ` of the values of a map and ` + "`keys:`" + ` of its keys. They stand behind one another in any number. controller-gen reads but one ` + "`items:`" + `.
In the tags of declarative validation [` + "`k8s:eachVal`](#k8seachval) and [`k8s:eachKey`](#k8seachkey)" + ` do the same.
`

// tagsReference describes the grammar of Kubernetes' declarative validation.
const tagsReference = `
## How tags are written

The tags of Kubernetes' declarative validation have a grammar of their own: ` + "`+k8s:name(arguments)=value # remark`" + `.

- In parentheses stands one argument without a name, ` + "`(name)`" + `, or those with names, ` + "`(union: \"source\", memberName: \"File\")`" + `.
- Values are words, strings in quotes or backticks, integers (also ` + "`0x10`" + `), ` + "`true` and `false`" + `. A word has letters, digits,
  ` + "`_`, `-` and `.`" + `; a string in which a backslash stands before anything but a quote or another backslash is refused.
- A tag that speaks of another marker has it behind its ` + "`=`" + `, any number of them in a row, and the last may be any marker of this page
  for a field or a type: ` + "`+k8s:subfield(name)=+kubebuilder:validation:MaxLength=63`" + `.
- Where a line ends within parentheses, or with ` + "`=`" + `, the tag goes on in the next line of the comment:

` + "```go" + `
// +k8s:alpha(since: "1.35")=
// +k8s:item(
// type: "Ready"
// )=+k8s:immutable
` + "```" + `
`

// rulesReference describes what the table has no room for: how rules are written over several lines, and named.
const rulesReference = `
## Rules in CEL

` + "`+crdproof:rule`" + ` takes its rule from the lines below it, as they stand: no quotes, no escapes, as many lines as it needs.

` + "```go" + `
// +crdproof:rule:message="max must be between min and 10",fieldPath=.max
//
//	self.min <= self.max &&
//	self.max < 10
type Range struct {
	Min int32 ` + "`json:\"min\"`" + `
	Max int32 ` + "`json:\"max\"`" + `
}
` + "```" + `

- The lines are indented by a tab, or by two spaces or more, so that to Go they are a code block, which gofmt leaves as it is. gofmt puts
  the empty line in front of them, and one behind them if more follows; you need not type either.
- They end before the first line that is not indented. Empty lines in between are part of the rule, and so is indentation beyond what all
  lines share.
- They are no part of the description, unlike other code in the documentation: theirs are the lines directly behind the marker alone, and
  only if it has neither ` + "`rule=` nor `use=`" + `.
- An API server demands a ` + "`message`" + ` of a rule of several lines.
- Mistakes in the CEL are told at their line and column. ` + "`+crdproof:rule` and `+kubebuilder:validation:XValidation`" + ` may
  stand on one declaration; the CRD has their rules in the order of the markers.

A rule with a ` + "`name`" + ` is written once and used on other types and fields:

` + "```go" + `
// +crdproof:rule:name=atMostOneSource,message="at most one of git and oci"
//
//	!has(self.git) || !has(self.oci)
type Source struct { … }

// +crdproof:rule:use=atMostOneSource,fieldPath=.oci
type Mirror struct { … }
` + "```" + `

- It holds where it is declared, and where it is used. On a package, in the comment above the package clause, it is only declared.
- ` + "`message`, `messageExpression`, `reason`, `fieldPath` and `optionalOldSelf`" + ` of a use take the place of the declaration's. A
  ` + "`message`" + ` alone takes that of its ` + "`messageExpression`" + ` as well.
- The name is looked for in the package of the use. ` + "`use=shared.ordered`" + ` is a rule of another package, by its name in the file's
  imports, or by the name or the path of any package that is read: those that ` + "`paths`" + ` name, and those that have a type of the CRD.
- Each use is proved against its own type. What is wrong there is told at the CEL, with the use beside it, and can be ignored at the use.
`

// differencesReference introduces the table of Differences.
const differencesReference = `
## Where a CRD differs from Kubernetes' own validation

The tags of declarative validation mean in a CRD what they mean to Kubernetes' own types, for which ` + "`validation-gen`" + ` writes validators in Go. Where an
object gets another verdict all the same, it is because the API server treats all CRDs so:

| Case | Seen with | What differs |
|---|---|---|
`
