// Program prints structures of schemas as JSON. The test builds it together with their tables.
package main

import (
	"encoding/json"
	"os"

	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
)

func main() {
	out := map[string]*exchange.Type{}
	for name, t := range types() {
		out[name] = show(t)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}

func show(t *crdType) *exchange.Type {
	if t == nil {
		return nil
	}
	out := &exchange.Type{
		Name: t.Name, Format: t.Format, Items: show(t.Items), Values: show(t.Values), ListType: t.ListType,
		ListKeys: t.ListKeys,
		Nullable: t.Nullable, Preserve: t.Preserve, IntOrString: t.IntOrString, Resource: show(t.Resource),
	}
	for _, f := range t.Fields {
		out.Fields = append(out.Fields, exchange.Field{Name: f.Name, Type: show(f.Type)})
	}
	return out
}
