package translate

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// WithOverlay returns a settings file that names one more overlay file. It is nil if the layout of the file leaves no
// room for it.
func WithOverlay(settings []byte, name string) []byte {
	var document yaml.Node
	if err := yaml.Unmarshal(settings, &document); err != nil {
		return nil // the command has read it
	}
	line := "  overlay: " + name + "\n"
	if len(document.Content) == 0 {
		return append(withEnd(settings), "crd:\n"+line...)
	}
	crd := value(document.Content[0], "crd")
	switch {
	case document.Content[0].Style&yaml.FlowStyle != 0:
		return nil
	case crd == nil:
		return append(withEnd(settings), "crd:\n"+line...)
	case crd.Kind != yaml.MappingNode || crd.Style&yaml.FlowStyle != 0:
		return nil
	}
	known := value(crd, "overlay")
	if known == nil {
		first := crd.Content[0]
		indent := strings.Repeat(" ", first.Column-1)
		return insert(settings, first.Line, indent+strings.TrimLeft(line, " "))
	}
	switch {
	case known.Kind == yaml.ScalarNode && known.Style == 0:
		lines := bytes.SplitAfter(settings, []byte("\n"))
		old := lines[known.Line-1]
		at := known.Column - 1
		lines[known.Line-1] = []byte(string(old[:at]) + "[" + known.Value + ", " + name + "]" + string(old[at+len(known.Value):]))
		return bytes.Join(lines, nil)
	case known.Kind == yaml.SequenceNode && known.Style&yaml.FlowStyle == 0:
		first := known.Content[0]
		indent := bytes.IndexByte(bytes.Split(settings, []byte("\n"))[first.Line-1], '-')
		return insert(settings, known.Content[len(known.Content)-1].Line+1, strings.Repeat(" ", indent)+"- "+name+"\n")
	}
	return nil
}

// value returns the value of a key, nil without one.
func value(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// insert adds a line before the one with a number, which counts from 1.
func insert(data []byte, before int, line string) []byte {
	lines := bytes.SplitAfter(withEnd(data), []byte("\n"))
	return bytes.Join([][]byte{bytes.Join(lines[:before-1], nil), []byte(line), bytes.Join(lines[before-1:], nil)}, nil)
}

// withEnd returns a file whose last line ends.
func withEnd(data []byte) []byte {
	if len(data) == 0 || bytes.HasSuffix(data, []byte("\n")) {
		return bytes.Clone(data)
	}
	return append(bytes.Clone(data), '\n')
}
