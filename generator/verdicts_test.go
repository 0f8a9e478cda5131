package generator_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/rules/verdicts"
)

var revised = flag.Int("revised", 40, "how many random changes of sources to validate with earlier verdicts")

// TestVerdicts validates the CRDs of the cases with the verdicts of earlier runs: of the same case in another
// directory, and of the case before random changes. It compares all findings with those of a run without a cache.
func TestVerdicts(t *testing.T) {
	t.Setenv("CRDPROOF_CACHE", filepath.Join(t.TempDir(), "cache"))
	results, err := cache.Open()
	if err != nil {
		t.Fatal(err)
	}
	pool := newPool(t)
	here, there := readCases(t), readCases(t)
	writeCases(t, t.TempDir(), here)
	writeCases(t, t.TempDir(), there)
	rng := rand.New(rand.NewPCG(*firstSeed, 0))
	each := max(1, len(here)/max(1, *revised/4)) // four changes of each case, or more of all cases
	most := max(4, *revised/len(here))
	validated, known := 0, 0
	for i := range here {
		if i%each != 0 || here[i].header["known"] != "" {
			continue
		}
		v := verdictTest{results, here[i].options(t)}
		v.compare(t, here[i])
		if all, hits := v.compare(t, there[i]); hits != all {
			t.Errorf("%s: the cache has %d of %d verdicts for a case that has moved", here[i].name, hits, all)
		}
		for range most {
			if !there[i].revise(t, rng, pool) {
				break
			}
			all, hits := v.compare(t, there[i])
			validated, known = validated+all, known+hits
		}
	}
	t.Logf("after changes, the cache has %d of %d verdicts", known, validated)
	if *revised >= 40 && (known == 0 || known == validated) {
		t.Error("the changes matter always, or never")
	}
}

type verdictTest struct {
	cache *cache.Cache
	opts  generator.Options
}

// compare runs a case with the cache and without it. It returns how many CRDs are validated, and how many of them the
// cache has.
func (v verdictTest) compare(t *testing.T, c *testCase) (all, known int) {
	t.Helper()
	listing := c.list(t)
	want := generator.RunListed(listing, c.config(v.opts))
	cfg := c.config(v.opts)
	cfg.Verdicts = verdicts.In(v.cache)
	got := generator.RunListed(listing, cfg)
	if !bytes.Equal(encoded(got.Diagnostics), encoded(want.Diagnostics)) {
		t.Errorf("%s: with the cache:\n%s\nwithout:\n%s\n%s", c.name, c.render(t, got.Diagnostics),
			c.render(t, want.Diagnostics), c.sources(t))
	}
	return cfg.Verdicts.Counts()
}

// encoded is everything that diagnostics say.
func encoded(list []diag.Diagnostic) []byte {
	var w cache.Writer
	cache.WriteDiagnostics(&w, list, offsets{})
	return w.Data()
}

// offsets writes positions as they are.
type offsets struct{}

func (offsets) WriteSpan(w *cache.Writer, at diag.Span) bool {
	w.String(fmt.Sprintf("%s:%d:%d", at.Source.Path, at.Start, at.End))
	return true
}

func (offsets) ReadSpan(*cache.Reader) (diag.Span, bool) { panic("not read") }

// goFiles are the files of a case that can be changed.
func (c *testCase) goFiles() (out []string) {
	for _, f := range c.archive.Files {
		if filepath.Ext(f.Name) == ".go" && !strings.HasPrefix(f.Name, "want/") {
			out = append(out, filepath.Join(c.dir, filepath.FromSlash(f.Name)))
		}
	}
	return out
}

// sources shows the files of a case as they are now.
func (c *testCase) sources(t *testing.T) string {
	var a txtar.Archive
	for _, name := range c.goFiles() {
		a.Files = append(a.Files, txtar.File{Name: filepath.Base(name), Data: readFile(t, name)})
	}
	return string(txtar.Format(&a))
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// revise makes random changes to a file of a case.
func (c *testCase) revise(t *testing.T, rng *rand.Rand, pool *linePool) bool {
	t.Helper()
	files := c.goFiles()
	if len(files) == 0 {
		return false
	}
	name := files[rng.IntN(len(files))]
	text := string(readFile(t, name))
	for range 1 + rng.IntN(2) {
		text = revisions()[rng.IntN(len(revisions()))](rng, pool, text)
	}
	writeFile(t, name, []byte(text))
	return true
}

var (
	quotedRule = regexp.MustCompile(`rule="([^"\\\n` + "`" + `]*)"`)
	rawRule    = regexp.MustCompile("rule=`([^\"\\\\\n`]*)`")
	digit      = regexp.MustCompile(`(?m)^(\s*// \+.*\D)\d`)
)

// revisions are changes of the text of a file, such as people make.
func revisions() []func(rng *rand.Rand, pool *linePool, text string) string {
	inLines := func(change func(rng *rand.Rand, pool *linePool, lines []string, i int) []string) func(
		*rand.Rand, *linePool, string) string {
		return func(rng *rand.Rand, pool *linePool, text string) string {
			lines := strings.Split(text, "\n")
			return strings.Join(change(rng, pool, lines, rng.IntN(len(lines))), "\n")
		}
	}
	return []func(rng *rand.Rand, pool *linePool, text string) string{
		inLines(func(_ *rand.Rand, _ *linePool, lines []string, i int) []string {
			return slices.Insert(lines, i, "", "// a remark", "")
		}),
		inLines(func(_ *rand.Rand, _ *linePool, lines []string, i int) []string {
			return slices.Insert(lines, i, "// more to say")
		}),
		inLines(func(rng *rand.Rand, pool *linePool, lines []string, i int) []string {
			return slices.Insert(lines, i, "\t"+pool.markers[rng.IntN(len(pool.markers))])
		}),
		inLines(func(_ *rand.Rand, _ *linePool, lines []string, i int) []string {
			lines[i] = "\t" + lines[i]
			return lines
		}),
		inLines(func(_ *rand.Rand, _ *linePool, lines []string, i int) []string {
			if m := fieldLine.FindStringSubmatch(lines[i]); m != nil {
				lines[i] = m[1] + "More" + m[2] + m[3] + m[4] + m[5] + strings.Replace(m[6], `json:"`, `json:"more`, 1)
			}
			return lines
		}),
		func(_ *rand.Rand, _ *linePool, text string) string {
			if strings.Contains(text, "\r\n") {
				return strings.ReplaceAll(text, "\r\n", "\n")
			}
			return strings.ReplaceAll(text, "\n", "\r\n")
		},
		func(rng *rand.Rand, _ *linePool, text string) string { // declarations in another order
			parts := strings.Split(text, "\n\n")
			if len(parts) < 3 {
				return text + "\n// the end\n"
			}
			i, k := 1+rng.IntN(len(parts)-1), 1+rng.IntN(len(parts)-1)
			parts[i], parts[k] = parts[k], parts[i]
			return strings.Join(parts, "\n\n")
		},
		func(_ *rand.Rand, _ *linePool, text string) string {
			return quotedRule.ReplaceAllString(text, "rule=`$1`")
		},
		func(_ *rand.Rand, _ *linePool, text string) string {
			return rawRule.ReplaceAllString(text, `rule="$1"`)
		},
		func(rng *rand.Rand, _ *linePool, text string) string {
			return digit.ReplaceAllString(text, fmt.Sprintf("${1}%d", rng.IntN(10)))
		},
	}
}
