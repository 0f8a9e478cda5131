package input

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestExtractLinks extracts links. Those that lead out of the directory are left out, also if they do so by other links:
// the CRDs of a revision are read by packages that follow all links.
func TestExtractLinks(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(outside), "files")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	archive := tar.NewWriter(&data)
	add := func(header tar.Header, content string) {
		header.Mode, header.Size = 0o600, int64(len(content))
		if err := archive.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	links := []struct {
		name, to string
		stays    bool
	}{
		{"early.yaml", "crds/a.yaml", true},
		{"crds/same.yaml", "a.yaml", true},
		{"crds/up", "..", true},
		{"absolute.yaml", outside, false},
		{"relative.yaml", "../secret.yaml", false},
		{"crds/chain.yaml", "up/../secret.yaml", false},
		{"dangling.yaml", "nowhere.yaml", false},
	}
	add(tar.Header{Typeflag: tar.TypeDir, Name: "crds/"}, "")
	for _, link := range links {
		add(tar.Header{Typeflag: tar.TypeSymlink, Name: link.name, Linkname: link.to}, "")
	}
	add(tar.Header{Typeflag: tar.TypeReg, Name: "crds/a.yaml"}, "a")
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := extract(tar.NewReader(&data), dir); err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if _, err := os.Lstat(filepath.Join(dir, link.name)); (err == nil) != link.stays {
			t.Errorf("%s -> %s: %v", link.name, link.to, err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "early.yaml")); err != nil || string(got) != "a" {
		t.Errorf("early.yaml: %q, %v", got, err)
	}
}
