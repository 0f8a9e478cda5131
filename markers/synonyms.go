package markers

import (
	"regexp"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// This file knows names and notations of other validation libraries, of schemas and of CRDs.

// synonym returns the marker that does what a keyword of another validation library does, or "": those of Go's
// validator tags, of protovalidate and of JSON Schema.
func (t *Table) synonym(stem string, target Target) string {
	stem, argument, _ := strings.Cut(stem, ":")
	word := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(stem))
	meant := map[string]string{
		"min": "Minimum", "gte": "Minimum", "minvalue": "Minimum", "max": "Maximum", "lte": "Maximum",
		"maxvalue": "Maximum", "minlen": "MinLength", "maxlen": "MaxLength", "minsize": "MinItems",
		"maxsize": "MaxItems", "minprops": "MinProperties", "maxprops": "MaxProperties", "regex": "Pattern",
		"regexp": "Pattern", "matches": "Pattern", "values": "Enum", "allowedvalues": "Enum", "oneof": "Enum",
		"in": "Enum", "cel": "XValidation", "celrule": "XValidation",
	}[word]
	switch {
	case word == "oneof" && target == Type:
		meant = "ExactlyOneOf"
	case word == "anyof" && target == Type:
		meant = "AtLeastOneOf"
	}
	if t.index[key{target, validationPrefix + meant}] == nil || argument != "" && meant != "XValidation" {
		return ""
	}
	if argument != "" {
		meant += ":" + argument
	}
	return validationPrefix + meant
}

// keywordOfCRD returns the marker for a keyword of CRDs that is called otherwise, perhaps misspelled: that of printer
// columns. It keeps the argument.
func (t *Table) keywordOfCRD(stem string) string {
	word, argument, _ := strings.Cut(stem, ":")
	if diag.Near(word, []string{"printerColumn", "printerColumns", "additionalPrinterColumns"}) == "" {
		return ""
	}
	if argument != "" {
		argument = ":" + argument
	}
	return "kubebuilder:printcolumn" + argument
}

// requiredFields matches a validation of KEP-2335 that requires fields.
var requiredFields = regexp.MustCompile(`\brequired"?:\s*[{\[]([^{}\[\]]*)[}\]]`)

// requiredNames returns the names of the fields that the validations in a text require.
func requiredNames(text string) (out []string) {
	for _, m := range requiredFields.FindAllStringSubmatch(text, -1) {
		for name := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return strings.ContainsRune(`,;"' `, r) }) {
			out = append(out, name)
		}
	}
	return out
}

// ofFields says how a group of fields is written that validations name in a marker, of which there may be more.
func ofFields(marker string, names []string) string {
	if len(names) > 1 {
		return "write +" + marker + "=" + strings.Join(names, ";")
	}
	return "write one +" + marker + " for the whole group, with the names of its fields, as in a;b"
}
