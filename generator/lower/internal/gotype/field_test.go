package gotype

import (
	"testing"

	"github.com/crdproof/crdproof/generator/lower/internal/node"
)

func TestJSONName(t *testing.T) {
	for goName, want := range map[string]string{
		"Name": "name", "KMSKeyID": "kmsKeyID", "ID": "id", "X": "x", "URL": "url", "HTTPPort": "httpPort",
		"maxItems": "maxItems",
	} {
		if got := jsonName(&node.Field{GoName: goName}); got != want {
			t.Errorf("%s: %s, want %s", goName, got, want)
		}
	}
}
