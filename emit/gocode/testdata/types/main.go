// Program prints structures of schemas as JSON. The test builds it together with their tables.
package main

import (
	"encoding/json"
	"os"

	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
)

func main() {
	out := map[string]*exchange.Type{}
	for name, t := range types {
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
		Name: t.name, Format: t.format, Items: show(t.items), Values: show(t.values), ListType: t.listType,
		ListKeys: t.listKeys,
		Nullable: t.nullable, Preserve: t.preserve, IntOrString: t.intOrString, Resource: show(t.resource),
	}
	for _, f := range t.fields {
		out.Fields = append(out.Fields, exchange.Field{Name: f.name, Type: show(f.typ)})
	}
	return out
}
