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
		{"add", func() any { return AddInt(x, y).err == nil }},
		{"multiply", func() any { return MultiplyInt(x, y).err == nil }},
		{"lift", func() any { return BothTry(OK(x), OK(y), SubtractInt).err == nil }},
		{"and", func() any {
			return And(OK(x > y), func() Result[bool] { return OK(y > 0) }).val
		}},
		{"dynamic less", func() any { return Less(x, y) }},
		{"dynamic equal", func() any { return Equal(x, y) }},
		{"int and double", func() any { return Less(x, 0.5) }},
		{"field", func() any { return Equal(Select(Select(self.ours, "spec"), "name"), "a") }},
		{"has", func() any { return Present(Select(self.ours, "spec"), "name") }},
		{"in constants", func() any { return InConstants("z", names) }},
		{"in set", func() any { return In("c", Select(Select(self.ours, "spec"), "set")) }},
		{"all", func() any {
			return AllOf(Select(Select(self.ours, "spec"), "ports"),
				func(p any) Result[bool] { return As[bool](Greater(Select(p, "port"), int64(0))) }).val
		}},
		{"equal objects", func() any { return Equal(self.ours, self.ours) }},
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
