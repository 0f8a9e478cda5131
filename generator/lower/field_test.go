package lower

import "testing"

func TestJSONName(t *testing.T) {
	for goName, want := range map[string]string{
		"Name": "name", "KMSKeyID": "kmsKeyID", "ID": "id", "X": "x", "URL": "url", "HTTPPort": "httpPort",
		"maxItems": "maxItems",
	} {
		if got := jsonName(&field{goName: goName}); got != want {
			t.Errorf("%s: %s, want %s", goName, got, want)
		}
	}
}
