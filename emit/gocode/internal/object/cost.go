package object

import (
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// costNote documents how an API server may differ from a helper because of cost: a helper counts no cost, but the
// server stops a rule, or all rules that follow, at its budget. The note is empty if the estimates exclude this for
// the kind.
func costNote(k *Kind) string {
	if len(k.ExpensiveFields) == 0 && !k.ExpensiveObject {
		return ""
	}
	var limits []string
	if len(k.ExpensiveFields) > 0 {
		fields := make([]string, len(k.ExpensiveFields))
		for i, f := range k.ExpensiveFields {
			fields[i] = Printable(f)
			if f == "" {
				fields[i] = "the object"
			}
		}
		limits = append(limits, "a rule that costs more than 1,000,000 units, which rules on "+joined(fields)+" may")
	}
	if k.ExpensiveObject {
		limits = append(limits, "the rules of an object that cost more than 10,000,000 units together, which they may")
	}
	return "It does not count the cost of rules. The API server stops " + strings.Join(limits, ", and ") +
		". It then reports an error that this function does not report."
}

// joined lists a few names, and counts the others.
func joined(names []string) string {
	const most = 5
	if len(names) > most {
		names = append(names[:most:most], "others")
	}
	return diag.And(names)
}

// filled wraps a text at a number of bytes.
func filled(text string, width int) string {
	words := strings.Fields(text)
	line, out := words[0], ""
	for _, word := range words[1:] {
		if len(line)+1+len(word) > width {
			out, line = out+line+"\n", word
		} else {
			line += " " + word
		}
	}
	return out + line
}
