package harness

import (
	"testing"

	"github.com/crdproof/crdproof/testdata/circle/source"
)

// TestTexts makes sure that no text is the key of a field: as the key of a map it would lead to that field.
func TestTexts(t *testing.T) {
	for i := range 1000 {
		file, err := source.Locate(source.Generate(1, i, "p", source.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if file.IsKey(text, []string{"spec"}) {
				t.Errorf("kind %d: %q is the key of a field", i, text)
			}
		}
	}
}
