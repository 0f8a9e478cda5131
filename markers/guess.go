package markers

import "text/scanner"

// guess tells what an argument of any type is from the text that starts with it, as controller-gen does: {…:…} and
// {} are maps, {…} and, where lists are allowed, a;b are lists of their first item's type; true and false are
// booleans; what is a number up to the next separator is one, and all else is a string, such as 100Mi, 08 or 1/2.
func guess(text string, allowList bool, depth int) Shape {
	if depth > maxDepth {
		return Shape{Kind: String} // which will not fit the text, and value stops at the same depth
	}
	shape := guessSingle(text, depth)
	if !allowList {
		return shape
	}
	sc := newScanner(text, func(*scanner.Scanner, string) {})
	for {
		switch sc.Scan() {
		case ';':
			return Shape{Kind: List, Elem: &shape}
		case ',', scanner.EOF:
			return shape
		}
	}
}

func guessSingle(text string, depth int) Shape {
	bad := false
	sc := newScanner(text, func(*scanner.Scanner, string) { bad = true })
	first := peek(sc)
	switch first {
	case '"', '\'', '`':
		return Shape{Kind: String}
	case '{':
		return guessBraces(sc, text, depth)
	}
	tok := sc.Scan()
	if first == 't' || first == 'f' {
		if word := sc.TokenText(); word == "true" || word == "false" {
			return Shape{Kind: Bool}
		}
		return Shape{Kind: String}
	}
	if tok == '-' {
		tok = sc.Scan()
	}
	if !bad && (tok == scanner.Int || tok == scanner.Float) {
		switch peek(sc) {
		case ',', ';', '}', scanner.EOF:
			if tok == scanner.Int {
				return Shape{Kind: Int}
			}
			return Shape{Kind: Number}
		}
	}
	return Shape{Kind: String}
}

// guessBraces tells a map from a list by the colon behind the first item.
func guessBraces(sc *scanner.Scanner, text string, depth int) Shape {
	sc.Scan()
	first := peek(sc)
	elem := guess(text[sc.Pos().Offset:], false, depth+1)
	if elem.Kind == String {
		// The same reading as for a map's key, the result of which does not matter.
		r := &reader{text: text, sc: sc}
		r.stringValue(true)
		if sc.Scan() == ':' || first == '}' {
			return Shape{Kind: Map, Elem: &Shape{Kind: Any}}
		}
	}
	return Shape{Kind: List, Elem: &elem}
}
