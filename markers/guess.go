package markers

import "text/scanner"

// guess returns the type of an argument of any type from the text that starts with it, as controller-gen does: {…:…}
// and {} are maps; {…} and, if lists are allowed, a;b are lists of their first item's type; true and false are
// booleans; a number up to the next separator is a number, and everything else is a string, such as 100Mi, 08 or 1/2.
func guess(text string, allowList bool, depth int) Shape {
	if depth > maxDepth {
		return Shape{Kind: String} // it will not fit the text, and value stops at the same depth
	}
	shape := guessSingle(text, depth)
	if !allowList {
		return shape
	}
	sc := scanners.Get().(*scanner.Scanner)
	defer scanners.Put(sc)
	scan(sc, text, func(*scanner.Scanner, string) {})
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
	sc := scanners.Get().(*scanner.Scanner)
	defer scanners.Put(sc)
	scan(sc, text, func(*scanner.Scanner, string) { bad = true })
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

// guessBraces distinguishes a map from a list by the colon after the first item.
func guessBraces(sc *scanner.Scanner, text string, depth int) Shape {
	sc.Scan()
	first := peek(sc)
	elem := guess(text[sc.Pos().Offset:], false, depth+1)
	if elem.Kind == String {
		// Reads as for a map's key; neither the result nor a mistake matters here.
		r := &reader{text: text, sc: sc, broken: true}
		r.stringValue(true)
		if sc.Scan() == ':' || first == '}' {
			return Shape{Kind: Map, Elem: &Shape{Kind: Any}}
		}
	}
	return Shape{Kind: List, Elem: &elem}
}
