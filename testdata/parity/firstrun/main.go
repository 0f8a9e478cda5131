// Firstrun measures how much of what is wrong the first run says: it injects mistakes into real API modules, and compares
// the findings with those of the module without them. What remains when the mistakes are repaired should be reported
// beside them, and nothing that vanishes with them.
//
//	go run ./firstrun [-run regexp] [-rounds n] [-seed n] [-mistakes n] [-crdproof binary] [-v]
//
// Run it in testdata/parity. The exit code is 1 if less than 97 % is reported, or anything that vanishes.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// leastShare is the percentage of the remaining findings that the first run must report.
const leastShare = 97

func main() {
	run := flag.String("run", "", "use only the modules whose name matches this `regexp`")
	rounds := flag.Int("rounds", 15, "injections for each module")
	seed := flag.Uint64("seed", 1, "the seed of the injections")
	most := flag.Int("mistakes", 4, "the most mistakes of one injection")
	crdproof := flag.String("crdproof", os.Getenv("CRDPROOF"), "test this `binary` instead of building crdproof")
	verbose := flag.Bool("v", false, "print each finding that is missing or too many")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c := campaign{rounds: *rounds, most: *most, random: rand.New(rand.NewPCG(*seed, 0)), verbose: *verbose}
	total, err := c.run(ctx, *run, *crdproof)
	if err != nil {
		fmt.Fprintln(os.Stderr, "firstrun:", err)
		os.Exit(2)
	}
	total.print("all")
	if total.reported*100 < total.remaining*leastShare || total.vanishing > 0 {
		os.Exit(1)
	}
}

// A campaign injects mistakes into modules.
type campaign struct {
	rounds, most int
	random       *rand.Rand
	crdproof     string
	verbose      bool
}

// A tally counts findings.
type tally struct {
	runs int
	// remaining are findings of the repaired module, reported those of them that the first run has.
	remaining, reported int
	// vanishing are findings of the first run that are neither about the mistakes nor about the repaired module.
	vanishing int
	// mistakes were injected, and unseen ones are not reported.
	mistakes, unseen int
}

func (t *tally) add(o tally) {
	t.runs += o.runs
	t.remaining += o.remaining
	t.reported += o.reported
	t.vanishing += o.vanishing
	t.mistakes += o.mistakes
	t.unseen += o.unseen
}

func (t tally) print(name string) {
	fmt.Printf("%-20s %4d runs, %d of %d remaining findings (%.1f %%), %d vanish, %d of %d mistakes are not reported\n", name,
		t.runs, t.reported, t.remaining, 100*float64(t.reported)/float64(max(t.remaining, 1)), t.vanishing, t.unseen, t.mistakes)
}

// run injects mistakes into all selected modules.
func (c *campaign) run(ctx context.Context, selected, crdproof string) (tally, error) {
	pattern, err := regexp.Compile(selected)
	if err != nil {
		return tally{}, err
	}
	work, err := os.MkdirTemp("", "firstrun")
	if err != nil {
		return tally{}, err
	}
	defer os.RemoveAll(work)
	tools, err := harness.Build(ctx, ".", work, crdproof)
	if err != nil {
		return tally{}, err
	}
	c.crdproof = tools.Crdproof
	var total tally
	for _, module := range harness.Cases() {
		if module.Repeats() || !pattern.MatchString(module.Name) {
			continue
		}
		m, err := copyModule(ctx, module, filepath.Join(work, module.Name))
		if err != nil {
			return tally{}, err
		}
		t, err := c.measure(ctx, m)
		if err != nil {
			return tally{}, err
		}
		t.print(module.Name)
		total.add(t)
	}
	return total, nil
}

// measure injects mistakes into one module, some at a time.
func (c *campaign) measure(ctx context.Context, m *module) (total tally, err error) {
	repaired, err := m.findings(ctx, c.crdproof)
	if err != nil {
		return tally{}, err
	}
	for range c.rounds {
		injected, err := m.inject(c.random, 1+c.random.IntN(c.most))
		if err != nil {
			return tally{}, err
		}
		first, err := m.findings(ctx, c.crdproof)
		if err := restore(injected); err != nil {
			return tally{}, err
		}
		if err != nil {
			return tally{}, err
		}
		total.add(c.compare(repaired, first, injected))
	}
	return total, nil
}

// needsObjects reports whether findings of a check may wait until a mistake around them is repaired.
func needsObjects(check string) bool {
	c := generator.Checks().Of(check)
	return c != nil && c.Whole
}

// compare counts what the first run says, and misses.
func (c *campaign) compare(repaired, first []finding, injected []injection) tally {
	t := tally{runs: 1, mistakes: len(injected)}
	said, remains := map[finding]bool{}, map[finding]bool{}
	for _, f := range first {
		said[f] = true
	}
	var seen []bool
	for _, i := range injected {
		seen = append(seen, false)
		if c.verbose {
			fmt.Printf("-- %s:%d: %s\n", filepath.Base(i.file), i.line, i.after)
		}
	}
	for _, f := range repaired {
		remains[f] = true
		if at(injected, f) >= 0 {
			continue // the mistake has changed what it is about
		}
		if needsObjects(f.Check) && !said[f] {
			continue
		}
		t.remaining++
		if said[f] {
			t.reported++
		} else if c.verbose {
			fmt.Println("   missing:", f)
		}
	}
	for _, f := range first {
		if i := at(injected, f); i >= 0 {
			seen[i] = true
		} else if !remains[f] {
			t.vanishing++
			if c.verbose {
				fmt.Println("   vanishes:", f)
			}
		}
	}
	for _, ok := range seen {
		if !ok {
			t.unseen++
		}
	}
	return t
}

// at returns the injection at whose line a finding is, or -1.
func at(injected []injection, f finding) int {
	for i, in := range injected {
		if in.file == f.File && in.line == f.Line {
			return i
		}
	}
	return -1
}
