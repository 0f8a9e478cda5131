package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/crdproof/crdproof/diag"
)

// FuzzDiagnostics reads any bytes as an entry with findings. What is read is what was written: it has known severities
// and positions in the source, and reads the same when it is written again.
func FuzzDiagnostics(f *testing.F) {
	src := &diag.Source{Path: "a.go", Data: []byte("package a")}
	for _, list := range [][]diag.Diagnostic{nil, {{Message: "m", Severity: diag.Note}}, {{
		Span: diag.At(src, 1, 3), Check: "c", Notes: []string{"n"}, HelpText: "h", AlsoPaths: []string{"a", "b"},
		SeeAlso: []diag.Related{{Span: diag.At(src, 0, 0), Message: "m"}}, For: diag.At(src, 9, 9),
	}}} {
		var w Writer
		WriteDiagnostics(&w, list, spansOf{src})
		f.Add(w.Data())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(data)
		list, ok := ReadDiagnostics(r, spansOf{src})
		if !ok || !r.Complete() {
			return
		}
		for _, d := range list {
			if d.Severity > diag.Note {
				t.Errorf("severity %d", d.Severity)
			}
		}
		var w Writer
		if !WriteDiagnostics(&w, list, spansOf{src}) {
			t.Fatal("cannot be written again")
		}
		again, ok := ReadDiagnostics(NewReader(w.Data()), spansOf{src})
		if !ok || !reflect.DeepEqual(list, again) {
			t.Errorf("%+v is read as %+v", list, again)
		}
	})
}

// FuzzEntry writes any bytes into the file of an entry. The data of the entry is read, or nothing.
func FuzzEntry(f *testing.F) {
	c := in(filepath.Join(f.TempDir(), "cache"))
	key, data := Key{1}, []byte("data")
	c.Put("run", key, data)
	path := filepath.Join(c.dir, file("run", key))
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(append(sum("run", Key{2}, data), data...))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		got, ok := c.Get("run", key)
		if ok != bytes.Equal(content, whole) || ok && !bytes.Equal(got, data) {
			t.Errorf("read %q, %v from %q", got, ok, content)
		}
	})
}
