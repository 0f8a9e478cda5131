package gocode

import "strings"

// costNote says in the documentation of a helper what cost would change about its answers: nothing is counted here, but
// an API server gives up on a rule, or on all that follow, when it has counted to its budget. It is "" where the
// estimates prove that no object of the kind costs that much.
func costNote(k *Kind) string {
	if len(k.Dear) == 0 && !k.DearObject {
		return ""
	}
	var where []string
	if len(k.Dear) > 0 {
		fields := make([]string, len(k.Dear))
		for i, f := range k.Dear {
			fields[i] = printable(f)
			if f == "" {
				fields[i] = "the object"
			}
		}
		where = append(where, "when one rule costs more than 1,000,000 units, which those of "+joined(fields)+" may")
	}
	if k.DearObject {
		where = append(where, "when the rules of an object cost more than 10,000,000 units together, which they may")
	}
	return filled("The cost of rules is not counted. An API server gives up "+strings.Join(where, ", and ")+
		"; its estimates do not exclude it. Then it reports an error that this function does not.", 118)
}

// joined lists a few names, and counts the others.
func joined(names []string) string {
	const most = 5
	if len(names) > most {
		names = append(names[:most:most], "others")
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// filled breaks a text into lines of at most so many bytes.
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
