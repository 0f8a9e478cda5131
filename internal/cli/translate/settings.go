package translate

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// WithOverlay returns a settings file, which names no overlay, with the name of one. It is nil if the layout of the
// file leaves no room for it.
func WithOverlay(settings []byte, name string) []byte {
	var document yaml.Node
	if err := yaml.Unmarshal(settings, &document); err != nil {
		return nil // the command has read it
	}
	line := "  overlay: " + name + "\n"
	if len(document.Content) == 0 {
		return append(withEnd(settings), "crd:\n"+line...)
	}
	key, crd := entry(document.Content[0], "crd")
	switch {
	case document.Content[0].Style&yaml.FlowStyle != 0:
		return nil
	case crd == nil:
		return append(withEnd(settings), "crd:\n"+line...)
	case crd.Kind != yaml.MappingNode || crd.Style&yaml.FlowStyle != 0:
		return nil
	}
	lines := bytes.SplitAfter(settings, []byte("\n"))
	return slices.Concat(bytes.Join(lines[:key.Line], nil), []byte(strings.Repeat(" ", crd.Column-1)+line[2:]),
		bytes.Join(lines[key.Line:], nil))
}

// entry returns a key of a mapping and its value, nil without one.
func entry(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// withEnd returns a file whose last line ends.
func withEnd(data []byte) []byte {
	if len(data) == 0 || bytes.HasSuffix(data, []byte("\n")) {
		return bytes.Clone(data)
	}
	return append(bytes.Clone(data), '\n')
}
