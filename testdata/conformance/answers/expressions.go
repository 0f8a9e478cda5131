package answers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/testdata/conformance/expressions"
)

// ExpressionConfig says which expressions to try.
type ExpressionConfig struct {
	Seed uint64
	// Expressions is about how many; First is the number of the first batch.
	Expressions, First int
	// Objects is how many objects each batch is asked about.
	Objects int
}

// Expressions of a batch share a CRD, and those of a program are compiled together.
const (
	batchSize    = 100
	programBatch = 16
)

// An ExpressionReport is what came of expressions.
type ExpressionReport struct {
	Report
	// Rules is how many were tried, Discarded how many the server does not compile.
	Rules, Discarded int
	// Rejections are those that the server compiles and crdproof does not.
	Rejections []Rejection
}

// RunExpressions makes rules and objects and asks both judges. Root is crdproof's own directory, work an empty one.
func RunExpressions(ctx context.Context, work, root string, cfg ExpressionConfig) (*ExpressionReport, error) {
	out := &ExpressionReport{}
	batches := (cfg.Expressions + batchSize - 1) / batchSize
	for first := 0; first < batches && ctx.Err() == nil; first += programBatch {
		var files []File
		for i := first; i < min(first+programBatch, batches); i++ {
			number := cfg.First + i
			b, err := expressions.Make(cfg.Seed, uint64(number), batchSize)
			if err != nil {
				return out, fmt.Errorf("batch %d: %w", number, err)
			}
			out.Rules, out.Discarded = out.Rules+b.Rules, out.Discarded+len(b.Rejected)
			name := fmt.Sprintf("expressions/%d", number)
			files = append(files, File{Name: name, Package: name, Data: b.CRD, calm: true})
		}
		dir := filepath.Join(work, strconv.Itoa(first))
		p, kinds, rejections, err := Compile(ctx, dir, root, files)
		out.Rejections = append(out.Rejections, rejections...)
		if err != nil {
			return out, err
		}
		r, err := Run(ctx, p, Config{Kinds: kinds, Seed: cfg.Seed, Objects: cfg.Objects * len(kinds)})
		if err != nil {
			return out, err
		}
		out.merge(r)
		if err := os.RemoveAll(dir); err != nil {
			return out, err
		}
	}
	return out, ctx.Err()
}

var rulePath = regexp.MustCompile(
	`^spec\.versions\[(\d+)\]\.schema\.openAPIV3Schema(.*)\.x-kubernetes-validations\[(\d+)\]`)

// withoutRules takes rules out of a CRD, which are named by paths, and returns how many there were. The rest stay where
// they are, so that they become what is always true.
func withoutRules(data []byte, paths []string) ([]byte, int, error) {
	var crd map[string]any
	if err := yaml.Unmarshal(data, &crd); err != nil {
		return nil, 0, err
	}
	removed := 0
	for _, path := range paths {
		m := rulePath.FindStringSubmatch(path)
		if m == nil {
			continue
		}
		version, _ := strconv.Atoi(m[1])
		index, _ := strconv.Atoi(m[3])
		v := crd["spec"].(map[string]any)["versions"].([]any)[version].(map[string]any)
		node := nodeAt(v["schema"].(map[string]any)["openAPIV3Schema"], m[2])
		if node == nil {
			return nil, 0, fmt.Errorf("there is nothing at %s", path)
		}
		node["x-kubernetes-validations"].([]any)[index] = map[string]any{"rule": "true"}
		removed++
	}
	out, err := yaml.Marshal(crd)
	return out, removed, err
}

// nodeAt finds a schema by the path that the server gives it: .properties[spec].items.
func nodeAt(v any, path string) map[string]any {
	node, _ := v.(map[string]any)
	for path != "" && node != nil {
		path = strings.TrimPrefix(path, ".")
		if rest, ok := strings.CutPrefix(path, "properties["); ok {
			name, after, _ := strings.Cut(rest, "]")
			properties, _ := node["properties"].(map[string]any)
			node, _ = properties[name].(map[string]any)
			path = after
			continue
		}
		name, after, _ := strings.Cut(path, ".")
		node, _ = node[name].(map[string]any)
		path = after
	}
	return node
}
