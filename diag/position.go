package diag

import (
	"strconv"
	"strings"
)

// SplitPosition takes a position apart that the go command wrote: "file:line:column" or "file:line", the column then
// being 1. It reads from the right, since a file's name may hold colons. Anything else, such as "-", yields no file.
func SplitPosition(pos string) (file string, line, column int) {
	rest, last, ok := cutNumber(pos)
	if !ok {
		return "", 0, 0
	}
	if file, line, ok := cutNumber(rest); ok {
		return file, line, last
	}
	return rest, last, 1
}

// cutNumber cuts a colon and a number off the end.
func cutNumber(s string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

// Point returns the place of a line and a column, both from 1, the column in bytes; what lies behind the end of the
// line or of the file is moved to the end. The result is not valid where the file has no such line or cannot be read.
func (s *Source) Point(line, column int) Span {
	s.load()
	if s.Data == nil || line < 1 || line > len(s.lines) {
		return Span{}
	}
	offset := min(s.lines[line-1]+max(column, 1)-1, len(s.Data))
	return At(s, offset, offset)
}
