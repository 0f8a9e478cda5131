package support

import "strconv"

// crdWarnOfRepeats warns of the keys that objects of valid JSON have twice, in the order of the text.
func crdWarnOfRepeats(r crdDecoder, warnings *crdWarnings) {
	r.at = 0
	r.skip()
	keys := crdRepeatedKeys{crdDecoder: r, warnings: warnings, found: map[string]bool{}}
	keys.value()
}

// crdRepeatedKeys finds the keys that objects have twice.
type crdRepeatedKeys struct {
	crdDecoder
	// path leads to the current value: .ports[0].name
	path     []byte
	warnings *crdWarnings
	found    map[string]bool
}

// crdMostStrict is how many strict errors of an object are reported (sigs.k8s.io/json, saveStrictError).
const crdMostStrict = 100

// value reads a value of valid JSON, until enough keys are found.
func (r *crdRepeatedKeys) value() {
	above := len(r.path)
	switch {
	case r.next('{'):
		const isReported = true
		seen := map[string]bool{}
		for !r.next('}') && len(r.found) < crdMostStrict {
			key, _ := r.decodeString()
			r.next(':')
			r.path = append(append(r.path, '.'), key...)
			if reported, again := seen[key]; again && !reported {
				seen[key] = isReported
				r.report()
			} else if !again {
				seen[key] = !isReported
			}
			r.value()
			r.path = r.path[:above]
			r.next(',')
		}
	case r.next('['):
		for i := 0; !r.next(']') && len(r.found) < crdMostStrict; i++ {
			r.path = append(strconv.AppendInt(append(r.path, '['), int64(i), 10), ']')
			r.value()
			r.path = r.path[:above]
			r.next(',')
		}
	default:
		_, _ = r.decode(nil, 0)
	}
}

// report warns of the key at the end of the path, once for equal paths.
func (r *crdRepeatedKeys) report() {
	path := crdCut(r.path[1:], crdMostWarnings)
	if !r.found[string(path)] {
		r.found[string(path)] = true
		r.warnings.add("duplicate field " + strconv.Quote(string(path)))
	}
}
