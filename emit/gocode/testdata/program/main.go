// Program prints the answers of helpers about objects, one line each. The test builds it together with the helpers, which are in
// package main too, and with the table of their names.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
)

func main() {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for {
		var q exchange.Question
		if err := in.Decode(&q); err != nil {
			return // the test closed its end
		}
		if err := out.Encode(ask(q)); err != nil {
			panic(err)
		}
	}
}

// ask calls a helper.
func ask(q exchange.Question) (a exchange.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	object, old := exchange.Decode(q.Object), exchange.Decode(q.Old)
	switch helper := helpers[q.Helper].(type) {
	case func(map[string]any) []string:
		a.Pruned = helper(object)
	case func(map[string]any):
		helper(object)
	case func(map[string]any) field.ErrorList:
		a.Errors = exchange.Texts(helper(object))
	case func(_, _ map[string]any) (field.ErrorList, []string):
		errs, warnings := helper(old, object)
		a.Errors, a.Warnings = exchange.Texts(errs), warnings
	default:
		panic("there is no " + q.Helper)
	}
	a.Object, a.Old = exchange.Exact(object), exchange.Exact(old)
	return a
}
