package support

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// warningList collects warnings as an API server does for the headers of an answer: each once, cut if there are many,
// and only as many as fit (apiserver, pkg/endpoints/filters/warning.go).
type warningList struct {
	// all are those that were added; sent are those of them that a client gets, and sentRunes is their length.
	all       []string
	sent      []string
	seen      map[string]bool
	sentRunes int
	// isCutting is set once all warnings together are too long.
	isCutting bool
}

// The limits in runes: of all warnings together, and of each one once the first limit is exceeded.
const (
	mostWarnings = 4 * 1024
	mostWarning  = 256
)

// isFull reports whether no more warnings are sent.
func (w *warningList) isFull() bool { return w.isCutting && w.sentRunes >= mostWarnings }

// add adds a warning.
func (w *warningList) add(text string) {
	if text == "" || w.isFull() || w.seen[text] {
		return
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[text] = true
	w.all = append(w.all, text)
	if isHeader(text) && !w.isCutting && w.sentRunes+utf8.RuneCountInString(text) > mostWarnings {
		w.isCutting, w.sent, w.sentRunes = true, nil, 0
		for _, text := range w.all {
			w.send(text)
		}
		return
	}
	w.send(text)
}

func (w *warningList) send(text string) {
	if w.isCutting {
		text = firstRunes(text, mostWarning)
	}
	if isHeader(text) {
		w.sent = append(w.sent, text)
		w.sentRunes += utf8.RuneCountInString(text)
	}
}

// isHeader reports whether a warning can be sent (apimachinery, pkg/util/net, NewWarningHeader).
func isHeader(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, unicode.IsControl) < 0
}

// firstRunes returns the beginning of a text.
func firstRunes(text string, most int) string {
	for at := range text {
		if most--; most < 0 {
			return text[:at]
		}
	}
	return text
}

// cut returns the beginning of a text in a warning, which has more than a number of runes if it is not the whole
// text: the rest would not be sent.
func cut(text []byte, runes int) []byte {
	end := runes * utf8.UTFMax
	if len(text) <= end {
		return text
	}
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
