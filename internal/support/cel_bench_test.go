package support

import (
	"testing"

	"github.com/google/cel-go/common/types"
)

// The hot paths: how long they take, and that they allocate nothing if nothing has to be boxed.
func BenchmarkCEL(b *testing.B) {
	text, number := scalar("string", ""), scalar("integer", "")
	pair := object(map[string]node{"name": text, "port": number})
	root := object(map[string]node{"spec": object(map[string]node{"replicas": number, "name": text,
		"ports": listOf(pair, "map", "name"), "set": listOf(text, "set"), "labels": mapOf(text)})})
	json := j{"spec": j{"replicas": int64(300), "name": "a", "set": []any{"a", "b", "c"},
		"labels": j{"a": "1", "b": "2"},
		"ports":  []any{j{"name": "x", "port": int64(1)}, j{"name": "y", "port": int64(2)}}}}
	self := root.value("self", json)
	names := []any{"x", "y", "z"}
	var x, y int64 = 12345, 678
	for _, bench := range []struct {
		name string
		ours func() any
	}{
		{"add", func() any { return crdAddInt(x, y).err == nil }},
		{"multiply", func() any { return crdMultiplyInt(x, y).err == nil }},
		{"lift", func() any { return crdBothTry(crdOK(x), crdOK(y), crdSubtractInt).err == nil }},
		{"and", func() any {
			return crdAnd(crdOK(x > y), func() crdResult[bool] { return crdOK(y > 0) }).val
		}},
		{"dynamic less", func() any { return crdLess(x, y) }},
		{"dynamic equal", func() any { return crdEqual(x, y) }},
		{"int and double", func() any { return crdLess(x, 0.5) }},
		{"field", func() any { return crdEqual(crdSelect(crdSelect(self.ours, "spec"), "name"), "a") }},
		{"has", func() any { return crdPresent(crdSelect(self.ours, "spec"), "name") }},
		{"in constants", func() any { return crdInConstants("z", names) }},
		{"in set", func() any { return crdIn("c", crdSelect(crdSelect(self.ours, "spec"), "set")) }},
		{"all", func() any {
			return crdAllOf(crdSelect(crdSelect(self.ours, "spec"), "ports"),
				func(p any) crdResult[bool] { return crdAs[bool](crdGreater(crdSelect(p, "port"), int64(0))) }).val
		}},
		{"equal objects", func() any { return crdEqual(self.ours, self.ours) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if bench.ours() == nil {
					b.Fatal("nothing")
				}
			}
		})
	}
	o := newOracle(b)
	program := o.program("a.spec.ports.all(p, p.port > 0)")
	b.Run("all in cel-go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if out, _, err := program.Eval(map[string]any{"a": self.theirs}); err != nil || out != types.True {
				b.Fatal(out, err)
			}
		}
	})
}
