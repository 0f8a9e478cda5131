package edit_test

import (
	"go/scanner"
	"go/token"
)

// scan returns the tokens of a file of Go, strings without their values.
func scan(data []byte) (out []byte) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(data))
	s.Init(file, data, nil, 0)
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.STRING {
			literal = ""
		}
		out = append(out, tok.String()+" "+literal+"\n"...)
	}
}
