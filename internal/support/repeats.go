package support

import "strconv"

// warnOfRepeats warns of the keys that objects of valid JSON have twice, in the order of the text.
func warnOfRepeats(r decoder, warnings *warningList) {
	r.at = 0
	r.skip()
	keys := repeatedKeys{r, nil, warnings, map[string]bool{}}
	keys.value()
}

// repeatedKeys finds the keys that objects have twice.
type repeatedKeys struct {
	decoder
	// path leads to the current value: .ports[0].name
	path     []byte
	warnings *warningList
	found    map[string]bool
}

// mostStrict is how many strict errors of an object are reported (sigs.k8s.io/json, saveStrictError).
const mostStrict = 100

// value reads a value of valid JSON, until enough keys are found.
func (r *repeatedKeys) value() {
	above := len(r.path)
	switch {
	case r.next('{'):
		const isReported = true
		seen := map[string]bool{}
		for !r.next('}') && len(r.found) < mostStrict {
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
		for i := 0; !r.next(']') && len(r.found) < mostStrict; i++ {
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
func (r *repeatedKeys) report() {
	path := cut(r.path[1:], mostWarnings)
	if !r.found[string(path)] {
		r.found[string(path)] = true
		r.warnings.add("duplicate field " + strconv.Quote(string(path)))
	}
}
