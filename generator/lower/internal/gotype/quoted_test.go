package gotype

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

	"github.com/crdproof/crdproof/generator/lower/internal/pattern"
	"github.com/crdproof/crdproof/internal/gojson"
)

// TestDecimals compares the patterns of integers in strings with what encoding/json reads, and writes in the same
// digits.
func TestDecimals(t *testing.T) {
	for kind, zero := range map[types.BasicKind]any{
		types.Int8: int8(0), types.Int16: int16(0), types.Int32: int32(0), types.Int64: int64(0),
		types.Uint8: uint8(0), types.Uint16: uint16(0), types.Uint32: uint32(0), types.Uint64: uint64(0),
	} {
		pattern := regexp.MustCompile(pattern.Decimals(gojson.RangeOf(kind)))
		for _, text := range decimalTexts(*gojson.RangeOf(kind)) {
			v := quoted(zero)
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

// quoted returns a pointer to a struct with a field V of the type of a value, and the tag option string.
func quoted(zero any) reflect.Value {
	field := reflect.StructField{Name: "V", Type: reflect.TypeOf(zero), Tag: `json:",string"`}
	return reflect.New(reflect.StructOf([]reflect.StructField{field}))
}

// decimalTexts are integers around the ends of a range and around powers of ten, and some at random.
func decimalTexts(r gojson.Range) []string {
	random := rand.New(rand.NewPCG(1, 2))
	bases := []*big.Int{big.NewInt(0), big.NewInt(r.Min), new(big.Int).SetUint64(r.Max)}
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

// TestQuotedLiterals compares the other patterns of quoted fields with what encoding/json reads.
func TestQuotedLiterals(t *testing.T) {
	texts := []string{`""`, `"a"`, `"\""`, `"\u00e9"`, `"é"`, `"\x"`, `"`, `a`, `"a`, "\"\x01\"", "true", "false",
		"True", "1", "-1", "1.5", "01",
		"1e5", "1E+5", ".5", "1.", "-", "0", "-0.0", "null"}
	for pattern, zero := range map[string]any{pattern.QuotedString: "", pattern.QuotedBool: false,
		pattern.QuotedNumber: 0.0} {
		for _, text := range texts {
			data, err := json.Marshal(map[string]string{"V": text})
			if err != nil {
				t.Fatal(err)
			}
			v := quoted(zero)
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
