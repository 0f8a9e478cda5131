package markers

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
)

var random = flag.Int("random", 5_000, "number of random markers to compare with controller-gen's parser")

// tails are what may follow a marker's name, with every trap of the grammar that is known.
var tails = []string{
	"", "=", ":=5", "=5", "=-5", "= -5", "=- 5", "=1.5e3", "=0x10", "=08", "=1_000", "=5Mi", "=true", "=t", "=falsey",
	"=null",
	`="a b"`, "=`a\\b`", `="\u00e4\x41\n"`, `="a`, `="\q"`, "='a'", "=a b", "=a ;b", "=a;;b", "=a;b;", "=a,b",
	"={a,b}", "={a,b,}",
	"={,a}", "={}", "={{}}", "={{a,b},{c}}", "={a: 1, b: {c: d}, \"e\": [1]}", "={a: -1}", "={a:-1}", "={a : 1}",
	"={a: 1;2, b: 3}",
	"={a;b}", "={1,2.5}", "={1;a}", "={a", "={a:", "={a: 1", `={"a": 1, "a": 2}`, `=["a", {"b": [1e2, null, true]}]`,
	`="ref(x)"`,
	"=ref(x.Y)", "=1e400", "=123456789012345678901234567890", ":x=map", "=inf", "=NaN", "=5 # five", "=2024-01-15",
	"=1/2", "=a=b",
	`:name="Age",type=date,JSONPath=".m"`, ":name=,type=date,JSONPath=x",
	":name=a,name=b,type=x,JSONPath=y,priority=-1,",
	":rule=`self.a`,message=\"m\",optionalOldSelf=true", `:rule="a";"b"`,
	":path=a,shortName=b;c,categories={d,e},scope=Cluster",
	":shortName=,scope=x", ":annotations=\"a=b\";\"c=d\",labels={\"e=f\"}", ":specpath=.a,statuspath=.b",
	":warning=\"w\"", ":path:=x",
	": path = x , scope = y", "\x00=1", "=\xff", "=\ufeff1", "=\"\xff\"", `="\ud83d\ude00"`, `="\ud83d"`, "=}", "=;",
	"=:", "=,",
}

// TestTails compares every row with every tail.
func TestTails(t *testing.T) {
	known, reg := ControllerGen(), registry(t)
	for _, def := range known.Definitions() {
		for _, tail := range tails {
			for _, target := range []Target{Package, Type, Field} {
				if err := compare(known, reg, "+"+def.Name+tail, target); err != nil {
					t.Errorf("%q on %s: %v", "+"+def.Name+tail, target.noun(), err)
				}
			}
		}
	}
}

// TestRandomMarkers compares markers put together from the pieces of the grammar, which covers more of it than mutation
// of bytes does. -random=5000000 searches for some minutes.
func TestRandomMarkers(t *testing.T) {
	known, reg := ControllerGen(), registry(t)
	pieces := []string{
		"=", ":", ":=", ",", ";", "{", "}", "[", "]", "(", ")", " ", "  ", "\t", "-", "+", ".", "#", "/", "\\", "'",
		"`", `"`,
		"a", "b1", "true", "false", "t", "null", "0", "1", "-5", "1.5", "08", "0x1F", "1e3", "1_0",
		"9223372036854775808", "5Mi",
		`"q"`, `"q\n"`, "`r`", `""`, `"\x"`, "ä", "\u00a0", "\ufeff", "😀", "\xff", "\x00", "\r", "\n", `"\u00e9"`,
		`"\ud83d\ude00"`,
		"{a: 1}", "{a,b}", "a;b", "{}", "ref(", "NaN",
	}
	defs := known.Definitions()
	var names []string
	for _, def := range defs {
		for _, p := range def.Params {
			if p.Name != "" {
				names = append(names, p.Name+"=")
			}
		}
	}
	for seed := range uint64(*random) {
		r := rand.New(rand.NewPCG(seed, 1))
		def := &defs[r.IntN(len(defs))]
		var b strings.Builder
		b.WriteString("+" + def.Name)
		if named := len(def.Params) > 0 && !def.anonymous(); named && r.IntN(4) > 0 {
			b.WriteString(":" + def.Params[0].Name)
		}
		if r.IntN(8) > 0 {
			b.WriteString("=")
		}
		for range r.IntN(12) {
			switch n := r.IntN(10); {
			case n == 0:
				b.WriteString("," + names[r.IntN(len(names))])
			case n == 1 && len(def.Params) > 0:
				b.WriteString("," + def.Params[r.IntN(len(def.Params))].Name + "=")
			default:
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
		}
		for _, target := range targets(def.Targets) {
			if err := compare(known, reg, b.String(), target); err != nil {
				t.Errorf("seed %d: %q on %s: %v", seed, b.String(), target.noun(), err)
			}
		}
		if t.Failed() && seed > 5000 {
			return
		}
	}
}

// FuzzParse compares Parse with controller-gen's parser. A case is the number of a row and the text after its name; the
// seeds pair each tail with one row of each grammar.
func FuzzParse(f *testing.F) {
	known, reg := ControllerGen(), registry(f)
	defs := known.Definitions()
	for i, def := range defs {
		switch def.Name {
		case "default", "kubebuilder:default", "kubebuilder:printcolumn", "kubebuilder:resource",
			"kubebuilder:validation:Enum", "kubebuilder:validation:Pattern", "kubebuilder:validation:MultipleOf",
			"k8s:maximum":
			for _, tail := range tails {
				f.Add(uint16(i), tail)
			}
		}
	}
	f.Fuzz(func(t *testing.T, n uint16, tail string) {
		text := "+" + defs[int(n)%len(defs)].Name + tail
		for _, target := range []Target{Package, Type, Field} {
			if err := compare(known, reg, text, target); err != nil {
				t.Errorf("%q on %s: %v", text, target.noun(), err)
			}
		}
	})
}
