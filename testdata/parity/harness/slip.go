package harness

import "regexp"

// A Slip is made by changing a line that matches.
type Slip struct {
	Line *regexp.Regexp
	with string
}

// Made returns a line with the slip.
func (s Slip) Made(line string) string { return s.Line.ReplaceAllString(line, s.with) }

// Slips are what people write: words with a typing error, arguments that do not fit, tags and types that are broken.
func Slips() []Slip {
	return []Slip{
		{regexp.MustCompile(`^(\s*// \+kubebuilder:validation:\w+)(\w\b.*)$`), "${1}x$2"},
		{regexp.MustCompile(`^(\s*// \+kubebuilder:validation:M\w+=)\d+(.*)$`), "${1}many$2"},
		{regexp.MustCompile(`^(\s*// \+kubebuilder:default):?=.*$`), "$1={"},
		{regexp.MustCompile(`^(\s*// \+kubebuilder:validation:XValidation:.*rule=.*)self\.(.*)$`), "${1}slef.$2"},
		{regexp.MustCompile(`^(\t// )[A-Z]\w+ .*$`), "${1}+kubebuilder:validation:Maximum=high"}, // beside other markers
		{regexp.MustCompile(`^(\s*// \+)optional\s*$`), "${1}kubebuilder:validation:Optinal"},
		{regexp.MustCompile(`^(\s*// \+)required\s*$`), "${1}kubebuilder:validation:Requird"},
		{regexp.MustCompile(`^(\s+\w+ \*?)(string|int32|bool)( .json.*)$`), "${1}${2}x$3"},
		{regexp.MustCompile(`^(\s+\w+ \S+ \x60json:)"(\w+)(.*)$`), "$1$2$3"},
		{regexp.MustCompile(`^(\s*// \+)(?:listType|listMapKey)=(\w+)$`), "${1}listTipe=$2"},
		{regexp.MustCompile(`^(\s*// \+kubebuilder:printcolumn:.*type)=(\w+)(.*)$`), "$1=text$3"},
		{regexp.MustCompile(`^(\s*// \+kubebuilder:validation:Enum)=(.*)$`), "$1"},
		{regexp.MustCompile(`^(\s*// \+kubebuilder:validation:Pattern=.)(.*)$`), "${1}($2"},
	}
}
