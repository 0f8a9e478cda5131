package regular_test

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/internal/regular"
)

var crds = flag.String("crds", "../../testdata", "directory whose YAML files have the patterns of BenchmarkInclusion")

// BenchmarkInclusion decides for each pair of patterns whether the second one matches all strings that the first one
// matches.
func BenchmarkInclusion(b *testing.B) {
	patterns := compile(b, patternsIn(b, *crds)...)
	pairs := len(patterns) * len(patterns)
	for b.Loop() {
		var unknown, none int
		var slowest time.Duration
		for _, match := range patterns {
			for _, avoid := range patterns {
				start := time.Now()
				_, answer := regular.Find(regular.Query{
					Match: []*regular.Pattern{match}, Avoid: []*regular.Pattern{avoid}, MaxLength: -1,
				}, steps, total(b))
				if took := time.Since(start); took > slowest {
					slowest = took
					if testing.Verbose() {
						b.Logf("%v %v: %.60q %.60q", took, answer, match, avoid)
					}
				}
				switch answer {
				case regular.Unknown:
					unknown++
					b.Logf("unknown: %.300q %.300q", match, avoid)
				case regular.None:
					none++
				}
			}
		}
		b.ReportMetric(float64(pairs), "pairs")
		b.ReportMetric(float64(unknown), "unknown")
		b.ReportMetric(float64(none), "included")
		b.ReportMetric(float64(slowest.Microseconds()), "µs-slowest")
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*pairs), "µs/pair")
}

// patternsIn are the patterns of the CRDs in a directory.
func patternsIn(b *testing.B, dir string) []string {
	b.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(data), "kind: CustomResourceDefinition") {
			return err
		}
		decoder := yaml.NewDecoder(strings.NewReader(string(data)))
		for {
			var node yaml.Node
			if decoder.Decode(&node) != nil { // the end, or a file with a mistake
				return nil
			}
			collect(b, &node, found)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}

func collect(b *testing.B, node *yaml.Node, found map[string]bool) {
	for i, child := range node.Content {
		isPattern := node.Kind == yaml.MappingNode && i%2 == 1 && node.Content[i-1].Value == "pattern" &&
			child.Kind == yaml.ScalarNode
		if _, err := regular.Compile(child.Value, total(b)); isPattern && err == nil {
			found[child.Value] = true
		}
		collect(b, child, found)
	}
}
