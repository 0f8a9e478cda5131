package support

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// crdWarnings collects warnings as an API server does for the headers of an answer: each once, cut if there are many,
// and only as many as fit (apiserver, pkg/endpoints/filters/warning.go).
type crdWarnings struct {
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
	crdMostWarnings = 4 * 1024
	crdMostWarning  = 256
)

// isFull reports whether no more warnings are sent.
func (w *crdWarnings) isFull() bool { return w.isCutting && w.sentRunes >= crdMostWarnings }

// add adds a warning.
func (w *crdWarnings) add(text string) {
	if text == "" || w.isFull() || w.seen[text] {
		return
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[text] = true
	w.all = append(w.all, text)
	if crdIsHeader(text) && !w.isCutting && w.sentRunes+utf8.RuneCountInString(text) > crdMostWarnings {
		w.isCutting, w.sent, w.sentRunes = true, nil, 0
		for _, text := range w.all {
			w.send(text)
		}
		return
	}
	w.send(text)
}

func (w *crdWarnings) send(text string) {
	if w.isCutting {
		text = crdFirstRunes(text, crdMostWarning)
	}
	if crdIsHeader(text) {
		w.sent = append(w.sent, text)
		w.sentRunes += utf8.RuneCountInString(text)
	}
}

// crdIsHeader reports whether a warning can be sent (apimachinery, pkg/util/net, NewWarningHeader).
func crdIsHeader(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, unicode.IsControl) < 0
}

// crdFirstRunes returns the beginning of a text.
func crdFirstRunes(text string, most int) string {
	for at := range text {
		if most--; most < 0 {
			return text[:at]
		}
	}
	return text
}

// crdCut returns the beginning of a text in a warning, which has more than a number of runes if it is not the whole
// text: the rest would not be sent.
func crdCut(text []byte, runes int) []byte {
	end := runes * utf8.UTFMax
	if len(text) <= end {
		return text
	}
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
