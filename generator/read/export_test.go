package read

// EachField visits all fields below a value, with paths that can be read in one way only.
func EachField(n *Node, visit func(path string, m *Member)) { n.each("", visit) }
