package gocode_test

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdproof/crdproof/emit/gocode"
)

// TestNumber shows that numbers are written as a server decodes them.
func TestNumber(t *testing.T) {
	for _, text := range []string{"0", "-0", "-0.0", "-0e3", "0.0", "1", "1.0", "1e3", "-1.5", "1e21",
		"9223372036854775807", "9223372036854775808"} {
		var want any
		if err := utiljson.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if got := evaluated(t, gocode.Number(text)); got != want || isMinus(got) != isMinus(want) {
			t.Errorf("%s is %T(%[2]v), want %T(%[3]v)", text, got, want)
		}
	}
}

func isMinus(value any) bool {
	f, ok := value.(float64)
	return ok && math.Signbit(f)
}

// evaluated is what a literal makes: an int64, a float64, or the zero that is negative.
func evaluated(t *testing.T, expression string) any {
	t.Helper()
	if expression == "math.Copysign(0, -1)" {
		return math.Copysign(0, -1)
	}
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expression)
	if err != nil {
		t.Fatal(expression, err)
	}
	if strings.HasPrefix(expression, "int64(") {
		n, _ := constant.Int64Val(value.Value)
		return n
	}
	f, _ := constant.Float64Val(value.Value)
	return f
}
