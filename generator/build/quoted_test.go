package build

import (
	"encoding/json"
	"fmt"
	"go/types"
	"math/big"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
	"testing"
)

// TestDecimals holds the patterns of integers in strings against what encoding/json reads, and writes in the same digits.
func TestDecimals(t *testing.T) {
	type quoted[T any] struct {
		V T `json:",string"`
	}
	for kind, target := range map[types.BasicKind]any{
		types.Int8: quoted[int8]{}, types.Int16: quoted[int16]{}, types.Int32: quoted[int32]{}, types.Int64: quoted[int64]{},
		types.Uint8: quoted[uint8]{}, types.Uint16: quoted[uint16]{}, types.Uint32: quoted[uint32]{}, types.Uint64: quoted[uint64]{},
	} {
		pattern := regexp.MustCompile(decimals(rangeOf(kind)))
		for _, text := range decimalTexts(*rangeOf(kind)) {
			v := reflect.New(reflect.TypeOf(target))
			data := fmt.Appendf(nil, `{"V":%q}`, text)
			same := false
			if json.Unmarshal(data, v.Interface()) == nil {
				written, err := json.Marshal(v.Interface())
				same = err == nil && string(written) == string(data)
			}
			if matches := pattern.MatchString(text); matches != same {
				t.Errorf("%s of %s: matches %t, Go reads and writes it %t", text, types.Typ[kind], matches, same)
			}
		}
	}
}

// decimalTexts are integers around the ends of a range and around powers of ten, and some at random.
func decimalTexts(r intRange) []string {
	random := rand.New(rand.NewPCG(1, 2))
	bases := []*big.Int{big.NewInt(0), big.NewInt(r.min), new(big.Int).SetUint64(r.max)}
	for power := big.NewInt(10); power.BitLen() < 70; power = new(big.Int).Mul(power, big.NewInt(10)) {
		bases = append(bases, power, new(big.Int).Neg(power))
	}
	for range 2000 {
		bases = append(bases, new(big.Int).Rsh(new(big.Int).SetUint64(random.Uint64()), uint(random.IntN(64))))
	}
	out := []string{"", "-", "+1", "01", "1.0", "1e2", " 1", "1 "}
	for _, base := range bases {
		for offset := int64(-3); offset <= 3; offset++ {
			n := new(big.Int).Add(base, big.NewInt(offset))
			out = append(out, n.String(), "-"+n.String(), "0"+n.String())
		}
	}
	for i := -400; i <= 400; i++ {
		out = append(out, strconv.Itoa(i))
	}
	return out
}

// TestQuotedLiterals holds the other patterns of quoted fields against what encoding/json reads.
func TestQuotedLiterals(t *testing.T) {
	texts := []string{`""`, `"a"`, `"\""`, `"\u00e9"`, `"é"`, `"\x"`, `"`, `a`, `"a`, "\"\x01\"", "true", "false", "True", "1", "-1", "1.5", "01",
		"1e5", "1E+5", ".5", "1.", "-", "0", "-0.0", "null"}
	type quoted[T any] struct {
		V T `json:",string"`
	}
	for pattern, target := range map[string]any{quotedString: quoted[string]{}, quotedBool: quoted[bool]{}, quotedNumber: quoted[float64]{}} {
		for _, text := range texts {
			data, err := json.Marshal(map[string]string{"V": text})
			if err != nil {
				t.Fatal(err)
			}
			v := reflect.New(reflect.TypeOf(target))
			reads := json.Unmarshal(data, v.Interface()) == nil
			if text == "null" || text == "01" || text == "1." {
				reads = false // Go reads these, and never writes them
			}
			if matches := regexp.MustCompile(pattern).MatchString(text); matches != reads {
				t.Errorf("%s with %s: matches %t, Go reads it %t", text, pattern, matches, reads)
			}
		}
	}
}
