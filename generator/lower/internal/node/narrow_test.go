package node

import (
	"strconv"
	"testing"
)

// TestIndexPropertyLooksOnce changes the names of properties that have been looked at. If they are found by their old
// names, many markers on the fields of one wide struct look at each property once, not once for each marker.
func TestIndexPropertyLooksOnce(t *testing.T) {
	const wide = 1000
	over := &Node{}
	for i := range wide {
		over.Properties = append(over.Properties, Property{Name: strconv.Itoa(i), Node: Text()})
	}
	narrows := narrowing(over)
	for i := range wide {
		name := strconv.Itoa(i)
		p := narrows.Member(name)
		if p == nil || p.Name != name {
			t.Fatalf("the member %s is %v", name, p)
		}
		if child := narrows.Narrowed(*p); child != narrows.Narrowed(*p) || child.Over != p.Node {
			t.Fatalf("the node that narrows %s is %p", name, child)
		}
	}
	for _, n := range []*Node{over, narrows} {
		for i := range n.Properties {
			n.Properties[i].Name = "looked at"
		}
		for i := range wide {
			if got := n.IndexProperty(strconv.Itoa(i)); got != i {
				t.Fatalf("property %d is at %d", i, got)
			}
		}
		if got := n.IndexProperty("looked at"); got >= 0 {
			t.Errorf("property %d was looked at twice", got)
		}
	}
	renamed := over.Copy()
	if got := renamed.IndexProperty("looked at"); got != 0 {
		t.Errorf("a copy finds the first property at %d", got)
	}
}
