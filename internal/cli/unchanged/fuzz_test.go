package unchanged

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// FuzzFacts reads any bytes as an entry with facts, and compares the facts with the disk. What is read, reads the same
// when it is written again.
func FuzzFacts(f *testing.F) {
	const directory = dir
	root := f.TempDir()
	facts := []fact{{kind: file, path: filepath.Join(root, "a.go")}, {kind: directory, path: root},
		{kind: link, path: root}, {kind: program, path: "go"}}
	for i := range facts {
		facts[i].update(time.Now())
	}
	f.Add(writeFacts(environment{"GOFLAGS": "-mod=mod"}, facts))
	f.Add(writeFacts(environment{}, nil))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		env, facts, whole := readFacts(data)
		if !whole {
			return
		}
		again, same, whole := readFacts(writeFacts(env, facts))
		if !whole || !reflect.DeepEqual(facts, same) {
			t.Errorf("%v is read as %v, %v", facts, same, whole)
		}
		for name, value := range env {
			if again[name] != value {
				t.Errorf("%s=%q is read as %q", name, value, again[name])
			}
		}
	})
}
