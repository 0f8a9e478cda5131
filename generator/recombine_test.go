package generator_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
)

var (
	recombined = flag.Int("recombined", 20, "how many recombined sources to compare with controller-gen")
	firstSeed  = flag.Uint64("first-seed", 1, "the first seed of recombined sources")
	keep       = flag.String("keep", "", "directory in which to keep the recombined sources that differ")
)

// TestRecombined makes new sources from the lines of the cases, and compares the output under compat=controller-gen
// with controller-gen's own: whatever controller-gen accepts must give the same output.
func TestRecombined(t *testing.T) {
	pool := newPool(t)
	var cases []*testCase
	for i := range *recombined {
		seed := *firstSeed + uint64(i)
		c := &testCase{name: fmt.Sprintf("seed%d", seed),
			header: map[string]string{"options": "allowDangerousTypes=true"}}
		c.archive = &txtar.Archive{Files: []txtar.File{{Name: "v1/types.go", Data: []byte(pool.source(seed))}}}
		cases = append(cases, c)
	}
	root := t.TempDir()
	writeCases(t, root, cases)
	oracle := &oracle{root: root}
	var accepted atomic.Int32
	t.Run("group", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				if c.compareRecombined(t, oracle) {
					accepted.Add(1)
				}
				if t.Failed() && *keep != "" {
					writeFile(t, filepath.Join(*keep, c.name+".go"), c.archive.Files[0].Data)
				}
			})
		}
	})
	t.Logf("controller-gen accepts %d of %d", accepted.Load(), len(cases))
}

func (c *testCase) compareRecombined(t *testing.T, oracle *oracle) (accepted bool) {
	opts := asControllerGen(c.options(t))
	compat := c.generate(t, c.list(t), opts)
	text := c.render(t, compat.Diagnostics)
	if strings.Contains(text, "[go-") || strings.Contains(text, "[type-undefined]") {
		return false // invalid Go, for which controller-gen's recursion may not end
	}
	if strings.Contains(text, "[file-name]") {
		return false // controller-gen writes outside the output directory
	}
	want, again := oracle.run(t, c), oracle.run(t, c)
	if want.verdict != "" || again.verdict != "" {
		return false
	}
	if slices.Equal(filesOf(want), filesOf(again)) && !diag.HasErrors(compat.Diagnostics) {
		c.header["oracle"] = ""
		c.compareOracle(t, oracle, compat)
	} else if diag.HasErrors(compat.Diagnostics) {
		t.Errorf("controller-gen accepts what crdproof rejects:\n%s", c.render(t, compat.Diagnostics))
	}
	return true
}

func filesOf(a answer) []string {
	var out []string
	for name, data := range a.files {
		out = append(out, name+"\n"+string(data))
	}
	slices.Sort(out)
	return out
}

// A linePool has the pieces from which sources are recombined.
type linePool struct {
	files   []string // what follows package clause and imports
	markers []string
	types   []string
	tags    []string
}

// The parts of a line that declares a field, as gofmt lays it out.
var (
	fieldLine  = regexp.MustCompile("^(\\s+)(\\w+)(\\s+)(\\S.*?)(\\s+)(`json:\"[^`]*`)$")
	importDecl = regexp.MustCompile(`(?s)\A.*?package \w+\n(?:\s*import (?:\([^)]*\)|[^\n]*)\n)*`)
)

func newPool(t testing.TB) *linePool {
	t.Helper()
	p := &linePool{}
	for _, c := range readCases(t) {
		for _, f := range c.archive.Files {
			if f.Name != "v1/types.go" || slices.ContainsFunc(unfitForRecombination(), func(s string) bool {
				return strings.Contains(string(f.Data), s)
			}) {
				continue
			}
			body := importDecl.ReplaceAllString(string(f.Data), "")
			p.files = append(p.files, body)
			for line := range strings.Lines(body) {
				line = strings.TrimRight(line, "\r\n")
				if text, ok := strings.CutPrefix(strings.TrimSpace(line), "// +"); ok &&
					!strings.HasPrefix(text, "groupName") {
					p.markers = append(p.markers, "// +"+text)
				}
				if m := fieldLine.FindStringSubmatch(line); m != nil {
					p.types = append(p.types, m[4])
					p.tags = append(p.tags, m[6])
				}
			}
		}
	}
	return p
}

// unfitForRecombination lists what a source must not contain: code that causes findings in other files, code for which
// controller-gen writes a file without a name, and pairs of markers from which it picks one at random.
func unfitForRecombination() []string {
	return []string{caseModule, "skipversion", "+k8s:immutable", "+k8s:minimum", "Widget[T any]"}
}

const recombinedHead = `// +groupName=example.com
package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

`

// source recombines pieces of the cases: a body with a Spec, some declarations of other bodies, and a few lines
// changed.
func (p *linePool) source(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	lines := strings.Split(pick(p.files)+"\n"+pick(p.files), "\n")
	for range rng.IntN(12) {
		i := rng.IntN(len(lines))
		line := lines[i]
		field := fieldLine.FindStringSubmatch(line)
		switch op := rng.IntN(6); {
		case op <= 1 && field != nil:
			lines = slices.Insert(lines, i, "\t"+pick(p.markers))
		case op == 2 && field != nil:
			lines[i] = field[1] + field[2] + field[3] + pick(p.types) + field[5] + field[6]
		case op == 3 && field != nil:
			lines[i] = field[1] + field[2] + field[3] + field[4] + field[5] + pick(p.tags)
		case op == 4 && strings.HasPrefix(strings.TrimSpace(line), "// +"):
			lines[i] = pick(p.markers)
		case op == 5 && strings.HasPrefix(line, "type "):
			lines = slices.Insert(lines, i, pick(p.markers))
		}
	}
	return recombinedHead + distinct(lines)
}

// distinct drops types that were declared before: two bodies often have a Spec each.
func distinct(lines []string) string {
	seen := map[string]bool{}
	name := regexp.MustCompile(`^type (\w+)`)
	var out strings.Builder
	skipping := false
	for _, line := range lines {
		if m := name.FindStringSubmatch(line); m != nil {
			skipping = seen[m[1]]
			seen[m[1]] = true
			if skipping && !strings.HasSuffix(line, "{") {
				skipping = false
				continue
			}
		}
		if !skipping {
			out.WriteString(line + "\n")
		}
		if line == "}" || line == ")" {
			skipping = false
		}
	}
	return out.String()
}

// FuzzRecombined feeds recombined sources to all stages behind the go command: more of them are good Go than of those
// that FuzzPipeline makes.
func FuzzRecombined(f *testing.F) {
	pool := newPool(f)
	for seed := range uint64(20) {
		f.Add(seed, byte(seed*37))
	}
	p := newPipeline(f)
	f.Fuzz(func(t *testing.T, seed uint64, options byte) {
		src := pool.source(seed)
		t.Log(src)
		p.check(t, src, options)
	})
}
